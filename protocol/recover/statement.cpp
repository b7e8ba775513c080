#include "protocol/recover/statement.hpp"

#include "protocol/text/readable.hpp"
#include "protocol/ui/timestamp.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tofud::recover {
namespace {

using feed::step;
using feed::step_action;
using feed::step_status;

std::string at(const std::optional<ui::time_point>& when) {
  if (!when) return "";
  std::string text = " at ";
  ui::append_timestamp(text, *when);
  return text;
}

bool is_done(const step& of) { return of.status == step_status::done; }

/// What the stream says that makes it certain that the object exists.
std::string how_known(const step& by) {
  switch (by.action) {
    case step_action::create:
      if (is_done(by)) return "it was created" + at(by.ended_at) + " (apply_complete)";
      return "a provisioner of it began" +
             (by.provisioners.empty() ? "" : at(by.provisioners.front().started_at)) +
             " (provision_start), and the provider has created it by then";
    case step_action::update:
      if (is_done(by)) return "it was updated" + at(by.ended_at) + " (apply_complete)";
      return "its update began" + at(by.started_at) + " (apply_start)";
    case step_action::remove:
      return "its delete began" + at(by.started_at) + " (apply_start)";
    case step_action::refresh:
    case step_action::read:
    case step_action::open:
    case step_action::renew:
    case step_action::close:
      break;
  }
  if (is_done(by)) return "it was refreshed" + at(by.ended_at) + " (refresh_complete)";
  return "its refresh began" + at(by.started_at) + " (refresh_start)";
}

/// How a create or delete came to no good end.
std::string how_open(const step& by) {
  if (by.status == step_status::failed && !by.inferred)
    return "failed" + at(by.ended_at) + " (apply_errored)";
  return "began" + at(by.started_at) + " (apply_start), and no end was printed";
}

/// Collects what is said of one object.
class speaker {
 public:
  explicit speaker(const finding& about) : about_{about}, addr_{about.row->addr} {}

  std::vector<statement> all() && { return std::move(said_); }

  void fact(std::string_view text) { say(certainty::fact, text); }
  void candidate(std::string_view text) { say(certainty::candidate, text); }
  void unknown(std::string_view text) { say(certainty::unknown, text); }

  void exists() { fact("exists: " + how_known(*about_.by)); }
  void has_id() {
    if (about_.id_value.empty()) return fact("its id is not in the stream");
    candidate("its import id is what was printed as its " + std::string{about_.id_key});
  }
  /// " (id i-0abc)", where there is one.
  std::string id() const {
    if (about_.id_value.empty()) return "";
    return " (" + std::string{about_.id_key} + " " + std::string{about_.id_value} + ")";
  }

 private:
  void say(certainty how, std::string_view text) {
    said_.push_back({how, std::string{addr_}.append(": ").append(text)});
  }

  const finding& about_;
  std::string_view addr_;
  std::vector<statement> said_;
};

void say_without_id(speaker& says, const finding& about) {
  says.exists();
  says.has_id();
  if (about.by->action != step_action::create || is_done(*about.by)) {
    says.candidate("look up its id and write an import block for it");
    return;
  }
  says.candidate(
      "OpenTofu would have marked it as tainted, to be replaced: look it up and delete it");
  const auto& all = about.by->provisioners;
  if (std::any_of(all.begin(), all.end(), [](const feed::provisioner& each) {
        return each.status == step_status::interrupted || each.status == step_status::running;
      })) {
    says.unknown("what its provisioner started may still be running");
  }
}

void say_delete_open(speaker& says, const finding& about) {
  says.unknown("may be gone" + says.id() + ": its delete " + how_open(*about.by));
  if (about.in_state) {
    says.fact("the state still has it");
    says.candidate("the next refresh sees whether it is there");
  } else {
    says.fact("the state lacks it");
  }
}

std::string count_of(std::size_t number, std::string_view one, std::string_view many) {
  return std::to_string(number).append(" ").append(number == 1 ? one : many);
}

std::string what_the_state_is(const held_state& state, std::string_view name) {
  const std::string called{name};
  switch (state.form) {
    case state_form::absent:
      return "there is no state: " + called + " is not there";
    case state_form::empty:
      return "the state is empty: " + called + " has no bytes";
    case state_form::state_file:
    case state_form::shown:
      break;
  }
  std::string text = "the state " + called + " has " + count_of(state.size(), "object", "objects");
  if (!state.serial.empty()) text += ", serial " + state.serial;
  if (!state.lineage.empty()) text += ", lineage " + state.lineage;
  return text;
}

/// $'…', in which a newline can be written without being one.
std::string escaped_for_shell(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) {
      out.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    } else if (c == '\'' || c == '\\') {
      out.append(1, '\\').append(1, c);
    } else {
      out.push_back(c);
    }
  }
  return out + "'";
}

