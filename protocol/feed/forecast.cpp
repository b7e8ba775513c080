#include "protocol/feed/forecast.hpp"

#include "protocol/feed/append.hpp"
#include "protocol/json/quote.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tofud::feed {
namespace {

void append_usual(std::string& out, step_action action, const usual& of) {
  out.append("\"").append(name(action)).append("\":{\"p50_s\":");
  append_seconds(out, of.p50);
  append_seconds(out.append(",\"p80_s\":"), of.p80);
  append_number(out.append(",\"count\":"), of.count);
  out.append(",\"rung\":\"").append(name(of.at)).append("\",\"flaky\":");
  append_bool(out, of.flaky);
  out.push_back('}');
}

}  // namespace

std::string_view name(rung at) {
  switch (at) {
    case rung::address:
      return "address";
    case rung::stack:
      return "stack";
    case rung::anywhere:
      break;
  }
  return "anywhere";
}

void encode(std::string& out, const address_forecast& of) {
  json::append_quoted(out.append(R"({"kind":"forecast","key":)"), of.addr);
  json::append_quoted(out.append(R"(,"run":)"), of.run);
  out.append(R"(,"usual":{)");
  for (const auto& [action, usual] : of.usual_of) {
    if (out.back() != '{') out.push_back(',');
    append_usual(out, action, usual);
  }
  out.append("}}");
}

namespace {

void append_operation(std::string& out, const run_estimate::operation& of) {
  json::append_quoted(out.append("{\"addr\":"), of.addr);
  out.append(",\"action\":\"").append(name(of.action)).append("\",\"slack_s\":");
  append_seconds(out, of.slack);
  out.push_back('}');
}

void append_operations(std::string& out, std::string_view member,
                       const std::vector<run_estimate::operation>& all) {
  out.append(",\"").append(member).append("\":[");
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) out.push_back(',');
    append_operation(out, all[i]);
  }
  out.push_back(']');
}

/// Two numbers at most: nobody knows more. `up`: the latter is rounded up.
std::string rough(double seconds, bool up) {
  const double step = seconds < 10 ? 1 : seconds < 120 ? 5 : seconds < 600 ? 30 : 60;
  const double exact = seconds / step;
  const auto whole = static_cast<std::int64_t>((up ? std::ceil(exact) : std::round(exact)) * step);
  if (whole < 120) return std::to_string(whole) + "s";
  const std::int64_t minutes = whole / 60, rest = whole % 60;
  if (minutes < 60)
    return std::to_string(minutes) + "m" + (rest > 0 ? std::to_string(rest) + "s" : "");
  return std::to_string(minutes / 60) + "h" +
         (minutes % 60 > 0 ? std::to_string(minutes % 60) + "m" : "");
}

}  // namespace

void append_members(std::string& out, const expected_end& of) {
  append_time(out.append(R"("at":)"), of.at);
  if (of.overrun) {
    out.append(R"(,"p50_s":null,"p80_s":null)");
  } else {
    append_seconds(out.append(R"(,"p50_s":)"), of.p50);
    append_seconds(out.append(R"(,"p80_s":)"), of.p80);
  }
  append_bool(out.append(R"(,"overrun":)"), of.overrun);
}

void encode(std::string& out, std::string_view run, const run_estimate* of) {
  json::append_quoted(out.append(R"({"kind":"forecast","key":)"), run);
  json::append_quoted(out.append(R"(,"run":)"), run);
  out.append(R"(,"usual":{})");
  if (of != nullptr) {
    append_members(out.append(R"(,"estimate":{)"), *of);
    append_operations(out, "critical_path", of->path);
    if (of->path_more > 0) append_number(out.append(R"(,"critical_path_more":)"), of->path_more);
    append_operations(out, "running", of->running);
    append_number(out.append(R"(,"slots":)"), of->slots);
    append_number(out.append(R"(,"idle_slots":)"), of->idle_slots);
    append_seconds(out.append(R"(,"saved_by_slots_s":)"), of->saved_by_slots);
    out.push_back('}');
  }
  out.push_back('}');
}

std::string range_text(double least, double most) {
  const std::string from = rough(std::max(least, 1.0), false),
                    to = rough(std::max(most, 1.0), true);
  return from == to ? from : from + "–" + to;
}

std::string eta_text(const expected_end& of, ui::time_point now) {
  const double gone = std::chrono::duration<double>{now - of.at}.count();
  if (of.overrun || of.p80 <= gone) return "longer than usual";
  return "ETA " + range_text(of.p50 - gone, of.p80 - gone);
}

}  // namespace tofud::feed
