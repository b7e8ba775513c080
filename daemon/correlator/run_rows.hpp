// The rows of one run, in order of their coming, and where each is found.
#pragma once

#include "daemon/correlator/resource_state.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/feed/source.hpp"
#include "protocol/text/grown_list.hpp"
#include "protocol/text/text_arena.hpp"
#include "protocol/text/text_index.hpp"
#include "protocol/ui/message.hpp"

#include <boost/container/deque.hpp>
#include <boost/dynamic_bitset.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::correlator {

struct run_identity;
class state_writer;  // state_archive.hpp
class state_reader;

/// Passive: who changes a row gives it its number.
struct run_rows {
  /// Resources never move: their rows are looked up by views into them.
  using resource_list =
      boost::container::deque<resource_state, void,
                              boost::container::deque_options_t<boost::container::block_size<64>>>;
  // Boost's own hash of a string goes byte by byte, and addresses are long.
  using by_text =
      boost::unordered_flat_map<std::string_view, std::uint32_t, std::hash<std::string_view>>;

  struct entry {
    feed::row_kind kind;
    std::uint32_t index;  // within its kind
    feed::sequence seq = 0;
  };
  struct output_entry {
    feed::output_row row;
    feed::row_number number = 0;
    std::uint64_t named_by = 0;  // the newest of the messages about outputs that has it
    std::size_t bytes_cut = 0;   // bytes of its value and type
  };
  template <typename Row>
  struct numbered {
    Row row;
    feed::row_number number = 0;
    std::size_t bytes_cut = 0;  // bytes of its texts
  };
  /// The same text, as long as the run lives; of a few words, one copy each.
  std::string_view kept(std::string_view kept_text) { return text.keep(kept_text); }
  std::string_view kept_word(std::string_view word);

  /// Where in `resources`.
  std::optional<std::uint32_t> place_of(std::string_view addr) const;
  /// Null: there is none.
  resource_state* resource_at(std::string_view addr);
  /// A new one, which takes the diagnostics that waited for its address.
  resource_state& add_resource(feed::row_number number, std::string_view addr,
                               const feed::address_parts& parts);
  output_entry& add_output(feed::row_number number, std::string_view name);
  std::optional<feed::row_number> find(feed::row_kind kind, std::string_view key) const;

  feed::row_facts facts(feed::row_number row) const;
  void encode(std::string& out, feed::row_number row, feed::row_context context) const;
  /// Bytes of the row's texts that were cut when they were taken in.
  std::size_t bytes_cut(feed::row_number row) const;
  /// About how many bytes of memory all rows take.
  std::size_t memory() const;

  void save(state_writer& to) const;
  /// Into rows that are empty.
  void load(state_reader& from);

  feed::sequence seq = 0;
  text::grown_list<entry> entries;
  resource_list resources;
  std::deque<numbered<feed::diagnostic_row>> diagnostics;
  std::deque<output_entry> outputs;
  std::deque<numbered<feed::message_row>> messages;
  std::deque<numbered<feed::test_file_row>> test_files;
  std::deque<numbered<feed::test_run_row>> test_runs;
  /// By place: resource_state::is_unsettled.
  boost::dynamic_bitset<> unsettled;
  text::text_index by_addr;  // their places
  by_text by_output, by_test_file;
  boost::unordered_flat_map<std::string, std::uint32_t> by_test_run;
  /// Diagnostics whose address no resource has yet.
  boost::unordered_flat_map<std::string, std::vector<std::uint32_t>> unlinked;
  /// Resources with a read or refresh since the last summary.
  std::vector<std::uint32_t> opened_reads;
  /// Resources with a planned import, move or remove.
  std::vector<std::uint32_t> stateless;
  text::text_arena text;  // of resource rows
  std::size_t texts = 0;  // bytes of those of other rows
  bool full = false;      // there are as many as there may be
  /// What failed first, as far as it is known: a resource, a diagnostic; indexes.
  std::optional<std::uint32_t> first_failed, first_error;

 private:
  feed::resource_names names_of(std::string_view addr, const feed::address_parts& parts);

  boost::unordered_flat_set<std::string_view, std::hash<std::string_view>> words_;
  resource_state* last_found_ = nullptr;
};

}  // namespace tofud::correlator
