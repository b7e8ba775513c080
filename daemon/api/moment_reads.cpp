#include "daemon/api/moment_reads.hpp"

#include "daemon/pipeline/line_search.hpp"
#include "protocol/ui/moment.hpp"

#include <memory>
#include <utility>

namespace tofud {
namespace {

http::response told_at(const readable_run& read, const std::string& at, long_reads& reads,
                       const past_estimate_maker& expected, pipeline::past_form as) {
  const auto when = ui::parse_moment(at);
  if (!when)
    return http::problem(400,
                         "at= takes seconds since the first message, such as 72.5, or a time "
                         "such as 2026-11-21T03:12:05Z");
  const auto& fold = read.run->stream().fold();
  return found_in_turns(
      [of = pipeline::rows_at::stream{fold.runs().front().identity(), read.bytes, fold.offset(),
                                      fold.attached()},
       run = read.run->state.id(), when = *when, as = std::move(as),
       expected = expected ? expected(read.run->state.id()) : pipeline::past_estimate{}] {
        return std::make_unique<pipeline::rows_at>(of, run, when, as, expected);
      },
      read.keeps, reads);
}

}  // namespace

http::response document_at(const readable_run& read, const std::string& at, long_reads& reads,
                           const past_estimate_maker& expected) {
  return told_at(read, at, reads, expected, pipeline::past_document{});
}

http::response lines_at(const readable_run& read, fanout::admission admitted, const std::string& at,
                        long_reads& reads, const past_estimate_maker& expected) {
  if (admitted.wanted.wants(feed::row_kind::log) || admitted.wanted.wants(feed::row_kind::text))
    return http::problem(400, "with at= there are rows alone; lines of output are in /v1/runs/" +
                                  read.run->state.id() + "/log");
  http::response found =
      told_at(read, at, reads, expected,
              pipeline::past_lines{admitted.greeting.front(), std::move(admitted.wanted)});
  if (found.status == 200) found.content_type = "application/x-ndjson";
  return found;
}

}  // namespace tofud
