#include "daemon/api/order_reads.hpp"

#include "protocol/order/blocks.hpp"
#include "protocol/order/build.hpp"
#include "protocol/order/plan_knowledge.hpp"
#include "protocol/order/planned.hpp"

#include <boost/system/result.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tofud {
namespace {

http::response no_order(const readable_run& read) {
  return http::problem(
      404, "neither a plan nor a configuration is attached to " + read.run->state.id() +
               ", so nothing is known of what comes before what; `tofud run` attaches both, "
               "`tofud --plan FILE --config DIR` what you name");
}

long_reads::drawn draw(const attachments::documents& known, order::waiting_by waits) {
  const auto plan = known.plan();
  const auto config = known.config();
  const auto knowledge = known.order();
  const order::facts facts = order::facts_of(config.get(), knowledge.get(), waits);
  std::vector<order::planned_object> planned;
  if (plan)
    planned = order::planned_in(*plan);
  else if (facts.config != nullptr)
    planned = order::blocks_of(*facts.config);
  return {boost::system::in_place_value,
          order::to_json(order::by_blocks(order::build(planned, facts)))};
}

void order_of_run(const readable_run& read, long_reads& reads,
                  const std::function<void(http::response)>& answer) {
  const auto& attached = read.run->stream().attached();
  if (!attached || (!attached->plan() && !attached->config())) return answer(no_order(read));
  const order::waiting_by waits = read.run->state.waits();
  const std::string key = "order " + std::to_string(attached->version()) +
                          (waits == order::waiting_by::block ? " block" : " instance");
  const auto work = [known = attachments::documents{*attached}, waits] {
    return draw(known, waits);
  };
  answer_drawn(reads, key, work, "application/json", answer);
}

}  // namespace

void add_order_reads(http::router& routes, const run_finder& find, long_reads& reads) {
  routes.answer_later(
      "GET", "/v1/runs/*/order",
      of_run_later(find, [&reads](const readable_run& run, const http::request&,
                                  const std::function<void(http::response)>& answer) {
        order_of_run(run, reads, answer);
      }));
}

}  // namespace tofud
