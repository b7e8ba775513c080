#include "daemon/attachment_reads.hpp"

#include "protocol/json/document.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/limits.hpp"
#include "protocol/whole_number.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud {
namespace {

using boost::system::result;

json::keep everything(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

http::response no_plan(const readable_run& read) {
  return http::problem(
      404, "no plan is attached to " + read.run->state.id() +
               "; `tofud run` attaches the saved plan that it applies, `tofud --plan FILE` and "
               "`tofud replay --plan FILE` what `tofu show -json` wrote");
}

bool has_plan(const readable_run& read) {
  const auto& attached = read.run->of.attached();
  return attached && attached->has(feed::attachment::plan);
}

result<std::vector<std::string>, std::string> path_of(std::string_view text) {
  const std::string wrong = "path= is a JSON array of keys and indices, such as [\"tags\",\"0\"]";
  json::document_parser parser{everything};
  if (parser.parse(text) || !parser.root().is(json::kind::array)) return wrong;
  std::vector<std::string> path;
  for (const json::value step : parser.root()) {
    const auto key = step.string();
    if (!key) return wrong;
    path.emplace_back(*key);
  }
  return path;
}

result<diff::rows_part, std::string> part_of(const http::request& asked) {
  diff::rows_part part;
  if (const auto text = asked.parameter("path")) {
    auto path = path_of(*text);
    if (!path) return path.error();
    part.path = std::move(*path);
  }
  const auto from = parse_whole_number<std::size_t>(asked.parameter("from").value_or("0"));
  if (!from) return std::string{"from= is the number of a child, counted from 0"};
  part.from = *from;
  const std::string unchanged = asked.parameter("unchanged").value_or("0");
  if (unchanged != "0" && unchanged != "1")
    return std::string{"unchanged= is 1 (what does not change, too) or 0"};
  part.unchanged = unchanged == "1";
  return part;
}

http::response one_diff(const readable_run& read, const http::request& asked) {
  const auto addr = asked.parameter("addr");
  if (!addr) return http::problem(400, "addr= is the address of a resource");
  const auto part = part_of(asked);
  if (!part) return http::problem(400, part.error());
  if (!has_plan(read)) return no_plan(read);
  const auto rows = read.run->of.attached()->diff(*addr, *part);
  if (!rows) return http::problem(500, rows.error());
  http::response found;
  found.body = "{\"addr\":";
  json::append_quoted(found.body, *addr);
  found.body.append(",\"rows\":[");
  for (const std::string& row : *rows) {
    if (found.body.back() != '[') found.body.push_back(',');
    found.body.append(row);
  }
  found.body.append("]}\n");
  return found;
}

http::response plan_comment(const readable_run& read, const http::request& asked) {
  const auto room = parse_whole_number<std::size_t>(
      asked.parameter("room").value_or(std::to_string(limits::markdown_plan_characters)));
  if (!room || *room > limits::markdown_plan_characters)
    return http::problem(400, "room= is a number of bytes, " +
                                  std::to_string(limits::markdown_plan_characters) + " at most");
  http::response found;
  found.content_type = "text/markdown; charset=utf-8";
  const std::string wrong = read.run->of.attached()->add_markdown(found.body, *room);
  return wrong.empty() ? found : http::problem(500, wrong);
}

http::response whole_plan(const readable_run& read, const http::request& asked) {
  const std::string format = asked.parameter("format").value_or("rows");
  if (format != "rows" && format != "md")
    return http::problem(400, "format= is rows (one a line) or md (a comment in Markdown)");
  if (!has_plan(read)) return no_plan(read);
  if (format == "md") return plan_comment(read, asked);
  http::response found;
  found.content_type = "application/x-ndjson";
  // The rows outlive the run: they hold the plan's text themselves.
  found.pieces = read.run->of.attached()->all_rows();
  return found;
}

}  // namespace

void add_attachment_reads(http::router& routes, const run_finder& find) {
  routes.get("/v1/runs/*/diff", of_run(find, one_diff));
  routes.get("/v1/runs/*/plan", of_run(find, whole_plan));
}

}  // namespace tofud
