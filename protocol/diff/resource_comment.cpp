#include "protocol/diff/resource_comment.hpp"

#include "protocol/diff/sides.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/text/characters.hpp"

namespace tofud::diff {
namespace {

using plan::planned_action;
using plan::resource_change;
using text::style;

// A string as OpenTofu writes it in plans, where no < > & stands in one.
std::string quoted_in_plans(std::string_view text) {
  std::string plain, quoted;
  json::append_quoted(plain, text);
  for (const char c : plain) {
    if (c == '<')
      quoted.append("\\u003c");
    else if (c == '>')
      quoted.append("\\u003e");
    else if (c == '&')
      quoted.append("\\u0026");
    else
      quoted.push_back(c);
  }
  return quoted;
}

class commenter {
 public:
  commenter(const resource_change& about, cause why, const drawer& with, const text::ink& pen,
            plan::product made_by)
      : about_{about},
        why_{why},
        with_{with},
        pen_{pen},
        of_terraform_{made_by == plan::product::terraform} {}

  std::string comment() {
    headline();
    if (about_.change.action == planned_action::none) {
      if (!moves(about_)) generated_config();
    } else {
      reason();
      left_over();
      if (moves(about_)) line("(moved from " + with_.text(about_.previous_address) + ")");
    }
    import();
    out_.append(pen_[style::reset]);
    return std::move(out_);
  }

 private:
  void start(std::string_view address) {
    // What Terraform forgets stands one column to the left.
    const bool forgets = of_terraform_ && about_.change.action == planned_action::forget;
    out_.append(pen_[style::bold]).append(forgets ? " # " : "  # ");
    out_.append(address).append(pen_[style::reset]);
  }
  void alarm(std::string_view word) {
    out_.append(pen_[style::bold]).append(pen_[style::red]).append(word);
    out_.append(pen_[style::reset]);
  }
  void line(const std::string& text) {
    out_.append("  # ").append(pen_[style::reset]).append(text).append("\n");
  }

  void headline() {
    std::string address = with_.text(about_.address);
    const bool moved_only = about_.change.action == planned_action::none && moves(about_);
    if (!about_.deposed.empty()) address += " (deposed object " + with_.text(about_.deposed) + ")";
    if (moved_only) {
      start(with_.text(about_.previous_address));
      out_.append(" has moved to ").append(pen_[style::bold]);
      out_.append(address).append(pen_[style::reset]).append("\n");
      return;
    }
    start(address);
    what_happens();
    out_.append("\n");
  }

  void what_happens() {
    switch (about_.change.action) {
      case planned_action::create:
        out_.append(" will be created");
        return;
      case planned_action::read:
        out_.append(" will be read during apply");
        return;
      case planned_action::update:
        out_.append(why_ == cause::drift ? " has changed" : " will be updated in-place");
        return;
      case planned_action::remove_then_create:
      case planned_action::create_then_remove:
        replaced();
        return;
      case planned_action::forget_then_create:
        replaced();
        older_instance();
        return;
      case planned_action::remove:
        if (why_ == cause::drift) {
          out_.append(" has been deleted");
          return;
        }
        out_.append(" will be ");
        alarm("destroyed");
        return;
      case planned_action::forget:
        if (of_terraform_) {
          out_.append(" will no longer be managed by Terraform, but ");
          alarm("will not be destroyed");
          return;
        }
        out_.append(" will be removed from the OpenTofu state ");
        alarm("but will not be destroyed");
        return;
      case planned_action::none:
        if (about_.change.importing) out_.append(" will be imported");
        return;
      case planned_action::unknown:
        out_.append(" has an action that this tofud does not know");
        return;
    }
  }

  void replaced() {
    if (about_.action_reason == "replace_because_tainted") {
      out_.append(of_terraform_ ? " is tainted, so must be " : " is tainted, so it must be ");
      alarm("replaced");
    } else if (about_.action_reason == "replace_by_request") {
      out_.append(" will be ");
      alarm("replaced");
      out_.append(", as requested");
    } else if (about_.action_reason == "replace_by_triggers") {
      out_.append(" will be ");
      alarm("replaced");
      out_.append(" due to changes in replace_triggered_by");
    } else {
      out_.append(" must be ");
      alarm("replaced");
    }
  }

  void older_instance() {
    out_.append(" - ").append(pen_[style::yellow]).append("older instance will ");
    out_.append(pen_[style::bold]).append("not").append(pen_[style::reset]);
    out_.append(pen_[style::yellow]).append(" be destroyed ").append(pen_[style::reset]);
    out_.append("(").append(pen_[style::bold]).append("lifecycle.destroy = false");
    out_.append(pen_[style::reset]).append(")");
  }

  void because(const std::string& text) { out_.append("  # (").append(text).append(")\n"); }

  std::string key() const {
    std::string text{"["};
    if (about_.index.is(json::kind::string))
      text += with_.text(quoted_in_plans(about_.index.text()));
    else
      text += about_.index.text();
    return text + "]";
  }

  // Of a data source, too, without `data.`, as OpenTofu says it.
  std::string resource() const { return with_.text(about_.type) + "." + with_.text(about_.name); }

  void reason() {
    const std::string_view why = about_.action_reason;
    if (about_.change.action == planned_action::read) {
      if (why == "read_because_config_unknown") because("config refers to values not yet known");
      if (why == "read_because_dependency_pending")
        because("depends on a resource or a module with changes pending");
      if (why == "read_because_check_nested")
        because("config will be reloaded to verify a check block");
    } else if (about_.change.action == planned_action::remove) {
      removal_reason(why);
    } else if (about_.change.action == planned_action::forget && of_terraform_) {
      out_.append(" # (destroy = false is set in the configuration)\n");
    } else if (about_.change.action == planned_action::forget) {
      if (why == "forgot_because_lifecycle_destroy_in_state")
        kept_by_lifecycle("was configured before this resource was removed from the configuration");
      if (why == "forgot_because_lifecycle_destroy_in_config")
        kept_by_lifecycle("is set in the configuration");
    }
  }

