#include "protocol/feed/append.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/row_frame.hpp"
#include "protocol/json/quote.hpp"

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
    const planned_details& says = *plan[i].says;
    if (!says.reason.empty()) {
      out.append(R"(,"reason":)"sv);
      append_quoted(out, says.reason);
    }
    if (!says.previous_addr.empty()) {
      out.append(R"(,"previous_addr":)"sv);
      append_quoted(out, says.previous_addr);
    }
    if (!says.deposed.empty()) {
      out.append(R"(,"deposed":)"sv);
      append_quoted(out, says.deposed);
    }
    if (says.imports) out.append(R"(,"imports":true)"sv);
    if (says.create_before_destroy) out.append(R"(,"create_before_destroy":true)"sv);
    out.push_back('}');
  }
  out.push_back(']');
}

void append_named(std::string& out, std::string_view member, const named_operations& some) {
  out.append(R"(,")"sv).append(member).append(R"(":[)"sv);
  for (std::size_t i = 0; i < some.names.size(); ++i) {
    if (i > 0) out.push_back(',');
    append_quoted(out, some.names[i]);
  }
  out.push_back(']');
  if (some.more == 0) return;
  out.append(R"(,")"sv).append(member).append(R"(_more":)"sv);
  append_number(out, some.more);
}

void append_causes(std::string& out, const causes& why) {
  if (why.waiting_for != nullptr) append_named(out, "waiting_for"sv, *why.waiting_for);
  if (why.behind != nullptr) append_named(out, "behind"sv, *why.behind);
  if (!why.strands) return;
  out.append(R"(,"strands":)"sv);
  append_number(out, *why.strands);
}

void append_source(std::string& out, const block_source& source) {
  if (source.file.empty()) {
    out.append("null"sv);
    return;
  }
  out.append(R"({"file":)"sv);
  append_quoted(out, source.file);
  out.append(R"(,"line":)"sv);
  append_number(out, source.line);
  const annotations& said = source.said;
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

}  // namespace

void encode(std::string& out, const resource_row& row, const row_context& context) {
  const address_parts parts = row.parts();
  write_within_limit(
      out, row_kind::resource, row.addr, context, [&](std::string& to, std::size_t excess) {
        open_row(to, row_kind::resource, row.addr, context);
        to.append(R"(,"addr":)"sv);
        append_quoted(to, row.addr);
        to.append(R"(,"module":)"sv);
        append_quoted(to, parts.module);
        to.append(R"(,"mode":)"sv);
        append_quoted(to, parts.mode);
        to.append(R"(,"type":)"sv);
        append_quoted(to, parts.type);
        to.append(R"(,"name":)"sv);
        append_quoted(to, parts.name);
        to.append(R"(,"index":)"sv).append(parts.index);
        to.append(R"(,"provider":)"sv);
        append_quoted(to, parts.provider);
        to.append(R"(,"first":)"sv);
        append_number(to, row.first);
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
        if (row.id_value().empty()) {
          to.append("null"sv);
        } else {
          to.append(R"({"key":)"sv);
          append_quoted(to, row.id_key());
          to.append(R"(,"value":)"sv);
          append_quoted(to, row.id_value());
          to.push_back('}');
        }
        to.append(R"(,"diagnostics":[)"sv);
        for (std::size_t i = 0; i < row.diagnostics.size(); ++i) {
          if (i > 0) to.push_back(',');
          append_number(to, row.diagnostics[i]);
        }
        to.push_back(']');
        if (row.causes != nullptr) append_causes(to, *row.causes);
        to.append(R"(,"source":)"sv);
        append_source(to, *row.source);
        to.append(R"(,"inferred":)"sv);
        append_bool(to, row.inferred);
      });
}

}  // namespace tofud::feed
