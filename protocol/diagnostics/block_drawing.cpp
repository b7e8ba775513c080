#include "protocol/diagnostics/block_drawing.hpp"

#include "protocol/diagnostics/limits.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace tofud::diagnostics {
namespace {

using type = outlined::type;

constexpr std::string_view left_out = "…";
/// Deeper ones stand no further in.
constexpr std::size_t most_indent = 40;
/// An array of words of that many bytes is one line.
constexpr std::size_t array_in_line_bytes = 60;
/// Where not all fit: this many beside the one with the fault are drawn.
constexpr std::size_t neighbours = 3;
/// Of a line that is cut: what stays of its beginning, for the name in it.
constexpr std::size_t kept_beginning = 60;
/// Of a word that is none: a longer one is no mistyped `true`.
constexpr std::size_t shown_word_bytes = 20;

bool is_inside_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

std::size_t character_begin(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && is_inside_character(text[at])) --at;
  return at;
}

std::size_t character_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_inside_character(text[at])) ++at;
  return at;
}

struct line {
  std::string text;
  // Both nothing (begin > end): the fault is elsewhere.
  byte_range fault = {1, 0};

  bool is_faulty() const { return fault.begin <= fault.end; }
};

// Cuts a long line to what is around its fault.
void shorten(line& of) {
  if (of.text.size() <= limits::generated_line_bytes) return;
  const std::size_t room = limits::generated_line_bytes - kept_beginning - 2 * left_out.size();
  const std::size_t begin = of.is_faulty() ? of.fault.begin : 0;
  std::size_t from = begin > kept_beginning + room / 2 ? begin - room / 3 : kept_beginning;
  from = character_begin(of.text, from);
  const std::size_t to = character_begin(of.text, std::min(from + room, of.text.size()));
  std::string shortened = of.text.substr(0, character_begin(of.text, kept_beginning));
  if (from > shortened.size()) shortened += left_out;
  const std::size_t moved = from - shortened.size();
  shortened += of.text.substr(from, to - from);
  if (of.is_faulty()) {
    if (of.fault.begin >= from) of.fault.begin -= moved;
    if (of.fault.end >= from) of.fault.end = std::min(of.fault.end, to) - moved;
  }
  if (to < of.text.size()) shortened += left_out;
  of.text = std::move(shortened);
}

class drawer {
 public:
  drawer(const json_outline& file, std::uint32_t block, byte_range fault, siblings others)
      : file_{file}, block_{block}, fault_{fault}, others_{others} {
    fault_.end = std::max(fault_.end, fault_.begin + 1);
    innermost_ = file_.innermost(fault_.begin);
    const std::uint32_t values = file_.node(block).next - block;
    crowded_ = values > limits::generated_block_lines / 2;
  }

  drawn_block draw() {
    lines_.emplace_back();
    const std::string ends = open_outer();
    const bool apart = !ends.empty() && !file_.node(block_).is_container();
    if (apart) {
      ++depth_;
      next_line();
      --depth_;
    }
    item(block_);
    if (broken_ || apart) next_line();
    if (!broken_) add(ends);
    if (broken_) add(left_out);
    if (!marked_) mark_last();
    keep_near();
    return joined();
  }

 private:
  void add(std::string_view text) { lines_.back().text += text; }

  void next_line() {
    lines_.emplace_back();
    add(std::string(std::min(2 * depth_, most_indent), ' '));
  }

  // A piece of the source, as written.
  void add(byte_range of) {
    line& to = lines_.back();
    const std::size_t begin = to.text.size();
    to.text += file_.text().substr(of.begin, of.end - of.begin);
    if (of.begin >= fault_.end && marked_) return;
    if (of.end <= fault_.begin) return;
    // The first piece at or behind the place is marked if nothing is there itself.
    const auto place = [&](std::size_t at) {
      return begin + std::clamp(at, of.begin, of.end) - of.begin;
    };
    if (!to.is_faulty()) to.fault.begin = place(fault_.begin);
    to.fault.end = std::max(place(fault_.end), to.fault.begin);
    marked_ = true;
  }

  bool is_faulty(std::uint32_t at) const {
    return at <= innermost_ && innermost_ < file_.node(at).next;
  }

  // Names and brackets around the block, in one line. Returns what closes them.
  std::string open_outer() {
    std::string ends;
    for (const std::uint32_t each : file_.chain(file_.node(block_).parent)) {
      const bool named = file_.node(each).is_member();
      if (ends.empty() && !named) continue;  // the root
      key(each);
      add(byte_range{file_.node(each).begin, file_.node(each).begin + 1});
      ends.insert(ends.begin(), file_.node(each).what == type::object ? '}' : ']');
    }
    return ends;
  }

  void key(std::uint32_t of) {
    const outlined& member = file_.node(of);
    if (!member.is_member()) return;
    add(byte_range{member.key_begin, member.key_end});
    add(": ");
  }

  void item(std::uint32_t at) {
    key(at);
    const outlined& of = file_.node(at);
    if (of.what == type::unknown) return unknown(of);
    if (!of.is_container()) return add(byte_range{of.begin, of.end});
    add(byte_range{of.begin, of.begin + 1});
    inside(at);
    if (of.open) return break_off();
    add(byte_range{of.end - 1, of.end});
  }

  void inside(std::uint32_t at) {
    const outlined& of = file_.node(at);
    if (of.next == at + 1 && !of.open) return;
    if (fits_in_line(at)) return in_line(at);
    ++depth_;
    bool first = true;
    for (const std::uint32_t each : chosen(at)) {
      if (broken_) break;
      if (!first) add(",");
      first = false;
      next_line();
      if (each == 0)
        add(left_out);
      else
        one_of(each);
    }
    if (of.open) break_off();
    --depth_;
    if (!of.open && !broken_) next_line();
  }