  // OpenTofu writes it just so: a blank before the end of the line, one behind it, and no sign.
  void kept_by_lifecycle(std::string_view how) {
    out_.pop_back();
    out_.append(" \n (because ").append(pen_[style::bold]).append("lifecycle.destroy = false");
    out_.append(pen_[style::reset]).append(" ").append(how).append(")\n");
  }

  void removal_reason(std::string_view why) {
    if (why == "delete_because_no_resource_config")
      because("because " + resource() + " is not in configuration");
    if (why == "delete_because_no_move_target")
      because("because " + with_.text(about_.previous_address) + " was moved to " +
              with_.text(about_.address) + ", which is not in configuration");
    if (why == "delete_because_no_module")
      because("because " + with_.text(about_.module_address) + " is not in configuration");
    if (why == "delete_because_wrong_repetition") wrong_repetition();
    if (why == "delete_because_count_index")
      because("because index " + key() + " is out of range for count");
    if (why == "delete_because_each_key")
      because("because key " + key() + " is not in for_each map");
    if (why == "delete_because_enabled_false") because("because enabled is false");
  }

  void wrong_repetition() {
    if (about_.index.is(json::kind::string))
      because("because resource does not use for_each");
    else if (about_.index)
      because("because resource does not use count");
    else
      because("because resource uses count or for_each");
  }

  void left_over() {
    const planned_action done = about_.change.action;
    if (about_.deposed.empty() ||
        (done != planned_action::remove && done != planned_action::forget &&
         done != planned_action::forget_then_create))
      return;
    out_.append("  # (left over from a partially-failed replacement of this instance)\n");
  }

  void generated_config() {
    if (!about_.change.generated_config) return;
    out_.append("  #").append(pen_[style::reset]).append(" (config will be generated)\n");
  }

  // JSON, a line for each member and element; all but the first begin with `start`.
  std::string json_lines(json::value from, const std::string& start) const {
    const bool object = from.is(json::kind::object);
    if (!object && !from.is(json::kind::array)) {
      std::string text;
      from.append_json(text);
      return with_.text(text);
    }
    std::string lines{object ? "{" : "["};
    bool empty = true;
    for (const json::value each : from) {
      lines.append(empty ? "\n" : ",\n").append(start).append("  ");
      empty = false;
      if (object) {
        std::string key;
        json::append_quoted(key, each.key());
        lines.append(with_.text(key)).append(": ");
      }
      lines.append(json_lines(each, start + "  "));
    }
    if (!empty) lines.append("\n").append(start);
    return lines.append(object ? "}" : "]");
  }

  void import() {
    const json::value importing = about_.change.importing;
    if (!importing) return;
    if (const auto id = importing["id"].string(); id && !id->empty()) {
      // Terraform says nothing more of what is only imported.
      if (of_terraform_ && about_.change.action == planned_action::none) return;
      line("(imported from \"" + with_.text(*id) + "\")");
    } else if (const json::value identity = importing["identity"]; !is_nil(identity)) {
      line("imported using resource identity: " + json_lines(identity, "  # "));
    } else {
      line("(will be imported first)");
    }
    const planned_action done = about_.change.action;
    if (done != planned_action::remove_then_create && done != planned_action::create_then_remove)
      return;
    out_.append("  # ").append(pen_[style::reset]).append(pen_[style::yellow]);
    out_.append("Warning: this will destroy the imported resource");
    out_.append(pen_[style::reset]).append("\n");
  }

  const resource_change& about_;
  cause why_;
  const drawer& with_;
  const text::ink& pen_;
  bool of_terraform_;
  std::string out_;
};

}  // namespace

bool moves(const plan::resource_change& about) {
  return !about.previous_address.empty() && about.previous_address != about.address;
}

std::string comment_of(const plan::resource_change& about, cause why, const drawer& with,
                       const text::ink& pen, plan::product made_by) {
  return commenter{about, why, with, pen, made_by}.comment();
}

std::string header_of(const plan::resource_change& about) {
  return (about.mode == "managed" ? "resource " : "data ") + text::quoted(about.type) + " " +
         text::quoted(about.name);
}

std::string sign_of(plan::planned_action done, const drawer& with, const text::ink& pen) {
  const auto pair = [&](style one, std::string_view first, style other, std::string_view second) {
    std::string out{pen[one]};
    out.append(first).append(pen[style::reset]).append("/").append(pen[other]).append(second);
    return out.append(pen[style::reset]).append(pen[style::reset]);
  };
  switch (done) {
    case planned_action::create:
      return "  " + with.phrase(style::green, "+");
    case planned_action::read:
      return " " + with.phrase(style::cyan, "<=");
    case planned_action::update:
      return "  " + with.phrase(style::yellow, "~");
    case planned_action::remove:
      return "  " + with.phrase(style::red, "-");
    case planned_action::remove_then_create:
      return pair(style::red, "-", style::green, "+");
    case planned_action::create_then_remove:
      return pair(style::green, "+", style::red, "-");
    case planned_action::forget:
      return "  " + with.phrase(style::red, ".");
    case planned_action::forget_then_create:
      return "  " + pair(style::red, ".", style::green, "+");
    case planned_action::none:
      return "   ";
    case planned_action::unknown:
      return "  ?";
  }
  return {};
}

}  // namespace tofud::diff
