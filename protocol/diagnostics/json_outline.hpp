// Where the values of a JSON text stand, as far as the text can be read: a fault may be that it
// ends too early.
#pragma once

#include "protocol/json/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tofud::diagnostics {

/// What a text is read as.
enum class read_as : std::uint8_t {
  document,  // one value; ends at the first thing that can't be there
  fragment,  // lines out of a document, in which what they don't open or end, or can't be, breaks
             // nothing
};

struct outlined {
  enum class type : std::uint8_t {
    text,  // all of it: the outermost
    object,
    array,
    string,
    word,     // a number, true, false, null
    unknown,  // none of these, or nothing, where a value must stand
  };

  type what = type::text;
  std::size_t begin = 0, end = 0;          // of the value; if it is open, up to where it was read
  std::size_t key_begin = 0, key_end = 0;  // with the quotes; both 0: no member
  std::uint32_t parent = 0;
  std::uint32_t next = 0;  // the index behind the last one inside
  bool open = false;       // the text breaks before its end

  bool is_member() const { return key_end > 0; }
  bool is_container() const { return what == type::object || what == type::array; }
  std::size_t first_byte() const { return is_member() ? key_begin : begin; }
};

/// Holds views into the text, which must outlive it.
class json_outline {
 public:
  json_outline(std::string_view text, read_as how);

  std::string_view text() const { return text_; }
  /// Each before what is in it; the first is the text itself. At most limits::json_nodes, no deeper
  /// than limits::json_depth: there a text breaks as well.
  const std::vector<outlined>& nodes() const { return nodes_; }
  const outlined& node(std::uint32_t at) const { return nodes_[at]; }
  /// Behind what could be read, if that is not all.
  std::optional<std::size_t> broken_at() const { return broken_at_; }

  /// The key of a member without its quotes, as written.
  std::string_view name(std::uint32_t member) const;
  std::string_view value(std::uint32_t at) const;
  /// The innermost value (with its key) that holds a byte.
  std::uint32_t innermost(std::size_t byte) const;
  /// From what stands in the text itself to `to`.
  std::vector<std::uint32_t> chain(std::uint32_t to) const;

  /// Calls `take(index)` for each value that is directly in `of`.
  template <typename Take>
  void each_in(std::uint32_t of, Take&& take) const {
    for (std::uint32_t at = of + 1; at < nodes_[of].next; at = nodes_[at].next) take(at);
  }

 private:
  void read();
  /// False: the text breaks here.
  bool take_next();
  bool take_string();
  bool take_word();
  bool take_comma();
  bool open(outlined::type what);
  bool close(outlined::type what);
  bool may_stand_here() const;
  bool is_key_place() const;
  std::uint32_t add(outlined::type what, std::size_t begin, std::size_t end);
  void finish();
  void skip_blanks();
  bool colon_follows(std::size_t at) const;

  std::string_view text_;
  read_as how_;
  std::size_t at_ = 0;
  std::vector<outlined> nodes_;
  std::vector<std::uint32_t> open_;  // the innermost last; the text itself first
  // Of the innermost container.
  bool has_item_ = false, after_comma_ = false;
  std::size_t key_begin_ = 0, key_end_ = 0;  // of a member whose value is still to come
  std::optional<std::size_t> broken_at_;
};

}  // namespace tofud::diagnostics
