// The one comment that the jobs of a pull request write together: a section for each stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::forge {

/// What a reviewer looks at first, first.
enum class risk : std::uint8_t { failed, destroys, changes, none, applied };

/// What one run says of a stack.
struct part {
  std::string run;    // its id
  std::string began;  // RFC 3339 in UTC; texts in their order
  risk of = risk::none;
  std::string head;  // Markdown, a line
  std::string rest;  // Markdown below it; may be cut
  bool operator==(const part&) const = default;
};

struct section {
  std::optional<part> plan, apply;
  bool operator==(const section&) const = default;
};

enum class of_run : std::uint8_t { plan, apply };

/// A value. Written as Markdown with HTML comments as marks, and read again from it: the pull
/// request is its only memory. What is read is only as good as the author of the comment.
class stacks_comment {
 public:
  /// Whether `body` is such a comment.
  static bool is_in(std::string_view body);
  /// What is left of it. A mark that makes no sense ends what stands before it.
  static stacks_comment parse(std::string_view body);

  /// Of two runs of one stack the one that began later stays. A plan that began after an apply ends
  /// what was said of that.
  void put(const std::string& stack, of_run what, part said);
  /// All of the other, by the same rule.
  void merge(const stacks_comment& other);
  /// Whether it says that, or something later.
  bool has(const std::string& stack, of_run what, const part& said) const;

  /// At most `room` bytes: the longest sections are cut first, between blocks of Markdown, and say
  /// so. What fails comes first, then what destroys.
  std::string text(std::size_t room) const;

  const std::map<std::string, section>& sections() const { return sections_; }
  bool operator==(const stacks_comment&) const = default;

 private:
  std::map<std::string, section> sections_;  // by stack
};

/// The longest beginning of `markdown` within `room` bytes that ends neither within a fence nor
/// within <details>.
std::string_view whole_blocks(std::string_view markdown, std::size_t room);

}  // namespace tofud::forge