  void one_of(std::uint32_t at) {
    const bool faulty = is_faulty(at);
    const bool opened = faulty || at == block_;
    const bool container = file_.node(at).is_container();
    if (opened || (others_ == siblings::shown && !(crowded_ && container))) return item(at);
    key(at);
    if (container && file_.node(at).next > at + 1)
      add(file_.node(at).what == type::object ? "{…}" : "[…]");
    else
      add(left_out);
  }

  // Those that are drawn of what is in a container; 0 stands for some that are not.
  std::vector<std::uint32_t> chosen(std::uint32_t at) const {
    std::vector<std::uint32_t> all;
    file_.each_in(at, [&](std::uint32_t each) { all.push_back(each); });
    const bool many = all.size() > 2 * neighbours + 1;
    if (!many || (!crowded_ && others_ == siblings::shown)) return all;
    const auto faulty =
        std::find_if(all.begin(), all.end(), [&](std::uint32_t each) { return is_faulty(each); });
    // Without one of them the fault is the container itself, and where it breaks its end.
    const auto at_end = file_.node(at).open ? all.size() - 1 : std::size_t{0};
    const auto middle =
        faulty == all.end() ? at_end : static_cast<std::size_t>(faulty - all.begin());
    const std::size_t from = middle > neighbours ? middle - neighbours : 0;
    const std::size_t to = std::min(middle + neighbours + 1, all.size());
    std::vector<std::uint32_t> some;
    if (from > 0) some.push_back(0);
    some.insert(some.end(), all.begin() + static_cast<std::ptrdiff_t>(from),
                all.begin() + static_cast<std::ptrdiff_t>(to));
    if (to < all.size()) some.push_back(0);
    return some;
  }

  bool fits_in_line(std::uint32_t at) const {
    const outlined& of = file_.node(at);
    if (of.what != type::array || of.open || others_ == siblings::hidden) return false;
    if (of.end - of.begin > array_in_line_bytes) return false;
    bool words = true;
    file_.each_in(at, [&](std::uint32_t each) { words &= !file_.node(each).is_container(); });
    return words;
  }

  void in_line(std::uint32_t at) {
    bool first = true;
    file_.each_in(at, [&](std::uint32_t each) {
      if (!first) add(", ");
      first = false;
      item(each);
    });
  }

  // What breaks a text is shown if it is a word that stands for a value of this block.
  void unknown(const outlined& of) {
    const std::size_t size = of.end - of.begin;
    const bool word = size > 0 && size <= shown_word_bytes && file_.text()[of.begin] != '"';
    if (word)
      add(byte_range{of.begin, of.end});
    else
      add(left_out);
    if (!word && !marked_ && fault_.begin >= of.begin) mark_last();
    broken_ = true;
  }

  // Where a text breaks. A sign that should not be there is shown; text could be anybody's.
  void break_off() {
    if (broken_) return;
    broken_ = true;
    const std::size_t at = file_.broken_at().value_or(file_.text().size());
    constexpr std::string_view signs = ",:{}[]";
    if (at >= file_.text().size() || signs.find(file_.text()[at]) == std::string_view::npos) return;
    next_line();
    add(byte_range{at, at + 1});
  }

  // Nothing is drawn of the fault: what stands for it is marked, or the end.
  void mark_last() {
    line& last = lines_.back();
    const std::size_t size = last.text.size();
    last.fault = {last.text.ends_with(left_out) ? size - left_out.size() : size, size};
    marked_ = true;
  }

  void keep_near() {
    std::size_t first = 0;
    while (first + 1 < lines_.size() && !lines_[first].is_faulty()) ++first;
    constexpr std::size_t most = limits::generated_block_lines;
    if (lines_.size() > most) {
      const std::size_t from = std::min(first - std::min(first, most / 2), lines_.size() - most);
      const std::size_t to = from + most;
      if (to < lines_.size()) replace(to - 1);
      if (from > 0) replace(from);
      lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(to), lines_.end());
      lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(from));
    }
    for (line& each : lines_) shorten(each);
  }

  void replace(std::size_t at) {
    if (lines_[at].is_faulty() && first_faulty() == at) return;
    lines_[at] = line{std::string{left_out}};
  }

  std::size_t first_faulty() const {
    return static_cast<std::size_t>(
        std::find_if(lines_.begin(), lines_.end(),
                     [](const line& each) { return each.is_faulty(); }) -
        lines_.begin());
  }

  drawn_block joined() const {
    drawn_block done;
    bool found = false;
    for (const line& each : lines_) {
      if (&each != &lines_.front()) done.text += '\n';
      const std::size_t begin = done.text.size();
      done.text += each.text;
      if (!each.is_faulty()) continue;
      if (!found) done.fault.begin = begin + each.fault.begin;
      found = true;
      done.fault.end = begin + each.fault.end;
    }
    done.fault.begin = character_begin(done.text, done.fault.begin);
    done.fault.end = character_end(done.text, done.fault.end);
    return done;
  }

  const json_outline& file_;
  std::uint32_t block_;
  byte_range fault_;
  siblings others_;
  std::uint32_t innermost_ = 0;  // of the values that hold it
  bool crowded_ = false;
  std::vector<line> lines_;
  std::size_t depth_ = 0;
  bool marked_ = false, broken_ = false;
};

}  // namespace

drawn_block draw_block(const json_outline& file, std::uint32_t block, byte_range fault,
                       siblings others) {
  return drawer{file, block, fault, others}.draw();
}

}  // namespace tofud::diagnostics
