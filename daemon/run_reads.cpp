#include "daemon/run_reads.hpp"

#include "daemon/attachment_reads.hpp"
#include "daemon/export_reads.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/whole_number.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace tofud {
namespace {

constexpr feed::row_number rows_per_piece = 256;

http::response run_document(const readable_run& read) {
  const pipeline::run* run = read.run;
  http::response document;
  std::string head = "{\"run\":";
  feed::encode(head, run->view(), 0);
  head.append(",\"rows\":[");
  // Rows that come while it is sent are not in it: they may come faster than it goes.
  document.pieces =
      [run, keeps = read.keeps, head = std::move(head), next = feed::row_number{0},
       rows = static_cast<feed::row_number>(run->state.rows())](std::string& out) mutable {
        if (next > rows) return false;
        if (next == 0) out.append(head);
        const auto end = std::min(next + rows_per_piece, rows);
        for (; next < end; ++next) {
          if (next > 0) out.push_back(',');
          run->state.encode(out, next, run->state.seq(next), feed::cut::no);
        }
        if (next == rows) {
          out.append("]}\n");
          ++next;
        }
        return true;
      };
  return document;
}

http::response found_lines(const readable_run& read, const line_query& query) {
  const auto& fold = read.run->of.fold();
  auto search = std::make_shared<old_lines>(fold.runs().front().identity(), query, read.bytes,
                                            fold.attached());
  http::response found;
  found.content_type = "application/x-ndjson";
  found.pieces = [search, keeps = read.keeps](std::string& out) { return search->next(out); };
  return found;
}

http::response one_row(const readable_run& read, const http::request& asked) {
  const pipeline::run* run = read.run;
  const auto kind = feed::parse_row_kind(asked.parameter("kind").value_or(""));
  const auto key = asked.parameter("key");
  if (!kind || !key) return http::problem(400, "give kind= and key= of the row");
  http::response found;
  if (*kind == feed::row_kind::run) {
    feed::encode(found.body, run->view(), 0);
  } else if (*kind == feed::row_kind::log || *kind == feed::row_kind::text) {
    line_query query;
    query.run = run->state.id();
    query.wanted.kinds.set(static_cast<std::size_t>(*kind));
    query.key = *key;
    query.upto_offset = run->of.fold().offset();
    return found_lines(read, query);
  } else if (const auto number = run->state.find(*kind, *key)) {
    run->state.encode(found.body, *number, run->state.seq(*number), feed::cut::no);
  } else {
    return http::problem(404, "no row of that kind and key in " + run->state.id());
  }
  found.body.push_back('\n');
  return found;
}

http::response lines(const readable_run& read, const http::request& asked) {
  const auto from = parse_whole_number<feed::sequence>(asked.parameter("from").value_or("0"));
  if (!from) return http::problem(400, "from= is a sequence number");
  line_query query;
  query.run = read.run->state.id();
  query.from = *from;
  query.upto_offset = read.run->of.fold().offset();
  query.wanted.kinds.set(static_cast<std::size_t>(feed::row_kind::log));
  if (const auto addr = asked.parameter("addr"))
    query.wanted.addr.push_back(*addr);
  else
    query.wanted.kinds.set(static_cast<std::size_t>(feed::row_kind::text));
  return found_lines(read, query);
}

}  // namespace

http::router::answer of_run(
    const run_finder& find,
    std::function<http::response(const readable_run&, const http::request&)> read) {
  return [find, read = std::move(read)](const http::request& asked) {
    const auto run = find(asked.captures.front());
    if (run) return read(*run, asked);
    return http::problem(404, "no run " + asked.captures.front() + "; /v1/runs lists them");
  };
}

void add_run_reads(http::router& routes, const run_finder& find) {
  routes.get("/v1/runs/*", of_run(find, [](const readable_run& run, const http::request&) {
               return run_document(run);
             }));
  routes.get("/v1/runs/*/row", of_run(find, one_row));
  routes.get("/v1/runs/*/log", of_run(find, lines));
  add_attachment_reads(routes, find);
  add_export_reads(routes, find);
}

}  // namespace tofud
