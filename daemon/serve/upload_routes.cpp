#include "daemon/serve/upload_routes.hpp"

#include "daemon/access/secret.hpp"
#include "daemon/cluster/errors.hpp"
#include "daemon/net/limits.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/answers.hpp"
#include "daemon/serve/claim.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/serve/patch_body.hpp"
#include "protocol/events/event.hpp"
#include "protocol/text/sha256.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/upload/answer.hpp"
#include "protocol/upload/create_request.hpp"
#include "protocol/upload/limits.hpp"
#include "protocol/upload/placement.hpp"

#include <memory>
#include <utility>

namespace tofud::serve {
namespace {

/// A token that takes another one's place has its name; who has none may be anybody.
bool is_of_another(const journal::run_header& run, const access::principal& by) {
  const std::string name = access::lasting_name(by);
  return !by.sees(run.stack, run.granted) ||
         (!run.sent_as.empty() && !name.empty() && run.sent_as != name);
}

class uploads {
 public:
  uploads(boost::asio::io_context& io, kept_streams& runs, sender_finder sender,
          std::function<std::string(const std::string&)> page)
      : io_{io}, runs_{runs}, sender_{std::move(sender)}, page_{std::move(page)} {}

  net::task<http::response> create(http::request asked, std::string body) const {
    const std::string sender = sender_(asked);
    const access::principal& by = access::asking(asked);
    if (runs_.is_draining()) co_return restarting();
    const auto wanted = upload::parse_create_request(body);
    if (!wanted) co_return http::problem(400, wanted.error().text());
    // Another request may be making it: then this one finds it made.
    auto making = runs_.made(wanted->upload_id);
    co_await std::move(making);
    auto finding = runs_.find_upload(wanted->upload_id);
    co_await std::move(finding);
    const std::string secret = text::sha256_hex(wanted->upload_secret);
    if (const auto known = runs_.by_upload(wanted->upload_id)) {
      if (!access::same_secret(secret, known->header().secret_hash))
        co_return conflict("conflict", "this upload_id has another upload_secret");
      if (wanted->rules != known->header().rules)
        co_return conflict("conflict", "this upload_id has other redaction rules");
      if (is_of_another(known->header(), by))
        co_return conflict("conflict", "this upload_id belongs to another sender");
      runs_.sent_by(*known, sender);
      known->heard();
      auto asking = runs_.usual_of_stack(known->header().stack, access::asking(asked));
      auto usual = co_await std::move(asking);
      co_return described(*known, 200, std::move(usual));
    }
    if (auto refused = refuse_stack(by, wanted->stack)) co_return std::move(*refused);
    if (runs_.was_removed(wanted->upload_id)) co_return was_removed(wanted->id);
    if (auto full = refuse_for_memory(runs_.why_full())) {
      runs_.count_memory_limit();
      co_return std::move(*full);
    }
    if (auto full = refuse_one_more(runs_.live(), sender, access::lasting_name(by)))
      co_return std::move(*full);
    journal::run_header header;
    header.id = runs_.free_id(wanted->id);
    header.upload_id = wanted->upload_id;
    header.secret_hash = secret;
    header.rules = wanted->rules;
    header.redacted_by = journal::redactor::forwarder;
    header.stack = wanted->stack;
    header.labels = wanted->labels;
    header.sent_as = access::lasting_name(by);
    header.verified = by.verified;
    if (by.within) header.granted = by.within->labels;
    header.command = wanted->command;
    header.may_ask = wanted->may_ask;
    header.parallelism = wanted->parallelism;
    header.started_at = wanted->started_at;
    header.created_at = operations::utc_now();
    auto creating = runs_.create(std::move(header), sender);
    const auto run = co_await std::move(creating);
    if (!run && run.error().is(cluster::error::made_elsewhere))
      co_return not_now(run.error().text());
    if (!run) co_return no_room(nullptr, run.error().text());
    auto asking = runs_.usual_of_stack((*run)->header().stack, access::asking(asked));
    auto usual = co_await std::move(asking);
    co_return described(**run, 201, std::move(usual));
  }

  http::response head(const http::request& asked) const {
    const auto [run, refusal] = claim_of(runs_, asked, sender_);
    if (!run) return refusal;
    run->heard();
    auto answer = acknowledged(*run);
    answer.status = 200;
    answer.headers.push_back({"Cache-Control", "no-store"});
    return answer;
  }

