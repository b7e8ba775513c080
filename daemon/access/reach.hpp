// Which runs somebody may see and send.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tofud::access {

/// Whether a stack is one that `pattern` means: `*` stands for any characters but `/`, and at the
/// end of the pattern for whatever follows. Upper and lower case differ, as in names of stacks.
bool fits(std::string_view pattern, std::string_view stack);

/// A value; without stacks and labels it holds every run.
struct reach {
  std::vector<std::string> stacks;  // patterns, in order, each once: a stack fits one of them
  /// By their keys, each once: a run was given all of them by its daemon. What a sender says of
  /// itself counts for nothing here.
  std::vector<feed::label> labels;
  /// False where patterns have names in them that their issuer compares without case.
  bool is_case_sensitive = true;

  /// Also where a pattern alone means every stack.
  bool is_everything() const;
  /// Whether runs of that stack may be sent. They get the labels.
  bool holds(std::string_view stack) const;
  /// Whether a run may be seen; `granted`: the labels that its daemon gave it.
  bool holds(std::string_view stack, const std::vector<feed::label>& granted) const;

  /// Adds a pattern, or a label; a label of the same key is taken by the new one.
  text::failure add_stack(std::string_view pattern);
  text::failure add_label(std::string_view text);

  bool operator==(const reach&) const = default;
};

/// For people: `team=net, a=b`.
std::string to_text(const std::vector<feed::label>& labels);
/// For people: `net/*, dns/* with team=net`.
std::string to_text(const reach& those);

}  // namespace tofud::access
