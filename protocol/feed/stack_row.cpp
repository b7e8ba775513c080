#include "protocol/feed/stack_row.hpp"

#include "protocol/feed/append.hpp"
#include "protocol/json/quote.hpp"

#include <array>

namespace tofud::feed {
namespace {

using json::append_quoted;

// In the order of the enumerators; what has no word is written null.
constexpr std::array<std::string_view, 6> change_words{"planned", "waiting", "applying",
                                                       "applied", "failed",  "outdated"};
constexpr std::array<std::string_view, 3> link_words{"", "hash", "commit"};
constexpr std::array<std::string_view, 4> lock_words{"held", "abandoned", "released",
                                                     "somebody else"};

void append_text(std::string& out, std::string_view field, std::string_view text) {
  out.append(",\"").append(field).append("\":");
  append_text_or_null(out, text);
}

void append_time(std::string& out, std::string_view field,
                 const std::optional<ui::time_point>& time) {
  out.append(",\"").append(field).append("\":");
  append_time_or_null(out, time);
}

void append_outcome(std::string& out, const std::optional<stack_outcome>& outcome) {
  out.append(R"(,"outcome":)");
  if (!outcome) {
    out.append("null");
    return;
  }
  out.append(R"({"run":)");
  append_quoted(out, outcome->run);
  append_text(out, "status", name(outcome->status));
  append_text(out, "command", name(outcome->command));
  append_time(out, "ended_at", outcome->ended_at);
  append_text(out, "superseded", outcome->superseded);
  out.append(R"(,"superseded_runs":)");
  append_number(out, outcome->superseded_runs);
  out.push_back('}');
}

void append_change(std::string& out, const std::optional<stack_change>& change) {
  out.append(R"(,"change":)");
  if (!change) {
    out.append("null");
    return;
  }
  out.append(R"({"state":)");
  append_quoted(out, name(change->state));
  append_text(out, "plan_run", change->plan_run);
  append_text(out, "apply_run", change->apply_run);
  append_text(out, "linked", name(change->linked));
  out.push_back('}');
}

void append_lock(std::string& out, const std::optional<stack_lock>& lock) {
  out.append(R"(,"lock":)");
  if (!lock) {
    out.append("null");
    return;
  }
  out.append(R"({"run":)");
  append_quoted(out, lock->run);
  append_text(out, "state", name(lock->state));
  append_text(out, "holder", lock->holder);
  append_text(out, "id", lock->id);
  append_text(out, "path", lock->path);
  append_text(out, "operation", lock->operation);
  append_text(out, "who", lock->who);
  append_text(out, "version", lock->version);
  append_time(out, "created_at", lock->created_at);
  out.push_back('}');
}

void append_drift(std::string& out, const std::optional<stack_drift>& drift) {
  out.append(R"(,"drift":)");
  if (!drift) {
    out.append("null");
    return;
  }
  out.append(R"({"run":)");
  append_quoted(out, drift->run);
  append_time(out, "since", drift->since);
  out.append(R"(,"resources":)");
  append_number(out, drift->resources);
  out.push_back('}');
}

}  // namespace

std::string_view name(change_state state) { return change_words[static_cast<std::size_t>(state)]; }
std::string_view name(change_link link) { return link_words[static_cast<std::size_t>(link)]; }
std::string_view name(lock_state state) { return lock_words[static_cast<std::size_t>(state)]; }

void encode(std::string& out, const stack_row& row, sequence seq) {
  out.append(R"({"kind":"stack","key":)");
  append_quoted(out, row.stack);
  out.append(R"(,"seq":)");
  append_number(out, seq);
  append_text(out, "stack", row.stack);
  append_text(out, "name", row.name);
  append_text(out, "run", row.run);
  append_text(out, "status", name(row.status));
  append_text(out, "command", name(row.command));
  append_text(out, "phase", name(row.phase));
  append_outcome(out, row.outcome);
  append_change(out, row.change);
  append_text(out, "contact", row.contact ? name(*row.contact) : "");
  append_lock(out, row.lock);
  append_drift(out, row.drift);
  append_time(out, "last_line_at", row.last_line_at);
  append_time(out, "started_at", row.started_at);
  append_time(out, "ended_at", row.ended_at);
  out.append(R"(,"clock_offset_s":)");
  append_seconds_or_null(out, row.clock_offset);
  out.push_back('}');
}

}  // namespace tofud::feed
