#include "daemon/exports/otlp.hpp"

#include "daemon/exports/limits.hpp"
#include "daemon/exports/text.hpp"
#include "daemon/operations/version.hpp"
#include "protocol/diagnostics/reason.hpp"
#include "protocol/text/readable.hpp"
#include "protocol/text/sha256.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace tofud::exports {
namespace {

namespace js = boost::json;

using ui::time_point;

constexpr std::size_t trace_digits = 32, span_digits = 16;
/// opentelemetry/proto/trace/v1/trace.proto.
enum span_kind { internal = 1, server = 2 };
enum status_code { unset = 0, error = 2 };

std::string shown(std::string_view text) {
  return text::beginning(text::readable_line(text), limits::otlp_text_bytes);
}

/// 64-bit numbers are strings.
js::object counted_attribute(std::string_view key, std::uint64_t value) {
  return {{"key", key}, {"value", js::object{{"intValue", std::to_string(value)}}}};
}

bool is_bad(feed::step_status status) {
  return status == feed::step_status::failed || status == feed::step_status::interrupted;
}

/// "create aws_vpc.main".
std::string span_name(std::string_view action, std::string_view of) {
  return std::string{action} + " " + shown(of);
}

class writer {
 public:
  writer(const run_rows& run, const trace_surroundings& around, std::size_t room)
      : run_{run},
        around_{around},
        room_{room},
        begins_{*run.run.started_at},
        ends_{
            std::max(run.run.ended_at.value_or(run.run.last_line_at.value_or(begins_)), begins_)} {
    // The same run has the same ids whoever sends it.
    std::string seed = run.run.id + " ";
    ui::append_timestamp(seed, begins_);
    seed_ = text::sha256_hex(seed);
    trace_ = around.parent ? around.parent->trace : seed_.substr(0, trace_digits);
    root_ = id_of("run");
  }

  trace_requests write() {
    for (const feed::resource_row* each : run_.resources) {
      for (const feed::step& step : each->steps) add(*each, step);
    }
    // Last, since it counts what was left out.
    put(of_run());
    flush();
    return std::move(made_);
  }

 private:
  std::string id_of(std::string_view what) const {
    return text::sha256_hex(seed_ + std::string{what}).substr(0, span_digits);
  }

  js::object span(std::string id, std::string_view parent, std::string name, span_kind kind,
                  time_point begin, time_point end) const {
    js::object made{{"traceId", trace_},
                    {"spanId", std::move(id)},
                    {"name", std::move(name)},
                    {"kind", static_cast<int>(kind)},
                    {"startTimeUnixNano", otlp_time(begin)},
                    {"endTimeUnixNano", otlp_time(std::max(begin, end))}};
    if (!parent.empty()) made["parentSpanId"] = parent;
    return made;
  }

  static void set_status(js::object& of, bool is_error, const std::string& why) {
    js::object status{{"code", static_cast<int>(is_error ? error : unset)}};
    if (is_error && !why.empty()) status["message"] = why;
    of["status"] = std::move(status);
  }

  /// The first error about it, in a line.
  std::string why(const feed::resource_row& of) const {
    for (const std::uint32_t ordinal : of.diagnostics) {
      const feed::diagnostic_row& each = *run_.diagnostics[ordinal - 1];
      if (each.severity == "error") return shown(diagnostics::reason(each));
    }
    return "";
  }

  void add(const feed::resource_row& of, const feed::step& step) {
    if (!step.started_at) return;
    if (written_ >= room_) {
      made_.left_out += 1 + step.provisioners.size();
      return;
    }
    const std::string path = std::string{of.addr} + " " + std::to_string(step.number);
    const std::string id = id_of(path);
    const time_point end = step.ended_at.value_or(ends_);
    const std::string_view action = feed::name(step.action);
    js::object made = span(id, root_, span_name(action, of.addr), internal, *step.started_at, end);
    js::array attributes{
        otlp_attribute("opentofu.resource_instance.address", shown(of.addr)),
        otlp_attribute("opentofu.resource.type", shown(of.type())),
        otlp_attribute("cicd.pipeline.task.name", span_name(action, of.addr)),
        otlp_attribute("cicd.pipeline.task.run.id", id),
        otlp_attribute("cicd.pipeline.task.run.result",
                       step.status == feed::step_status::done     ? "success"
                       : step.status == feed::step_status::failed ? "failure"
                                                                  : "cancellation"),
        otlp_attribute("tofud.action", action),
        otlp_attribute("tofud.phase", feed::name(step.phase))};
    if (!step.id_value.empty())
      attributes.push_back(otlp_attribute("tofud.resource.id", shown(step.id_value)));
    if (!of.source->said.owner.empty())
      attributes.push_back(otlp_attribute("tofud.owner", shown(of.source->said.owner)));
    if (is_bad(step.status))
      attributes.push_back(otlp_attribute("error.type", feed::name(step.status)));
    made["attributes"] = std::move(attributes);
    set_status(made, is_bad(step.status), is_bad(step.status) ? why(of) : "");
    put(made);
    for (std::size_t i = 0; i < step.provisioners.size(); ++i)
      add(step.provisioners[i], path + " " + std::to_string(i), id, *step.started_at, end);
  }