  std::variant<http::response, std::unique_ptr<http::body_taker>> patch(
      const http::request& asked) const {
    if (runs_.is_draining()) return restarting();
    const auto [run, refusal] = claim_of(runs_, asked, sender_);
    if (!run) return refusal;
    const auto offset = text::parse_whole_number<std::uint64_t>(asked.first("upload-offset"));
    if (!offset || asked.count("upload-offset") != 1)
      return http::problem(400, "Upload-Offset is missing or not a number of bytes");
    const auto complete = asked.first("upload-complete");
    if (!complete.empty() && complete != "?1" && complete != "?0")
      return http::problem(400, "Upload-Complete must be ?1 or ?0");
    const auto events = text::parse_whole_number<std::size_t>(asked.first("upload-events"));
    if (!events && asked.count("upload-events") > 0)
      return http::problem(400, "Upload-Events is not a number of events");
    const patch_head head{*offset, complete == "?1", events.value_or(0)};
    return http::taken_by(io_, [run = run, head](std::shared_ptr<http::body> body) {
      return take_patch(run, head, std::move(body));
    });
  }

  net::task<http::response> event(http::request asked, std::string body) const {
    if (runs_.is_draining()) co_return restarting();
    const claim sender = claim_of(runs_, asked, sender_);
    if (!sender.run) co_return sender.refusal;
    const auto n = text::parse_whole_number<std::uint64_t>(asked.captures[1]);
    if (!n || *n == 0) co_return http::problem(400, "events are numbered from 1");
    const auto said = events::parse(body);
    if (!said) co_return http::problem(400, said.error().text());
    if (std::holds_alternative<events::broken>(said->what))
      co_return http::problem(400, "the event broken is reserved for the daemon");
    if (std::holds_alternative<events::attachment>(said->what))
      co_return http::problem(400, "use PUT /v1/runs/ID/attachments/PART for attachments");
    ingested_run& run = *sender.run;
    auto entering = run.alone();
    const auto alone = co_await std::move(entering);
    if (!alone) co_return conflict("busy", "another request is adding to the run", &run);
    journal::kept_event kept{*n, said->offset, journal::as_line(body)};
    if (auto known = answer_to(run, kept)) co_return std::move(*known);
    // Not before what came already: rows are the same whoever makes them, now or from the journal.
    if (kept.offset < run.appended()) {
      kept.offset = run.appended();
      kept.json = events::put_off(kept.json, kept.offset);
    }
    auto storing = run.add_event(kept);
    const text::failure failure = co_await std::move(storing);
    if (!failure.empty()) co_return not_stored(run, failure);
    co_return acknowledged(run);
  }

 private:
  /// `usual`: of the stack that the sender sends.
  http::response described(const ingested_run& run, int status,
                           std::vector<feed::address_usual> usual) const {
    http::response answer;
    answer.status = status;
    answer.body = upload::to_json({run.id(), page_(run.id()), run.kept_bytes(), limits::patch_bytes,
                                   limits::keep_alive, std::move(usual)});
    answer.headers.push_back({"Location", "/v1/runs/" + run.id()});
    return answer;
  }

  /// Nothing: it is the next event, and there is room for it.
  std::optional<http::response> answer_to(ingested_run& run,
                                          const journal::kept_event& said) const {
    if (run.is_removed()) return was_removed(run.id());
    const auto& events = run.events();
    if (said.n <= events.size()) {
      run.heard();
      if (events::is_same(events[said.n - 1].json, said.json)) return acknowledged(run);
      return conflict("event", "event " + std::to_string(said.n) + " is another one", &run);
    }
    if (run.complete()) return conflict("complete", "the stream is complete", &run);
    if (said.n > events.size() + 1) {
      return conflict("order", "event " + std::to_string(events.size() + 1) + " is the next one",
                      &run);
    }
    if (!events.empty() && said.offset < events::sent_offset(events.back().json))
      return conflict("order", "its offset is before that of the event before it", &run);
    if (said.n > limits::events_per_run) {
      runs_.count_events_limit();
      return http::problem(
          413, "a run has at most " + std::to_string(limits::events_per_run) + " events");
    }
    return std::nullopt;
  }

  boost::asio::io_context& io_;
  kept_streams& runs_;
  sender_finder sender_;
  std::function<std::string(const std::string&)> page_;
};

}  // namespace

void add_upload_routes(http::router& routes, boost::asio::io_context& io, kept_streams& runs,
                       sender_finder sender, std::function<std::string(const std::string&)> page) {
  const auto all = std::make_shared<uploads>(io, runs, std::move(sender), std::move(page));
  routes.take_whole("POST", "/v1/runs", limits::described_run_bytes,
                    http::answered_by(io, [all](http::request asked, std::string body) {
                      return all->create(std::move(asked), std::move(body));
                    }));
  routes.answer_now("HEAD", "/v1/runs/*/lines",
                    [all](const http::request& asked) { return all->head(asked); });
  routes.take("PATCH", "/v1/runs/*/lines",
              {limits::patch_bytes, limits::patch_stalled_after, limits::body_time},
              [all](const http::request& asked) { return all->patch(asked); });
  routes.take_whole("PUT", "/v1/runs/*/events/*", limits::described_run_bytes,
                    http::answered_by(io, [all](http::request asked, std::string body) {
                      return all->event(std::move(asked), std::move(body));
                    }));
}

}  // namespace tofud::serve
