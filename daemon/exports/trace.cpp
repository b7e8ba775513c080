#include "daemon/exports/trace.hpp"

#include "daemon/exports/text.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/text/readable.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace tofud::exports {
namespace {

using json::append_quoted;
using ui::time_point;

struct span {
  time_point begin, end;
  const feed::resource_row* resource;
  const feed::step* step;
};

class events {
 public:
  explicit events(time_point zero) : zero_{zero} {}

  void add_run(const run_rows& run, std::size_t process);
  std::string finished() && { return std::move(out_); }

 private:
  void begin_event(std::string_view type, std::string_view name, std::size_t process,
                   std::size_t thread);
  void times(time_point begin, time_point end);
  void add_name(std::string_view of, std::string_view name, std::size_t process,
                std::size_t thread);
  void add_step(const span& step, std::size_t process, std::size_t thread);
  void add_provisioner(const feed::provisioner& each, const span& within, std::size_t process,
                       std::size_t thread);
  void add_error(const feed::diagnostic_row& error, std::size_t process);
  void text_field(std::string_view key, std::string_view text) {
    out_.append(",\"").append(key).append("\":");
    append_quoted(out_, text);
  }

  time_point zero_;
  std::string out_;
};

void events::begin_event(std::string_view type, std::string_view name, std::size_t process,
                         std::size_t thread) {
  out_.append(out_.empty() ? "\n" : ",\n").append("{\"ph\":\"").append(type).append("\"");
  text_field("name", name);
  out_.append(",\"pid\":").append(std::to_string(process));
  out_.append(",\"tid\":").append(std::to_string(thread));
}

void events::times(time_point begin, time_point end) {
  out_.append(",\"ts\":").append(std::to_string((begin - zero_).count()));
  out_.append(",\"dur\":").append(std::to_string((end - begin).count()));
}

void events::add_name(std::string_view of, std::string_view name, std::size_t process,
                      std::size_t thread) {
  begin_event("M", of, process, thread);
  out_.append(",\"args\":{\"name\":");
  append_quoted(out_, name);
  out_.append("}}");
}

void events::add_step(const span& step, std::size_t process, std::size_t thread) {
  begin_event("X", step.resource->addr, process, thread);
  text_field("cat", feed::name(step.step->action));
  times(step.begin, step.end);
  out_.append(",\"args\":{\"action\":");
  append_quoted(out_, feed::name(step.step->action));
  text_field("status", feed::name(step.step->status));
  text_field("phase", feed::name(step.step->phase));
  if (!step.step->id_value.empty()) text_field("id", step.step->id_value);
  out_.append("}}");
  for (const feed::provisioner& each : step.step->provisioners) {
    add_provisioner(each, step, process, thread);
  }
}

void events::add_provisioner(const feed::provisioner& each, const span& within, std::size_t process,
                             std::size_t thread) {
  if (!each.started_at) return;
  const time_point begin = std::clamp(*each.started_at, within.begin, within.end);
  const time_point end = std::clamp(each.ended_at.value_or(within.end), begin, within.end);
  begin_event("X", each.name, process, thread);
  text_field("cat", "provisioner");
  times(begin, end);
  out_.append(",\"args\":{\"status\":");
  append_quoted(out_, feed::name(each.status));
  out_.append(",\"lines\":").append(std::to_string(each.lines)).append("}}");
}

void events::add_error(const feed::diagnostic_row& error, std::size_t process) {
  if (error.severity != "error" || !error.at) return;
  begin_event("i", "Error: " + text::readable_line(error.summary), process, 0);
  out_.append(",\"s\":\"p\",\"cat\":\"diagnostic\",\"ts\":");
  out_.append(std::to_string((std::max(*error.at, zero_) - zero_).count()));
  out_.append(",\"args\":{\"text\":");
  append_quoted(out_, diagnostic_text(error));
  out_.append("}}");
}

std::vector<span> spans_of(const run_rows& run, time_point zero) {
  std::vector<span> spans;
  const time_point last = run.run.last_line_at.value_or(zero);
  for (const feed::resource_row* resource : run.resources) {
    for (const feed::step& step : resource->steps) {
      if (!step.started_at) continue;
      const time_point begin = std::max(*step.started_at, zero);
      spans.push_back({begin, std::max(step.ended_at.value_or(last), begin), resource, &step});
    }
  }
  std::stable_sort(spans.begin(), spans.end(),
                   [](const span& a, const span& b) { return a.begin < b.begin; });
  return spans;
}

void events::add_run(const run_rows& run, std::size_t process) {
  const feed::run_view& view = run.run;
  add_name(
      "process_name",
      std::string{feed::name(view.command)} + " " +
          (view.stack.empty() ? view.id : text::readable_line(view.stack) + " (" + view.id + ")"),
      process, 0);
  // The lowest thread that is free: as few rows on the screen as there were steps at a time.
  std::set<std::size_t> free;
  std::set<std::tuple<time_point, std::size_t>> busy;
  std::size_t threads = 0;
  for (const span& each : spans_of(run, zero_)) {
    while (!busy.empty() && std::get<0>(*busy.begin()) <= each.begin) {
      free.insert(std::get<1>(*busy.begin()));
      busy.erase(busy.begin());
    }
    if (free.empty()) {
      free.insert(++threads);
      add_name("thread_name", "step " + std::to_string(threads) + " at a time", process, threads);
    }
    const std::size_t thread = *free.begin();
    free.erase(free.begin());
    busy.emplace(each.end, thread);
    add_step(each, process, thread);
  }
  for (const feed::diagnostic_row* diagnostic : run.diagnostics) add_error(*diagnostic, process);
}

}  // namespace

std::string trace(const std::vector<run_rows>& runs) {
  std::optional<time_point> zero;
  for (const run_rows& run : runs) {
    if (run.run.started_at && (!zero || *run.run.started_at < *zero)) zero = run.run.started_at;
  }
  events all{zero.value_or(time_point{})};
  for (std::size_t i = 0; i < runs.size(); ++i) all.add_run(runs[i], i + 1);
  std::string began;
  if (zero) ui::append_timestamp(began, *zero);
  std::string out = R"({"displayTimeUnit":"ms","otherData":{"began_at":)";
  append_quoted(out, began);
  return out + "},\"traceEvents\":[" + std::move(all).finished() + "\n]}\n";
}

}  // namespace tofud::exports
