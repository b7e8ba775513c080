#include "daemon/exports/csv.hpp"

#include "daemon/exports/text.hpp"
#include "protocol/text/readable.hpp"

#include <algorithm>
#include <array>

namespace tofud::exports {
namespace {

// The wide ones are folded to the others by spreadsheets of Japanese and Chinese settings.
constexpr std::array<std::string_view, 10> formula_beginnings{
    "=", "+", "-", "@", "\t", "\n", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};

bool begins_a_formula(std::string_view text) {
  return std::any_of(formula_beginnings.begin(), formula_beginnings.end(),
                     [text](std::string_view begin) { return text.starts_with(begin); });
}

void append_field(std::string& out, std::string_view raw) {
  if (!out.empty()) out.push_back(',');
  std::string text = text::readable(raw);
  if (begins_a_formula(text)) text.insert(0, "'");
  // What other settings take for the end of a field is no beginning of a formula either.
  for (std::size_t at = text.find_first_of(";\t"); at != std::string::npos;
       at = text.find_first_of(";\t", at + 1)) {
    if (begins_a_formula(std::string_view{text}.substr(at + 1))) text.insert(at + 1, "'");
  }
  if (text.find_first_of(",;\t\"\n\r") == std::string::npos && !text.starts_with(' ') &&
      !text.ends_with(' ')) {
    out.append(text);
    return;
  }
  out.push_back('"');
  for (const char c : text) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

void append_time(std::string& out, const std::optional<ui::time_point>& time) {
  std::string text;
  if (time) ui::append_timestamp(text, *time);
  append_field(out, text);
}

void append_resource(std::string& out, const run_rows& run, const feed::resource_row& resource) {
  std::string line;
  // An empty first field would look like the beginning of a line: the run's id never is empty.
  append_field(line, run.run.id);
  append_field(line, resource.addr);
  const feed::address_parts parts = resource.parts();
  append_field(line, parts.module);
  append_field(line, parts.mode);
  append_field(line, parts.type);
  append_field(line, parts.name);
  append_field(line, parts.index == "null" ? "" : parts.index);
  append_field(line, parts.provider);
  append_field(line, action_text(resource));
  append_field(line, resource.plan.empty() ? "" : resource.plan.front().says->reason);
  append_field(line, resource.drift);
  append_field(line, feed::name(resource.status));
  append_time(line, resource.steps.empty() ? std::nullopt : resource.steps.front().started_at);
  append_time(line, resource.steps.empty() ? std::nullopt : resource.steps.back().ended_at);
  const auto duration = took(resource);
  append_field(line, duration ? seconds_text(*duration) : "");
  append_field(line, resource.id_value());
  const auto errors = diagnostics_of(run, resource, "error");
  append_field(line, errors.empty() ? "" : errors.front()->summary);
  append_field(line, resource.source->said.owner);
  append_field(line, resource.source->said.runbook);
  out.append(line).append("\r\n");
}

}  // namespace

void append_csv_line(std::string& out, const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) append_field(line, field);
  out.append(line).append("\r\n");
}

std::string csv(const std::vector<run_rows>& runs) {
  std::string out =
      "run,address,module,mode,type,name,index,provider,action,reason,drift,status,started_at,"
      "ended_at,seconds,id,error,owner,runbook\r\n";
  for (const run_rows& run : runs) {
    for (const feed::resource_row* resource : run.resources) append_resource(out, run, *resource);
  }
  return out;
}

}  // namespace tofud::exports
