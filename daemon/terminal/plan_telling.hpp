// What `plan` prints for people before and behind its plan, told from the stream that took its
// place; the plan itself is what `show` prints of the plan's file.
#pragma once

#include "daemon/terminal/plain.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/json/document.hpp"
#include "protocol/text/ink.hpp"
#include "protocol/ui/line_splitter.hpp"
#include "protocol/ui/parse_message.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::terminal {

/// As Terraform 1.5 to 1.11 and OpenTofu 1.6 to 1.11 print it where neither output is a terminal:
/// 78 characters wide, coloured unless -no-color is given (tests/plan_texts holds both sides of
/// what Terraform 1.11.4 printed). Lines of refreshing come in the order of the stream, and what is
/// imported is named behind them.
class plan_telling {
 public:
  enum class part : bool { before_plan, behind_plan };

  /// Only that part is told; the errors and warnings at the end of a stream belong to what is
  /// behind the plan, though there may be none. Errors go to `err`, everything else to `out`.
  plan_telling(part wanted, line_sink out, line_sink err, text::ink::colours colours);

  void feed(std::string_view bytes);
  /// The last line may lack its newline.
  void end();
  /// Told of each error and warning as it comes, whether it is printed or not; may be empty.
  void watch(std::function<void(const feed::diagnostic_row&)> seen) { seen_ = std::move(seen); }
  /// There is a plan to be shown, perhaps of one that failed halfway.
  bool has_plan() const { return has_plan_; }

 private:
  void take(std::string_view line);
  void say(std::string_view text, int resets);
  void say_plain(std::string_view text);
  void settle_diagnostics();
  void tell_diagnostics();
  bool is_told() const { return (part_ == part::before_plan) != has_plan_; }

  part part_;
  line_sink out_, err_;
  text::ink::colours colours_;
  text::ink pen_;
  ui::line_splitter lines_;
  ui::message_parser parser_;
  json::document_parser wording_;
  std::vector<feed::diagnostic_row> waiting_;  // printed together, as they are sorted
  std::function<void(const feed::diagnostic_row&)> seen_;
  bool has_plan_ = false;
};

/// What stands below a plan that can be applied: where it is, and how to apply it. `program` is
/// "Terraform" or "OpenTofu", `file` what -out says; empty: it was not given.
std::string plan_next_step(std::string_view program, std::string_view file,
                           text::ink::colours colours);

/// Reads what `show` prints of a plan, in pieces, for whether that plan can be applied.
class shown_plan_reader {
 public:
  void feed(std::string_view piece);
  /// Of all that was fed. A plan without changes, or one that failed halfway, can't be.
  bool can_be_applied() const { return can_be_applied_ && !stops(); }

 private:
  bool stops() const;

  std::string line_;  // its beginning
  bool can_be_applied_ = true;
};

}  // namespace tofud::terminal
