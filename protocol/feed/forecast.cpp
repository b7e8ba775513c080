#include "protocol/feed/forecast.hpp"

#include "protocol/feed/append.hpp"
#include "protocol/json/quote.hpp"

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

}  // namespace tofud::feed
