#include "protocol/feed/encode.hpp"

#include "protocol/feed/append.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/feed/row_frame.hpp"
#include "protocol/json/quote.hpp"

namespace tofud::feed {
namespace {

using json::append_quoted;
using namespace std::string_view_literals;  // append() would measure a plain literal each time

// Not there if there is nothing.
void append_attached(std::string& out, const run_view& run) {
  bool any = false;
  for (std::size_t i = 0; i < attachments; ++i) {
    if (!run.attached[i]) continue;
    out.append(any ? ","sv : R"(,"attachments":[)"sv);
    append_quoted(out, name(static_cast<attachment>(i)));
    any = true;
  }
  if (any) out.push_back(']');
}

void append_counts(std::string& out, std::string_view field,
                   const std::optional<change_counts>& counts) {
  out.append(",\""sv).append(field).append("\":"sv);
  if (!counts) {
    out.append("null"sv);
    return;
  }
  out.append(R"({"add":)"sv);
  append_number(out, counts->add);
  out.append(R"(,"change":)"sv);
  append_number(out, counts->change);
  out.append(R"(,"import":)"sv);
  append_number(out, counts->import);
  out.append(R"(,"remove":)"sv);
  append_number(out, counts->remove);
  out.append(R"(,"forget":)"sv);
  append_number(out, counts->forget);
  out.push_back('}');
}

}  // namespace

void encode(std::string& out, const output_row& row, const row_context& context) {
  write_within_limit(
      out, row_kind::output, row.name, context, [&](std::string& to, std::size_t excess) {
        open_row(to, row_kind::output, row.name, context);
        to.append(R"(,"name":)"sv);
        append_quoted(to, row.name);
        to.append(R"(,"sensitive":)"sv);
        append_bool(to, row.sensitive);
        to.append(R"(,"action":)"sv);
        append_text_or_null(to, row.action);
        // A type can be as long as the value it describes.
        const bool has_value = row.value && !row.sensitive;
        const std::size_t value_size = has_value ? row.value->size() + 9 : 0;
        const bool cut_type = excess > value_size;
        to.append(R"(,"type":)"sv).append(row.type.empty() || cut_type ? "null" : row.type);
        if (has_value && excess == 0) to.append(R"(,"value":)"sv).append(*row.value);
        to.append(R"(,"deprecated":)"sv);
        if (row.deprecated)
          append_quoted(to, *row.deprecated);
        else
          to.append("null"sv);
        to.append(R"(,"applied":)"sv);
        if (row.applied)
          append_bool(to, *row.applied);
        else
          to.append("null"sv);
      });
}

void encode(std::string& out, const message_row& row, const row_context& context) {
  const std::string key = std::to_string(row.ordinal);
  write_within_limit(out, row_kind::message, key, context,
                     [&](std::string& to, std::size_t excess) {
                       open_row(to, row_kind::message, key, context);
                       to.append(R"(,"level":)"sv);
                       append_text_or_null(to, row.level);
                       to.append(R"(,"type":)"sv);
                       append_text_or_null(to, row.type);
                       to.append(R"(,"text":)"sv);
                       append_shortened(to, row.text, excess);
                       to.append(R"(,"at":)"sv);
                       append_time_or_null(to, row.at);
                     });
}

void encode(std::string& out, const test_file_row& row, const row_context& context) {
  open_row(out, row_kind::test_file, row.path, context);
  out.append(R"(,"path":)"sv);
  append_quoted(out, row.path);
  out.append(R"(,"status":)"sv);
  append_quoted(out, row.status);
  out.push_back('}');
}

std::string key(const test_run_row& row) { return row.path + " + " + row.name; }

void encode(std::string& out, const test_run_row& row, const row_context& context) {
  open_row(out, row_kind::test_run, key(row), context);
  out.append(R"(,"path":)"sv);
  append_quoted(out, row.path);
  out.append(R"(,"name":)"sv);
  append_quoted(out, row.name);
  out.append(R"(,"status":)"sv);
  append_quoted(out, row.status);
  out.push_back('}');
}

std::string key(const log_line& line) {
  std::string key{line.addr};
  for (const std::uint32_t number : {line.step, line.provisioner, line.n}) {
    key.push_back(' ');
    append_number(key, number);
  }
  return key;
}

void encode(std::string& out, const log_line& line, const row_context& context) {
  const std::string line_key = key(line);
  write_with_text(out, row_kind::log, line_key, context, line.text, [&](std::string& to) {
    open_row(to, row_kind::log, line_key, context);
    to.append(R"(,"addr":)"sv);
    append_quoted(to, line.addr);
    to.append(R"(,"step":)"sv);
    append_number(to, line.step);
    to.append(R"(,"provisioner":)"sv);
    append_number(to, line.provisioner);
    to.append(R"(,"n":)"sv);
    append_number(to, line.n);
    to.append(R"(,"at":)"sv);
    append_time_or_null(to, line.at);
    to.append(R"(,"text":)"sv);
  });
}

void encode(std::string& out, const text_line& line, const row_context& context) {
  const std::string line_key = std::to_string(line.n);
  write_with_text(out, row_kind::text, line_key, context, line.text, [&](std::string& to) {
    open_row(to, row_kind::text, line_key, context);
    to.append(R"(,"n":)"sv);
    append_number(to, line.n);
    to.append(R"(,"text":)"sv);
  });
}

namespace {

/// What was not said is left out.
void append_verified(std::string& out, const verified_facts& facts) {
  out.append(R"(,"verified":{"issuer":)"sv);
  append_quoted(out, facts.issuer);
  append_quoted(out.append(R"(,"subject":)"sv), facts.subject);
  if (!facts.repository.empty()) append_quoted(out.append(R"(,"repository":)"sv), facts.repository);
  if (!facts.ref.empty()) append_quoted(out.append(R"(,"ref":)"sv), facts.ref);
  if (!facts.actor.empty()) append_quoted(out.append(R"(,"actor":)"sv), facts.actor);
  out.push_back('}');
}

}  // namespace

void encode(std::string& out, const run_view& run, sequence seq) {
  out.append(R"({"kind":"run","key":)"sv);
  append_quoted(out, run.id);
  out.append(R"(,"run":)"sv);
  append_quoted(out, run.id);
  if (seq > 0) {
    out.append(R"(,"seq":)"sv);
    append_number(out, seq);
  }
  out.append(R"(,"command":")"sv).append(name(run.command));
  out.append(R"(","status":")"sv).append(name(run.status));
  out.append(R"(","phase":")"sv).append(name(run.phase)).append(R"(","versions":{)"sv);
  bool first = true;
  const auto version = [&](std::string_view tool, std::string_view text) {
    if (text.empty()) return;
    if (!first) out.push_back(',');
    first = false;
    out.append("\""sv).append(tool).append("\":"sv);
    append_quoted(out, text);
  };
  version("tofu", run.tofu);
  version("terraform", run.terraform);
  version("ui", run.ui);
  out.append(R"(},"labels":{)"sv);
  first = true;
  for (const label& l : run.labels) {
    if (!first) out.push_back(',');
    first = false;
    append_quoted(out, l.key);
    out.push_back(':');
    append_quoted(out, l.value);
  }
  out.append(R"(},"counts":{)"sv);
  first = true;
  for (std::size_t i = 0; i < resource_statuses; ++i) {
    if (run.counts[i] == 0) continue;
    if (!first) out.push_back(',');
    first = false;
    out.append("\""sv).append(name(static_cast<resource_status>(i))).append("\":"sv);
    append_number(out, run.counts[i]);
  }
  out.append(R"(},"progress":{"done":)"sv);
  append_number(out, run.progress.done);
  out.append(R"(,"total":)"sv);
  append_number(out, run.progress.total);
  out.push_back('}');
  append_counts(out, "planned", run.planned);
  append_counts(out, "applied", run.applied);
  out.append(R"(,"diagnostics":{"error":)"sv);
  append_number(out, run.diagnostics.errors);
  out.append(R"(,"warning":)"sv);
  append_number(out, run.diagnostics.warnings);
  out.append(R"(},"started_at":)"sv);
  append_time_or_null(out, run.started_at);
  out.append(R"(,"ended_at":)"sv);
  append_time_or_null(out, run.ended_at);
  out.append(R"(,"last_line_at":)"sv);
  append_time_or_null(out, run.last_line_at);
  out.append(R"(,"exit_status":)"sv);
  if (run.exit_status)
    append_number(out, *run.exit_status);
  else
    out.append("null"sv);
  out.append(R"(,"lines":{"messages":)"sv);
  append_number(out, run.lines.messages);
  out.append(R"(,"text":)"sv);
  append_number(out, run.lines.text);
  out.append(R"(,"log":)"sv);
  append_number(out, run.lines.log);
  out.append(R"(,"unmatched":)"sv);
  append_number(out, run.lines.unmatched);
  out.append(R"(,"malformed":)"sv);
  append_number(out, run.lines.malformed);
  out.append(R"(},"stack":)"sv);
  append_text_or_null(out, run.stack);
  out.append(R"(,"tests":)"sv);
  if (run.tests) {
    out.append(R"({"passed":)"sv);
    append_number(out, run.tests->passed);
    out.append(R"(,"failed":)"sv);
    append_number(out, run.tests->failed);
    out.append(R"(,"errored":)"sv);
    append_number(out, run.tests->errored);
    out.append(R"(,"skipped":)"sv);
    append_number(out, run.tests->skipped);
    out.push_back('}');
  } else {
    out.append("null"sv);
  }
  out.append(R"(,"interleaved":)"sv);
  append_bool(out, run.interleaved);
  append_attached(out, run);
  // Only runs that somebody sends have these.
  if (run.contact) {
    out.append(R"(,"contact":)"sv);
    append_quoted(out, name(*run.contact));
    out.append(R"(,"clock_offset_s":)"sv);
    append_seconds_or_null(out, run.clock_offset);
  }
  if (run.created_at) {
    out.append(R"(,"created_at":)"sv);
    append_time_or_null(out, run.created_at);
  }
  if (run.verified) append_verified(out, *run.verified);
  if (run.estimate) {
    append_members(out.append(R"(,"estimate":{)"sv), *run.estimate);
    out.push_back('}');
  }
  if (run.failures.first) {
    append_text_or_null(out.append(R"(,"failure":{"addr":)"sv), run.failures.first->addr);
    append_text_or_null(out.append(R"(,"summary":)"sv), run.failures.first->summary);
    out.push_back('}');
  }
  if (run.failures.worst) {
    out.append(R"(,"strands":{"addr":)"sv);
    append_quoted(out, run.failures.worst->addr);
    out.append(R"(,"count":)"sv);
    append_number(out, run.failures.worst->count);
    out.push_back('}');
  }
  if (!run.unreadable.empty()) {
    out.append(R"(,"unreadable":)"sv);
    append_quoted(out, run.unreadable);
  }
  out.push_back('}');
}

}  // namespace tofud::feed
