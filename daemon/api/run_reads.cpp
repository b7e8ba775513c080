#include "daemon/api/run_reads.hpp"

#include "daemon/api/attachment_reads.hpp"
#include "daemon/api/export_reads.hpp"
#include "daemon/api/moment_reads.hpp"
#include "daemon/api/order_reads.hpp"
#include "daemon/pipeline/line_history.hpp"
#include "daemon/pipeline/line_search.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/text/whole_number.hpp"

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

/// Lines, or the row of that kind and key in full.
http::response found_again(const readable_run& read, const pipeline::line_query& query,
                           long_reads& reads,
                           const std::optional<std::pair<feed::row_kind, std::string>>& row = {}) {
  const auto& fold = read.run->stream().fold();
  http::response found = found_in_turns(
      [identity = fold.runs().front().identity(), query, bytes = read.bytes,
       attached = fold.attached(), row]() mutable {
        identity.cuts_texts = !row;
        auto begun = std::make_unique<pipeline::line_history>(identity, query, bytes, attached);
        if (row) begun->look_for(row->first, row->second);
        return begun;
      },
      read.keeps, reads);
  if (found.status == 200) found.content_type = "application/x-ndjson";
  return found;
}

http::response one_row(const readable_run& read, const http::request& asked, long_reads& reads) {
  const pipeline::run* run = read.run;
  const auto kind = feed::parse_row_kind(asked.parameter("kind").value_or(""));
  const auto key = asked.parameter("key");
  if (!kind || !key) return http::problem(400, "kind= and key= of the row are missing");
  http::response found;
  if (*kind == feed::row_kind::run) {
    feed::encode(found.body, run->view(), 0);
  } else if (*kind == feed::row_kind::log || *kind == feed::row_kind::text) {
    pipeline::line_query query;
    query.run = run->state.id();
    query.wanted.kinds.set(static_cast<std::size_t>(*kind));
    query.key = *key;
    query.upto_offset = run->stream().fold().offset();
    return found_again(read, query, reads);
  } else if (const auto number = run->state.find(*kind, *key);
             number && run->state.bytes_cut(*number) > 0) {
    pipeline::line_query query;
    query.run = run->state.id();
    query.upto_offset = run->stream().fold().offset();
    return found_again(read, query, reads, std::pair{*kind, *key});
  } else if (number) {
    run->state.encode(found.body, *number, run->state.seq(*number), feed::cut::no);
  } else {
    return http::problem(404, "no row has that kind and key in " + run->state.id());
  }
  found.body.push_back('\n');
  return found;
}

http::response lines(const readable_run& read, const http::request& asked, long_reads& reads) {
  const auto from = text::parse_whole_number<feed::sequence>(asked.parameter("from").value_or("0"));
  if (!from) return http::problem(400, "from= must be a sequence number");
  pipeline::line_query query;
  query.run = read.run->state.id();
  query.from = *from;
  query.upto_offset = read.run->stream().fold().offset();
  query.wanted.kinds.set(static_cast<std::size_t>(feed::row_kind::log));
  if (const auto addr = asked.parameter("addr"))
    query.wanted.addr.push_back(*addr);
  else
    query.wanted.kinds.set(static_cast<std::size_t>(feed::row_kind::text));
  return found_again(read, query, reads);
}

}  // namespace

http::response found_in_turns(std::function<std::unique_ptr<pipeline::stream_search>()> begin,
                              std::shared_ptr<const void> keeps, long_reads& reads) {
  auto place = reads.take_place();
  if (!place) return too_many_reads();
  const auto search = std::make_shared<pipeline::line_search>(
      std::move(begin), [&reads] { return reads.take_turn(); });
  http::response found;
  found.pause = pipeline::line_search::again;
  found.pieces = [search, keeps = std::move(keeps), place = std::move(place)](std::string& out) {
    return search->next(out);
  };
  return found;
}

http::router::answer of_run(
    const run_finder& find,
    std::function<http::response(const readable_run&, const http::request&)> read) {
  return [find, read = std::move(read)](const http::request& asked) {
    const auto run = find(asked.captures.front(), access::asking(asked));
    if (run) return read(*run, asked);
    return http::problem(404, "no run " + asked.captures.front() + "; /v1/runs lists them");
  };
}

http::router::later of_run_later(const run_finder& find,
                                 std::function<void(const readable_run&, const http::request&,
                                                    const std::function<void(http::response)>&)>
                                     read) {
  return [find, read = std::move(read)](const http::request& asked,
                                        const std::function<void(http::response)>& answer) {
    const auto run = find(asked.captures.front(), access::asking(asked));
    if (run) return read(*run, asked, answer);
    answer(http::problem(404, "no run " + asked.captures.front() + "; /v1/runs lists them"));
  };
}

void add_run_reads(http::router& routes, const run_finder& find, long_reads& reads,
                   const past_estimate_maker& expected) {
  routes.get("/v1/runs/*",
             of_run(find, [&reads, expected](const readable_run& run, const http::request& asked) {
               const auto at = asked.parameter("at");
               return at ? document_at(run, *at, reads, expected) : run_document(run);
             }));
  routes.get("/v1/runs/*/row",
             of_run(find, [&reads](const readable_run& run, const http::request& asked) {
               return one_row(run, asked, reads);
             }));
  routes.get("/v1/runs/*/log",
             of_run(find, [&reads](const readable_run& run, const http::request& asked) {
               return lines(run, asked, reads);
             }));
  add_attachment_reads(routes, find, reads);
  add_order_reads(routes, find, reads);
  add_export_reads(routes, find, reads);
}

}  // namespace tofud
