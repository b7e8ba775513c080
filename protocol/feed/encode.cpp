#include "protocol/feed/encode.hpp"

#include "protocol/feed/append.hpp"
#include "protocol/feed/percent.hpp"
#include "protocol/feed/run_path.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/limits.hpp"

#include <algorithm>
#include <span>

namespace tofud::feed {
namespace {

using json::append_quoted;
using namespace std::string_view_literals;  // append() would measure a plain literal each time

// Never negative: stamps step back.
void append_elapsed(std::string& out, ui::time_point from, ui::time_point to) {
  append_seconds(out, std::max(to - from, std::chrono::microseconds{}));
}

void open_row(std::string& out, row_kind kind, std::string_view key, const row_context& context) {
  out.append(R"({"kind":")"sv).append(name(kind)).append(R"(","key":)"sv);
  append_quoted(out, key);
  out.append(R"(,"run":)"sv);
  append_quoted(out, context.run);
  out.append(R"(,"seq":)"sv);
  append_number(out, context.seq);
}

// What a cut row says in place of what it lost.
void append_truncated(std::string& out, row_kind kind, std::string_view key,
                      const row_context& context, std::size_t bytes) {
  out.append(R"(,"truncated":true,"bytes":)"sv);
  append_number(out, bytes);
  std::string href = run_path(context.base, context.run);
  href.append("/row?kind="sv).append(name(kind)).append("&key="sv);
  append_percent_encoded(href, key);
  out.append(R"(,"href":)"sv);
  append_quoted(out, href);
}

// Writes a row in full; if that is over the limit, asks `shrink(excess)` to write it again shorter
// by that much, with the mark of a cut row. A row whose key alone is too long stays too long.
template <typename Write>
void write_within_limit(std::string& out, row_kind kind, std::string_view key,
                        const row_context& context, Write&& write) {
  const std::size_t start = out.size();
  write(out, std::size_t{0});
  out.push_back('}');
  const std::size_t full = out.size() - start;
  if (context.limit == cut::no || full <= limits::row_bytes) return;
  std::string mark;
  append_truncated(mark, kind, key, context, full);
  out.resize(start);
  write(out, full + mark.size() - limits::row_bytes);
  out.append(mark);
  out.push_back('}');
}

// Appends `text` quoted, shorter by up to `excess` bytes; takes what it saved off `excess`.
void append_shortened(std::string& out, std::string_view text, std::size_t& excess) {
  if (excess == 0) {
    append_quoted(out, text);
    return;
  }
  const std::size_t whole = json::quoted_size(text) - 2;
  const std::size_t before = out.size();
  json::append_quoted_cut(out, text, whole - std::min(whole, excess));
  const std::size_t saved = whole + 2 - (out.size() - before);
  excess -= std::min(excess, saved);
}

void append_provisioner(std::string& out, const provisioner& p, std::size_t number) {
  out.append(R"({"n":)"sv);
  append_number(out, number);
  out.append(R"(,"name":)"sv);
  append_quoted(out, p.name);
  out.append(R"(,"status":")"sv).append(name(p.status)).push_back('"');
  if (p.inferred) out.append(R"(,"inferred":true)"sv);
  out.append(R"(,"lines":)"sv);
  append_number(out, p.lines);
  if (p.started_at) {
    out.append(R"(,"started_at":)"sv);
    append_time(out, *p.started_at);
  }
  if (p.ended_at) {
    out.append(R"(,"ended_at":)"sv);
    append_time(out, *p.ended_at);
  }
  out.push_back('}');
}

void append_step(std::string& out, const step& s) {
  out.append(R"({"n":)"sv);
  append_number(out, s.number);
  out.append(R"(,"phase":")"sv).append(name(s.phase));
  out.append(R"(","action":")"sv).append(name(s.action));
  out.append(R"(","status":")"sv).append(name(s.status)).push_back('"');
  if (s.inferred) out.append(R"(,"inferred":true)"sv);
  if (s.started_at) {
    out.append(R"(,"started_at":)"sv);
    append_time(out, *s.started_at);
  }
  if (s.ended_at) {
    out.append(R"(,"ended_at":)"sv);
    append_time(out, *s.ended_at);
    if (s.started_at) {
      out.append(R"(,"elapsed":)"sv);
      append_elapsed(out, *s.started_at, *s.ended_at);
    }
  }
  if (!s.id_value.empty()) {
    out.append(R"(,"id":)"sv);
    append_quoted(out, s.id_value);
  }
  if (!s.provisioners.empty()) {
    out.append(R"(,"provisioners":[)"sv);
    for (std::size_t i = 0; i < s.provisioners.size(); ++i) {
      if (i > 0) out.push_back(',');
      append_provisioner(out, s.provisioners[i], i + 1);
    }
    out.push_back(']');
  }
  if (s.declared > 0) {
    out.append(R"(,"declared":)"sv);
    append_number(out, s.declared);
  }
  out.push_back('}');
}

// Steps from the oldest, without the oldest finished ones if the row is `excess` bytes too long.
void append_steps(std::string& out, std::span<const step> steps, std::size_t excess) {
  std::uint64_t omitted = 0;
  std::size_t saved = 0;
  out.append(R"(,"steps":[)"sv);
  bool first = true;
  for (const step& s : steps) {
    const std::size_t before = out.size();
    if (!first) out.push_back(',');
    append_step(out, s);
    // The count of those left out takes up to 40 bytes itself.
    if (excess > 0 && saved < excess + 40 && s.status != step_status::running) {
      saved += out.size() - before + (first ? 1 : 0);
      out.resize(before);
      ++omitted;
    } else {
      first = false;
    }
  }
  out.push_back(']');
  if (omitted > 0) {
    out.append(R"(,"steps_omitted":)"sv);
    append_number(out, omitted);
  }
}

void append_plan(std::string& out, std::span<const planned> plan) {
  out.append(R"(,"plan":[)"sv);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (i > 0) out.push_back(',');
    out.append(R"({"action":)"sv);
    append_quoted(out, plan[i].action);
    if (!plan[i].reason.empty()) {
      out.append(R"(,"reason":)"sv);
      append_quoted(out, plan[i].reason);
    }
    if (!plan[i].previous_addr.empty()) {
      out.append(R"(,"previous_addr":)"sv);
      append_quoted(out, plan[i].previous_addr);
    }
    if (!plan[i].deposed.empty()) {
      out.append(R"(,"deposed":)"sv);
      append_quoted(out, plan[i].deposed);
    }
    if (plan[i].imports) out.append(R"(,"imports":true)"sv);
    if (plan[i].create_before_destroy) out.append(R"(,"create_before_destroy":true)"sv);
    out.push_back('}');
  }
  out.push_back(']');
}

void append_source(std::string& out, const resource_row& row) {
  if (row.source_file.empty()) {
    out.append("null"sv);
    return;
  }
  out.append(R"({"file":)"sv);
  append_quoted(out, row.source_file);
  out.append(R"(,"line":)"sv);
  append_number(out, row.source_line);
  const annotations& said = row.annotated;
  if (!said.owner.empty()) {
    out.append(R"(,"owner":)"sv);
    append_quoted(out, said.owner);
  }
  if (!said.runbook.empty()) {
    out.append(R"(,"runbook":)"sv);
    append_quoted(out, said.runbook);
  }
  if (said.expect) {
    out.append(R"(,"expect_s":)"sv);
    append_number(out, said.expect->count());
  }
  out.push_back('}');
}

void append_position(std::string& out, const source_position& p) {
  out.append(R"({"line":)"sv);
  append_number(out, p.line);
  out.append(R"(,"column":)"sv);
  append_number(out, p.column);
  out.append(R"(,"byte":)"sv);
  append_number(out, p.byte);
  out.push_back('}');
}

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

void append_range(std::string& out, const std::optional<source_range>& range) {
  out.append(R"(,"range":)"sv);
  if (!range) {
    out.append("null"sv);
    return;
  }
  out.append(R"({"filename":)"sv);
  append_quoted(out, range->filename);
  out.append(R"(,"start":)"sv);
  append_position(out, range->start);
  out.append(R"(,"end":)"sv);
  append_position(out, range->end);
  out.push_back('}');
}

void append_snippet(std::string& out, const source_snippet& snippet, std::size_t& excess) {
  out.push_back('{');
  if (snippet.context) {
    out.append(R"("context":)"sv);
    append_quoted(out, *snippet.context);
    out.push_back(',');
  }
  out.append(R"("code":)"sv);
  append_shortened(out, snippet.code, excess);
  out.append(R"(,"start_line":)"sv);
  append_number(out, snippet.start_line);
  out.append(R"(,"highlight_start_offset":)"sv);
  append_number(out, snippet.highlight_start_offset);
  out.append(R"(,"highlight_end_offset":)"sv);
  append_number(out, snippet.highlight_end_offset);
  out.append(R"(,"values":[)"sv);
  bool first = true;
  for (const expression_value& v : snippet.values) {
    if (!first) out.push_back(',');
    first = false;
    out.append(R"({"traversal":)"sv);
    append_quoted(out, v.traversal);
    out.append(R"(,"statement":)"sv);
    append_shortened(out, v.statement, excess);
    out.push_back('}');
  }
  out.push_back(']');
  if (!snippet.function_call.empty()) {
    out.append(R"(,"function_call":)"sv).append(snippet.function_call);
  }
  if (snippet.path) {
    out.append(R"(,"path":)"sv);
    append_shortened(out, *snippet.path, excess);
  }
  out.push_back('}');
}

void append_attribute(std::string& out, const std::optional<attribute_card>& card,
                      std::size_t& excess) {
  out.append(R"(,"attribute":)"sv);
  if (!card) {
    out.append("null"sv);
    return;
  }
  out.append(R"({"type":)"sv);
  append_quoted(out, card->type);
  out.append(R"(,"path":)"sv);
  append_quoted(out, card->path);
  if (!card->value_type.empty()) {
    out.append(R"(,"value_type":)"sv);
    append_shortened(out, card->value_type, excess);
  }
  if (card->required) out.append(R"(,"required":true)"sv);
  if (card->sensitive) out.append(R"(,"sensitive":true)"sv);
  if (!card->description.empty()) {
    out.append(R"(,"description":)"sv);
    append_shortened(out, card->description, excess);
  }
  if (!card->deprecated.empty()) {
    out.append(R"(,"deprecated":)"sv);
    append_shortened(out, card->deprecated, excess);
  }
  if (!card->default_value.empty()) out.append(R"(,"default":)"sv).append(card->default_value);
  if (!card->validators.empty()) {
    out.append(R"(,"validators":[)"sv);
    for (std::size_t i = 0; i < card->validators.size(); ++i) {
      if (i > 0) out.push_back(',');
      append_shortened(out, card->validators[i], excess);
    }
    out.push_back(']');
  }
  if (!card->replacement.empty()) {
    out.append(R"(,"replacement":)"sv);
    append_quoted(out, card->replacement);
  }
  out.push_back('}');
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

void encode(std::string& out, const resource_row& row, const row_context& context) {
  write_within_limit(
      out, row_kind::resource, row.addr, context, [&](std::string& to, std::size_t excess) {
        open_row(to, row_kind::resource, row.addr, context);
        to.append(R"(,"addr":)"sv);
        append_quoted(to, row.addr);
        to.append(R"(,"module":)"sv);
        append_quoted(to, row.module);
        to.append(R"(,"mode":)"sv);
        append_quoted(to, row.mode);
        to.append(R"(,"type":)"sv);
        append_quoted(to, row.type);
        to.append(R"(,"name":)"sv);
        append_quoted(to, row.name);
        to.append(R"(,"index":)"sv).append(row.index);
        to.append(R"(,"provider":)"sv);
        append_quoted(to, row.provider);
        append_plan(to, row.plan);
        to.append(R"(,"drift":)"sv);
        append_text_or_null(to, row.drift);
        to.append(R"(,"status":")"sv).append(name(row.status)).append(R"(","activity":)"sv);
        const auto open = std::find_if(row.steps.rbegin(), row.steps.rend(), [](const step& s) {
          return s.status == step_status::running;
        });
        append_text_or_null(to, open == row.steps.rend() ? std::string_view{} : name(open->action));
        append_steps(to, row.steps, excess);
        to.append(R"(,"id":)"sv);
        if (row.id_value.empty()) {
          to.append("null"sv);
        } else {
          to.append(R"({"key":)"sv);
          append_quoted(to, row.id_key);
          to.append(R"(,"value":)"sv);
          append_quoted(to, row.id_value);
          to.push_back('}');
        }
        to.append(R"(,"diagnostics":[)"sv);
        for (std::size_t i = 0; i < row.diagnostics.size(); ++i) {
          if (i > 0) to.push_back(',');
          append_number(to, row.diagnostics[i]);
        }
        to.append(R"(],"source":)"sv);
        append_source(to, row);
        to.append(R"(,"inferred":)"sv);
        append_bool(to, row.inferred);
      });
}

void encode(std::string& out, const diagnostic_row& row, const row_context& context) {
  const std::string key = std::to_string(row.ordinal);
  write_within_limit(out, row_kind::diagnostic, key, context,
                     [&](std::string& to, std::size_t excess) {
                       open_row(to, row_kind::diagnostic, key, context);
                       to.append(R"(,"severity":)"sv);
                       append_quoted(to, row.severity);
                       // The snippet is shortened first, so it is written first, whatever its place
                       // in the row.
                       std::string snippet = "null";
                       if (row.snippet) {
                         snippet.clear();
                         append_snippet(snippet, *row.snippet, excess);
                       }
                       std::string detail;
                       append_shortened(detail, row.detail, excess);
                       to.append(R"(,"summary":)"sv);
                       append_shortened(to, row.summary, excess);
                       to.append(R"(,"detail":)"sv).append(detail);
                       to.append(R"(,"address":)"sv);
                       append_text_or_null(to, row.address);
                       append_range(to, row.range);
                       to.append(R"(,"snippet":)"sv).append(snippet);
                       append_attribute(to, row.attribute, excess);
                       to.append(R"(,"test_file":)"sv);
                       append_text_or_null(to, row.test_file);
                       to.append(R"(,"test_run":)"sv);
                       append_text_or_null(to, row.test_run);
                       to.append(R"(,"at":)"sv);
                       append_time_or_null(to, row.at);
                     });
}

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
  write_within_limit(out, row_kind::log, line_key, context,
                     [&](std::string& to, std::size_t excess) {
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
                       append_shortened(to, line.text, excess);
                     });
}

void encode(std::string& out, const text_line& line, const row_context& context) {
  const std::string line_key = std::to_string(line.n);
  write_within_limit(out, row_kind::text, line_key, context,
                     [&](std::string& to, std::size_t excess) {
                       open_row(to, row_kind::text, line_key, context);
                       to.append(R"(,"n":)"sv);
                       append_number(to, line.n);
                       to.append(R"(,"text":)"sv);
                       append_shortened(to, line.text, excess);
                     });
}

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
  append_number(out, run.progress_done);
  out.append(R"(,"total":)"sv);
  append_number(out, run.progress_total);
  out.push_back('}');
  append_counts(out, "planned", run.planned);
  append_counts(out, "applied", run.applied);
  out.append(R"(,"diagnostics":{"error":)"sv);
  append_number(out, run.errors);
  out.append(R"(,"warning":)"sv);
  append_number(out, run.warnings);
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
  append_number(out, run.messages);
  out.append(R"(,"text":)"sv);
  append_number(out, run.text);
  out.append(R"(,"log":)"sv);
  append_number(out, run.log);
  out.append(R"(,"unmatched":)"sv);
  append_number(out, run.unmatched);
  out.append(R"(,"malformed":)"sv);
  append_number(out, run.malformed);
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
  out.push_back('}');
}

}  // namespace tofud::feed
