#include "daemon/api/attachment_reads.hpp"

#include "daemon/api/limits.hpp"
#include "daemon/files/limits.hpp"
#include "protocol/json/document.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/text/limits.hpp"
#include "protocol/text/whole_number.hpp"

#include <boost/system/result.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud {
namespace {

using boost::system::result;

http::response no_plan(const readable_run& read) {
  return http::problem(
      404, "no plan is attached to " + read.run->state.id() +
               "; `tofud run` attaches the saved plan that it applies, `tofud --plan FILE` and "
               "`tofud replay --plan FILE` what `tofu show -json` wrote");
}

bool has_plan(const readable_run& read) {
  const auto& attached = read.run->stream().attached();
  return attached && attached->has(feed::attachment::plan);
}

result<std::vector<std::string>, std::string> path_of(std::string_view text) {
  const std::string wrong =
      "path= must be a JSON array of keys and indices, such as [\"tags\",\"0\"]";
  json::document_parser parser{json::keep_everything};
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
  const auto from = text::parse_whole_number<std::size_t>(asked.parameter("from").value_or("0"));
  if (!from) return std::string{"from= must be the number of a child, counted from 0"};
  part.from = *from;
  const std::string unchanged = asked.parameter("unchanged").value_or("0");
  if (unchanged != "0" && unchanged != "1")
    return std::string{"unchanged= must be 1 (include what does not change) or 0"};
  part.unchanged = unchanged == "1";
  return part;
}

using answering = std::function<void(http::response)>;

long_reads::drawn draw_diff(const attachments::documents& known, const std::string& addr,
                            const diff::rows_part& part) {
  const auto rows = known.diff(addr, part);
  if (!rows) return rows.error();
  std::string text = "{\"addr\":";
  json::append_quoted(text, addr);
  text.append(",\"rows\":[");
  for (const std::string& row : *rows) {
    if (text.back() != '[') text.push_back(',');
    text.append(row);
  }
  text.append("]}\n");
  return {boost::system::in_place_value, std::move(text)};
}

/// What a drawn part depends on.
std::string key_of(const attachments::documents& known, const std::string& addr,
                   const diff::rows_part& part) {
  std::string key = "diff " + std::to_string(known.version()) + " " + std::to_string(part.from) +
                    (part.unchanged ? " all" : " changed");
  for (const std::string& step : part.path) {
    key.push_back(' ');
    json::append_quoted(key, step);
  }
  return key.append(" of ").append(addr);
}

void one_diff(const readable_run& read, const http::request& asked, const answering& answer,
              long_reads& reads) {
  const auto addr = asked.parameter("addr");
  if (!addr) return answer(http::problem(400, "addr= must be the address of a resource"));
  const auto part = part_of(asked);
  if (!part) return answer(http::problem(400, part.error()));
  if (!has_plan(read)) return answer(no_plan(read));
  const attachments::documents known = *read.run->stream().attached();
  answer_drawn(
      reads, key_of(known, *addr, *part),
      [known, addr = *addr, part = *part] { return draw_diff(known, addr, part); },
      "application/json", answer);
}

void plan_comment(const readable_run& read, const http::request& asked, const answering& answer,
                  long_reads& reads) {
  const auto room = text::parse_whole_number<std::size_t>(
      asked.parameter("room").value_or(std::to_string(limits::markdown_plan_characters)));
  if (!room || *room > limits::markdown_plan_characters) {
    return answer(http::problem(400, "room= must be a number of bytes, " +
                                         std::to_string(limits::markdown_plan_characters) +
                                         " at most"));
  }
  const attachments::documents known = *read.run->stream().attached();
  answer_drawn(
      reads, "md " + std::to_string(known.version()) + " " + std::to_string(*room),
      [known, room = *room]() -> long_reads::drawn {
        std::string text;
        auto wrong = known.add_markdown(text, room);
        if (!wrong.empty()) return wrong;
        return {boost::system::in_place_value, std::move(text)};
      },
      "text/markdown; charset=utf-8", answer);
}

/// Rows of a whole plan on their way to one client: drawn on the thread, a little ahead of what the
/// client takes.
class plan_rows : public std::enable_shared_from_this<plan_rows> {
 public:
  plan_rows(const attachments::documents& known, long_reads& reads)
      : known_{known}, reads_{reads} {}

  bool next(std::string& out) {
    const std::lock_guard lock{mutex_};
    out.append(std::exchange(ready_, {}));
    if (!over_ && !std::exchange(drawing_, true))
      reads_.post([self = shared_from_this()] { self->draw(); });
    return !over_ || !ready_.empty();
  }

 private:
  // On the thread, in pieces: others draw as well.
  void draw() {
    if (!rows_) rows_ = known_.all_rows();
    std::string text;
    const auto began = std::chrono::steady_clock::now();
    const auto until = began + std::chrono::milliseconds{50};
    bool more = true;
    while (more && text.size() < limits::read_bytes && std::chrono::steady_clock::now() < until)
      more = rows_(text);
    spent_ += std::chrono::steady_clock::now() - began;
    if (more && spent_ > limits::drawing_time) {
      more = false;
      text.append(R"({"error":"the plan takes too long to draw; ask for one resource with /diff"})")
          .push_back('\n');
    }
    const std::lock_guard lock{mutex_};
    ready_.append(text);
    over_ = !more;
    drawing_ = false;
  }

  const attachments::documents known_;
  long_reads& reads_;
  std::function<bool(std::string&)> rows_;  // the thread's
  std::chrono::steady_clock::duration spent_{0};
  std::mutex mutex_;
  std::string ready_;
  bool over_ = false, drawing_ = false;
};

void whole_plan(const readable_run& read, const http::request& asked, const answering& answer,
                long_reads& reads) {
  const std::string format = asked.parameter("format").value_or("rows");
  if (format != "rows" && format != "md") {
    return answer(http::problem(
        400, "format= must be rows (one on each line) or md (a comment in Markdown)"));
  }
  if (!has_plan(read)) return answer(no_plan(read));
  if (format == "md") return plan_comment(read, asked, answer, reads);
  auto place = reads.take_place();
  if (!place) return answer(too_many_reads());
  http::response found;
  found.content_type = "application/x-ndjson";
  const auto rows = std::make_shared<plan_rows>(*read.run->stream().attached(), reads);
  found.pause = std::chrono::milliseconds{1};
  found.pieces = [rows, place = std::move(place)](std::string& out) { return rows->next(out); };
  answer(std::move(found));
}

}  // namespace

void add_attachment_reads(http::router& routes, const run_finder& find, long_reads& reads) {
  routes.answer_later(
      "GET", "/v1/runs/*/diff",
      of_run_later(find, [&reads](const auto& run, const auto& asked, const answering& answer) {
        one_diff(run, asked, answer, reads);
      }));
  routes.answer_later(
      "GET", "/v1/runs/*/plan",
      of_run_later(find, [&reads](const auto& run, const auto& asked, const answering& answer) {
        whole_plan(run, asked, answer, reads);
      }));
}

}  // namespace tofud