  void add(const feed::provisioner& of, const std::string& path, std::string_view parent,
           time_point from, time_point to) {
    if (!of.started_at) return;
    const time_point begin = std::clamp(*of.started_at, from, std::max(from, to));
    js::object made = span(id_of(path), parent, span_name("provisioner", of.name), internal, begin,
                           of.ended_at.value_or(to));
    made["attributes"] = js::array{otlp_attribute("tofud.provisioner", shown(of.name)),
                                   counted_attribute("tofud.provisioner.lines", of.lines)};
    set_status(made, is_bad(of.status), "");
    put(made);
  }

  js::object of_run() const {
    const feed::run_view& view = run_.run;
    const std::string action{feed::name(view.command)};
    const std::string_view result = pipeline_result(view.status);
    js::object made =
        span(root_, around_.parent ? around_.parent->span : "",
             view.stack.empty() ? action : span_name(action, view.stack), server, begins_, ends_);
    js::array attributes{otlp_attribute("cicd.pipeline.run.id", shown(view.id)),
                         otlp_attribute("cicd.pipeline.action.name", "RUN"),
                         otlp_attribute("cicd.pipeline.result", result),
                         otlp_attribute("tofud.command", action),
                         otlp_attribute("tofud.status", feed::name(view.status))};
    const auto add = [&attributes](std::string_view key, const std::string& value) {
      if (!value.empty()) attributes.push_back(otlp_attribute(key, shown(value)));
    };
    add("cicd.pipeline.name", view.stack);
    add("cicd.pipeline.run.url.full", around_.page);
    add("opentofu.version", view.tofu);
    for (const feed::label& each : view.labels) {
      if (each.key == "commit") add("vcs.ref.head.revision", each.value);
      if (each.key == "branch") add("vcs.ref.head.name", each.value);
    }
    const bool is_error = result != "success";
    if (is_error) add("error.type", std::string{feed::name(view.status)});
    if (made_.left_out > 0)
      attributes.push_back(counted_attribute("tofud.spans_left_out", made_.left_out));
    made["attributes"] = std::move(attributes);
    set_status(made, is_error,
               view.failures.first ? shown(view.failures.first->summary) : std::string{});
    made["events"] = errors();
    return made;
  }

  /// https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans
  js::array errors() const {
    js::array made;
    for (const feed::diagnostic_row* each : run_.diagnostics) {
      if (each->severity != "error" || made.size() >= limits::otlp_errors) continue;
      js::array attributes{otlp_attribute("exception.type", "diagnostic"),
                           otlp_attribute("exception.message", shown(diagnostics::reason(*each)))};
      if (!each->address.empty())
        attributes.push_back(
            otlp_attribute("opentofu.resource_instance.address", shown(each->address)));
      if (each->range) {
        attributes.push_back(otlp_attribute("code.file.path", shown(each->range->filename)));
        attributes.push_back(counted_attribute(
            "code.line.number", static_cast<std::uint64_t>(each->range->start.line)));
      }
      made.push_back(js::object{{"timeUnixNano", otlp_time(each->at.value_or(ends_))},
                                {"name", "exception"},
                                {"attributes", std::move(attributes)}});
    }
    return made;
  }

  void put(const js::object& made) {
    const bool is_root = made.at("spanId").get_string() == root_;
    std::string text = js::serialize(made);
    if (!is_root && written_ + text.size() > room_) {
      written_ = room_;  // and none after it
      ++made_.left_out;
      return;
    }
    written_ += text.size();
    ++made_.spans;
    spans_ += (spans_.empty() ? "" : ",") + text;
    if (++in_request_ >= limits::otlp_spans) flush();
  }

  void flush() {
    if (spans_.empty()) return;
    made_.bodies.push_back(R"({"resourceSpans":[{"resource":)" +
                           js::serialize(otlp_resource(around_.resource)) +
                           R"(,"scopeSpans":[{"scope":)" + js::serialize(otlp_scope()) +
                           R"(,"spans":[)" + spans_ + "]}]}]}");
    spans_.clear();
    in_request_ = 0;
  }

  const run_rows& run_;
  const trace_surroundings& around_;
  std::size_t room_;
  time_point begins_, ends_;
  std::string seed_, trace_, root_;
  std::string spans_;
  std::size_t in_request_ = 0, written_ = 0;
  trace_requests made_;
};

}  // namespace

js::object otlp_attribute(std::string_view key, std::string_view value) {
  return {{"key", key}, {"value", js::object{{"stringValue", value}}}};
}

std::string otlp_time(time_point at) {
  const auto nanoseconds = std::chrono::nanoseconds{at.time_since_epoch()}.count();
  return std::to_string(std::max<std::int64_t>(nanoseconds, 0));
}

js::object otlp_resource(const std::vector<std::pair<std::string, std::string>>& attributes) {
  js::array all;
  for (const auto& [key, value] : attributes) all.push_back(otlp_attribute(key, value));
  return {{"attributes", std::move(all)}};
}

js::object otlp_scope() { return {{"name", "tofud"}, {"version", operations::version}}; }

std::string_view pipeline_result(feed::run_status status) {
  switch (status) {
    case feed::run_status::succeeded:
      return "success";
    case feed::run_status::failed:
      return "failure";
    case feed::run_status::interrupted:
      return "cancellation";
    case feed::run_status::running:
    case feed::run_status::lost:
    case feed::run_status::unknown:
      break;
  }
  return "error";
}

trace_requests otlp_traces(const run_rows& run, const trace_surroundings& around,
                           std::size_t room) {
  if (!run.run.started_at) return {};
  return writer{run, around, room}.write();
}

}  // namespace tofud::exports
