#include "daemon/history/told_operations.hpp"

#include "daemon/history/errors.hpp"
#include "protocol/json/members.hpp"

#include <boost/json.hpp>

#include <array>
#include <charconv>
#include <utility>

namespace tofud::history {
namespace {

namespace js = boost::json;

std::string text_of(ui::time_point at) {
  std::string text;
  ui::append_timestamp(text, at);
  return text;
}

/// Boost.JSON reads some doubles a bit beside what was written; a text stays what it is.
std::string exact(double number) {
  std::array<char, 32> room{};
  const auto written = std::to_chars(room.data(), room.data() + room.size(), number);
  return {room.data(), written.ptr};
}

bool read_exact(const js::value& from, double& to) {
  if (!from.is_string()) return false;
  const std::string_view text{from.get_string()};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), to);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

js::object header_of(const remembered_run& run) {
  js::array said;
  for (const said_estimate& each : run.said)
    said.push_back(js::array{each.at, exact(each.p50), exact(each.p80), exact(each.left)});
  js::object made{{"id", run.id},           {"stack", run.stack},     {"command", run.command},
                  {"status", run.status},   {"commit", run.commit},   {"actor", run.actor},
                  {"granted", run.granted}, {"said", std::move(said)}};
  if (run.started_at) made["started_at"] = text_of(*run.started_at);
  return made;
}

js::array row_of(const operation& one) {
  return {one.addr,  one.type,   one.provider,       one.provider_version,   one.action,
          one.phase, one.status, exact(one.seconds), text_of(one.started_at)};
}

remembered_run run_in(const js::object& from) {
  remembered_run run;
  run.id = json::text_at(from, "id");
  run.stack = json::text_at(from, "stack");
  run.command = json::text_at(from, "command");
  run.status = json::text_at(from, "status");
  run.commit = json::text_at(from, "commit");
  run.actor = json::text_at(from, "actor");
  run.granted = json::text_at(from, "granted");
  run.started_at = ui::parse_timestamp(json::text_at(from, "started_at"));
  const js::value* said = from.if_contains("said");
  if (said == nullptr || !said->is_array()) return run;
  for (const js::value& each : said->get_array()) {
    const js::array* of = each.if_array();
    if (of == nullptr || of->size() != 4) continue;
    js::error_code failed;
    said_estimate one;
    one.at = of->at(0).to_number<std::uint8_t>(failed);
    if (!failed && read_exact(of->at(1), one.p50) && read_exact(of->at(2), one.p80) &&
        read_exact(of->at(3), one.left))
      run.said.push_back(one);
  }
  return run;
}

bool read_row(const js::value& from, operation& one) {
  const js::array* of = from.if_array();
  if (of == nullptr || of->size() != 9 || !read_exact(of->at(7), one.seconds)) return false;
  std::string* texts[] = {&one.addr,   &one.type,  &one.provider, &one.provider_version,
                          &one.action, &one.phase, &one.status};
  for (std::size_t i = 0; i < std::size(texts); ++i) {
    if (!of->at(i).is_string()) return false;
    *texts[i] = of->at(i).get_string();
  }
  const auto at = of->at(8).is_string()
                      ? ui::parse_timestamp(std::string_view{of->at(8).get_string()})
                      : std::nullopt;
  if (!at) return false;
  one.started_at = *at;
  return true;
}

}  // namespace

std::vector<std::string> to_texts(const std::vector<run_operations>& all, std::size_t most) {
  std::vector<std::string> texts;
  for (const run_operations& each : all) {
    const std::string head = js::serialize(header_of(each.run));
    std::string rows;
    const auto finish = [&] {
      std::string text{"{\"v\":1,\"run\":"};
      text.append(head).append(",\"did\":[").append(rows).append("]}");
      texts.push_back(std::move(text));
      rows.clear();
    };
    for (const operation& one : each.operations) {
      const std::string row = js::serialize(row_of(one));
      if (!rows.empty() && head.size() + rows.size() + row.size() > most) finish();
      if (!rows.empty()) rows += ',';
      rows += row;
    }
    finish();
  }
  return texts;
}

text::failure add_text(std::vector<run_operations>& to, std::string_view text) {
  const auto from = json::object_in(text);
  const js::value* head = from ? from->if_contains("run") : nullptr;
  const js::value* did = from ? from->if_contains("did") : nullptr;
  if (head == nullptr || did == nullptr || !head->is_object() || !did->is_array() ||
      json::count_at(*from, "v") != 1)
    return text::failure{error::not_told};
  auto run = run_in(head->get_object());
  if (to.empty() || to.back().run.id != run.id) to.push_back({std::move(run), {}});
  for (const js::value& each : did->get_array()) {
    operation one;
    if (!read_row(each, one)) return text::failure{error::not_told};
    to.back().operations.push_back(std::move(one));
  }
  return {};
}

}  // namespace tofud::history
