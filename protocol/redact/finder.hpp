// Where secrets stand in a text.
#pragma once

#include "protocol/redact/decoded.hpp"
#include "protocol/redact/pattern_search.hpp"
#include "protocol/redact/rules.hpp"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::redact {

/// Bytes [begin, end) of a text.
struct part {
  std::size_t begin, end;
  bool operator==(const part&) const = default;
};

enum class looks_for : bool { values_and_shapes, values };

/// Rules made ready to look for: what takes memory, 80 KiB and some hundred bytes for each of a
/// secret's.
/// Immutable, so that many streams share one.
struct ready_rules {
  /// `values`: what stands in the rules alone, not what tells itself by its looks.
  explicit ready_rules(const rules& what, looks_for sought = looks_for::values_and_shapes);

  std::string salt;
  provisioner_output provisioners;
  /// The bytes of all that is searched for. An escape that stands for another byte is no part of
  /// a secret or of an anchor.
  std::bitset<256> sought_bytes;
  pattern_search search;

 private:
  ready_rules(const rules& what, std::vector<pattern_search::pattern> patterns);
};

/// Looks for the values of secrets, as they stand, escaped, percent-encoded and in base64, and for
/// tokens that tell themselves by their looks. Remembers buffers only.
class finder {
 public:
  explicit finder(std::shared_ptr<const ready_rules> what);

  /// Whether anything in `line` may have to change. Never no where something has to; one pass over
  /// most lines.
  bool suspects(std::string_view line);

  /// Whether a text is a whole line of what a program printed: it is looked at as one.
  enum class extent : bool { any, printed_line };
  /// The parts of `text` to mask: in order, apart, none of them empty or across a newline. Valid
  /// until the next call.
  const std::vector<part>& find(std::string_view text, extent what);

  /// How many bytes at the end of `text` may be the beginning of a secret that was cut off.
  std::size_t begun(std::string_view text);

  /// Gives back the memory that a long line took.
  void release();

 private:
  bool anything(std::string_view text);
  bool escapes_hide_nothing(std::string_view line) const;
  template <typename Found>
  std::size_t look(std::string_view text, Found&& found);
  template <typename Place>
  void collect(std::string_view text, Place&& place);
  void settle(std::string_view text);

  std::shared_ptr<const ready_rules> rules_;
  std::vector<std::size_t> seen_;  // per shape: nothing of it begins before
  bool met_anchor_ = false;        // of a shape, in the text looked at last
  std::vector<part> parts_, settled_;
  decoded levels_[3];
  decoded percents_;
};

}  // namespace tofud::redact