void say_blocks(std::vector<statement>& said, std::size_t blocks) {
  if (blocks == 0) {
    said.push_back({certainty::fact, "no import block is written"});
    return;
  }
  said.push_back(
      {certainty::fact, count_of(blocks, "object exists", "objects exist") +
                            " that the state lacks: an import block is written for each"});
  said.push_back({certainty::candidate,
                  "the import ids in them are the ids that were printed: for some types the import "
                  "id is another string, and some have no import"});
  said.push_back({certainty::candidate,
                  "an import may leave arguments unset, so that the next plan changes or replaces "
                  "what it imports: read `tofu plan` before you apply"});
}

}  // namespace

// One line each: an address with a newline in its key would make statements of its own.
std::string to_string(const statement& said) {
  const std::string text = text::readable_line(said.text);
  switch (said.how) {
    case certainty::fact:
      return "fact: " + text;
    case certainty::candidate:
      return "candidate: " + text;
    case certainty::unknown:
      break;
  }
  return "unknown: " + text;
}

std::string said_of_terraform(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> words = {
      std::pair{"OpenTofu ", "Terraform "}, std::pair{"`tofu ", "`terraform "},
      std::pair{"tofu state ", "terraform state "}, std::pair{"run tofu ", "run terraform "},
      std::pair{"use tofu ", "use terraform "}};
  for (const auto& [ours, theirs] : words) {
    for (std::size_t at = 0; (at = text.find(ours, at)) != std::string::npos; at += theirs.size())
      text.replace(at, ours.size(), theirs);
  }
  return text;
}

std::string shell_quoted(std::string_view text) {
  const bool has_control =
      std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (has_control) return escaped_for_shell(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out.push_back(c);
    }
  }
  return out + "'";
}

std::vector<statement> statements_of(const finding& about) {
  speaker says{about};
  switch (about.what) {
    case verdict::importable:
      says.exists();
      says.has_id();
      break;
    case verdict::replaced:
      says.exists();
      says.has_id();
      says.fact(
          "the state still has the object before it, and OpenTofu ignores an import block for an "
          "address that the state has: first run tofu state rm " +
          shell_quoted(about.row->addr));
      break;
    case verdict::without_import:
      says.exists();
      says.candidate(std::string{about.row->type()} + " can't be imported" + says.id() +
                     ": the next apply creates another one");
      break;
    case verdict::without_id:
      say_without_id(says, about);
      break;
    case verdict::not_configured:
      says.exists();
      says.fact("it was to be deleted, and the configuration has no block for it any more");
      says.candidate("delete it by hand" + says.id() + ", or write a block and import it");
      break;
    case verdict::import_planned:
      says.exists();
      says.candidate(
          "the configuration already has an import block for it, so the next apply imports it");
      break;
    case verdict::left_behind:
      says.fact("the object before its replacement" + says.id() +
                " existed: " + how_known(*about.by) + "; no message says that it was deleted");
      says.candidate("delete that one by hand: it is in no state");
      break;
    case verdict::create_open:
      says.unknown("may exist: its create " + how_open(*about.by));
      break;
    case verdict::delete_open:
      say_delete_open(says, about);
      break;
    case verdict::deleted_in_state:
      says.fact("was deleted" + at(about.by->ended_at) + says.id() +
                " (apply_complete), and the state still has it");
      says.candidate("the next refresh removes it from the state; nothing needs to be done");
      break;
    case verdict::same_id:
      says.unknown("was replaced by an object with the same id" + says.id() +
                   ": the state does not say which of them it has");
      break;
    case verdict::another_in_state:
      says.unknown("the run saw another object there" + says.id() +
                   " than the state has: OpenTofu may have run again since");
      break;
    case verdict::which_is_current:
      says.unknown("exists" + says.id() +
                   " beside others of this address: the stream does not say which are deposed");
      break;
  }
  return std::move(says).all();
}

std::vector<statement> summary_of(const recovery& found, const held_state& state,
                                  std::string_view name) {
  std::vector<statement> said;
  said.push_back({certainty::fact, what_the_state_is(state, name)});
  const auto& all = found.findings;
  say_blocks(
      said, static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const finding& each) {
        return gets_block(each.what);
      })));
  for (const finding& each : all) {
    if (each.what == verdict::importable) continue;
    std::vector<statement> about = statements_of(each);
    std::move(about.begin(), about.end(), std::back_inserter(said));
  }
  if (found.never_begun > 0) {
    said.push_back({certainty::fact, count_of(found.never_begun, "planned change was never begun",
                                              "planned changes were never begun")});
  }
  return said;
}

}  // namespace tofud::recover
