#include "daemon/serve/attachment_routes.hpp"

#include "daemon/attachments/files.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/cluster/errors.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/http/coroutine.hpp"
#include "daemon/http/limits.hpp"
#include "daemon/http/message/limits.hpp"
#include "daemon/net/limits.hpp"
#include "daemon/net/worker_thread.hpp"
#include "daemon/operations/held_memory.hpp"
#include "daemon/serve/answers.hpp"
#include "daemon/serve/claim.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/serve/sent_attachment.hpp"
#include "protocol/events/event.hpp"
#include "protocol/text/sha256.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/upload/limits.hpp"

#include <memory>
#include <utility>

namespace tofud::serve {
namespace {

namespace asio = boost::asio;

/// One request, from its head to its answer.
struct attempt {
  std::shared_ptr<ingested_run> run;
  feed::attachment part = feed::attachment::plan;
  std::optional<std::uint64_t> n, offset;
  std::string body, sha256;
  std::shared_ptr<operations::held_memory> held;  // of `body`
  std::shared_ptr<const void> place;              // among limits::attachments_waiting
  std::uint64_t number() const { return n.value_or(run->events().size() + 1); }
};

http::response attached(const ingested_run& run, std::uint64_t n) {
  auto answer = acknowledged(run);
  answer.headers.push_back({"Upload-Event", std::to_string(n)});
  return answer;
}

http::response too_many() {
  auto busy = http::problem(503, "too many attachments are being processed; try again later");
  busy.headers.push_back({"Retry-After", std::to_string(limits::retry_after.count())});
  return busy;
}

/// Number of the event that says that `part` is attached; 0: it is not.
std::size_t event_of(const ingested_run& run, feed::attachment part) {
  const auto& events = run.parsed_events();
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto* attached = std::get_if<events::attachment>(&events[i].what);
    if (attached != nullptr && attached->part == part) return i + 1;
  }
  return 0;
}

/// What the thread does: masks, redacts, writes beside its place.
struct reading {
  const journal::run_log& log;
  std::string run;
  feed::attachment part;
  std::string body;
  std::shared_ptr<const redact::ready_rules> rules;
  std::shared_ptr<const schema::schemas> own;
  bool has_plan = false, has_schemas = false;

  made_attachment done() const {
    try {
      return write();
    } catch (const std::exception& e) {
      return {{}, {500, std::string{"internal error in tofud: "} + e.what()}};
    }
  }

 private:
  std::string kept(const std::string& name, std::size_t most) const {
    return text::or_empty(files::read_document(log.attachment_path(run, name), most));
  }

  made_attachment write() const {
    const std::string plan_file = attachments::file_name(feed::attachment::plan);
    beside_attachment beside;
    beside.own = own;
    if (part == feed::attachment::schemas && has_plan)
      beside.plan = kept(plan_file, limits::attached_plan_bytes);
    if (part == feed::attachment::plan && has_schemas)
      beside.schemas =
          kept(attachments::file_name(feed::attachment::schemas), limits::attached_schemas_bytes);
    made_attachment made = make_attachment(part, body, beside, rules);
    std::erase_if(made.files, [&](const auto& file) {
      return file.first == plan_file && file.second == beside.plan;
    });
    for (auto& [name, text] : made.files) {
      const text::failure failure = log.write_attachment(run, name, text);
      if (!failure.empty()) return {{}, {507, failure.text()}};
      text = {};
    }
    return made;
  }
};

class attachment_upload : public std::enable_shared_from_this<attachment_upload> {
 public:
  attachment_upload(asio::io_context& io, kept_streams& runs, journal::run_log& log,
                    net::worker_thread& thread, const redact::rules& rules,
                    const std::shared_ptr<const schema::schemas>& own_schemas, sender_finder sender)
      : io_{io},
        thread_{thread},
        runs_{runs},
        log_{log},
        rules_{rules},
        own_schemas_{own_schemas},
        sender_{std::move(sender)} {}

  std::variant<http::response, std::unique_ptr<http::body_taker>> open(const http::request& asked);

 private:
  net::task<http::response> take(attempt wanted, std::shared_ptr<http::body> body);
  net::task<http::response> keep(attempt& whole);
  net::task<made_attachment> read(attempt& whole);
  std::optional<http::response> refusal(const attempt& of) const;
  std::optional<http::response> repeated(const attempt& of) const;
  std::shared_ptr<const redact::ready_rules> rules_for(const ingested_run& run) const;

  asio::io_context& io_;
  net::worker_thread& thread_;
  kept_streams& runs_;
  journal::run_log& log_;
  const redact::rules& rules_;
  const std::shared_ptr<const schema::schemas>& own_schemas_;
  sender_finder sender_;
  std::shared_ptr<const int> places_ = std::make_shared<const int>();  // its users are counted
};

std::variant<http::response, std::unique_ptr<http::body_taker>> attachment_upload::open(
    const http::request& asked) {
  if (runs_.is_draining()) return restarting();
  auto [run, refused] = claim_of(runs_, asked, sender_, without_secret::allowed);
  if (!run) return refused;
  const auto part = feed::parse_attachment(asked.captures[1]);
  if (!part) return http::problem(404, "attachments are plan, schemas and config");
  attempt wanted;
  wanted.run = std::move(run);
  wanted.part = *part;
  for (const auto& [name, to] :
       {std::pair{"event", &wanted.n}, std::pair{"offset", &wanted.offset}}) {
    const auto text = asked.parameter(name);
    if (!text) continue;
    *to = text::parse_whole_number<std::uint64_t>(*text);
    if (!*to) return http::problem(400, std::string{name} + "= is not a number");
  }
  if (wanted.n == 0) return http::problem(400, "events are numbered from 1");
  if (wanted.n.has_value() != wanted.offset.has_value())
    return http::problem(400, "event= and offset= must be given together");
  // Before the body: it may be large.
  if (static_cast<std::size_t>(places_.use_count()) > limits::attachments_waiting) {
    runs_.count_attachments_limit();
    return too_many();
  }
  if (auto full = refuse_for_memory(runs_.why_full())) {
    runs_.count_memory_limit();
    return std::move(*full);
  }
  wanted.place = places_;
  return http::taken_by(io_, [self = shared_from_this(), wanted](std::shared_ptr<http::body> body) {
    return self->take(wanted, std::move(body));
  });
}

/// Reads the body, then waits while another request adds to the run.
net::task<http::response> attachment_upload::take(attempt wanted,
                                                  std::shared_ptr<http::body> body) {
  const auto self = shared_from_this();
  text::sha256_sum sum;
  std::string piece;
  wanted.held = std::make_shared<operations::held_memory>(operations::memory_for::bodies);
  for (;;) {
    auto reading = body->next(piece);
    const auto came = co_await std::move(reading);
    if (came == http::body::came::broken) co_return http::response{};
    if (came == http::body::came::end) break;
    wanted.run->heard();  // no bytes of the stream come meanwhile
    sum.add(piece);
    wanted.body += piece;
    wanted.held->hold(wanted.body.capacity());
  }
  wanted.sha256 = sum.hex().value_or("");
  auto entering = wanted.run->alone();
  const auto alone = co_await std::move(entering);
  if (!alone) co_return conflict("busy", "another request is adding to the run", wanted.run.get());
  if (auto wrong = refusal(wanted)) co_return std::move(*wrong);
  auto keeping = keep(wanted);
  co_return co_await std::move(keeping);
}

/// The answer to what came before: the same again is as good as the first time.
std::optional<http::response> attachment_upload::repeated(const attempt& of) const {
  const ingested_run& run = *of.run;
  const auto& events = run.parsed_events();
  const std::size_t before = event_of(run, of.part);
  const bool same =
      before > 0 && std::get<events::attachment>(events[before - 1].what).sha256 == of.sha256;
  if (of.n && *of.n <= events.size()) {
    if (same && before == *of.n) return attached(run, before);
    return conflict("event", "event " + std::to_string(*of.n) + " is another one", &run);
  }
  if (before == 0) return std::nullopt;
  if (same) return attached(run, before);
  return conflict("attached",
                  "another " + std::string{feed::name(of.part)} + " is attached to the run", &run);
}

std::optional<http::response> attachment_upload::refusal(const attempt& of) const {
  const ingested_run& run = *of.run;
  if (run.is_removed()) return was_removed(run.id());
  of.run->heard();
  if (auto answer = repeated(of)) return answer;
  if (run.complete()) return conflict("complete", "the stream is complete", &run);
  const auto& events = run.events();
  if (of.number() > events.size() + 1) {
    return conflict("order", "event " + std::to_string(events.size() + 1) + " is the next one",
                    &run);
  }
  if (of.offset && !events.empty() && *of.offset < events.back().offset)
    return conflict("order", "its offset is before that of the event before it", &run);
  if (of.number() > limits::events_per_run) {
    runs_.count_events_limit();
    return http::problem(413,
                         "a run has at most " + std::to_string(limits::events_per_run) + " events");
  }
  return std::nullopt;
}

/// What a forwarder sends is redacted by rules of its own.
std::shared_ptr<const redact::ready_rules> attachment_upload::rules_for(
    const ingested_run& run) const {
  if (run.header().redacted_by == journal::redactor::forwarder) return nullptr;
  return std::make_shared<const redact::ready_rules>(rules_);
}

/// On the thread: the loop goes on meanwhile.
net::task<made_attachment> attachment_upload::read(attempt& whole) {
  const auto shared = std::make_shared<const reading>(
      reading{log_, whole.run->id(), whole.part, std::move(whole.body), rules_for(*whole.run),
              own_schemas_, event_of(*whole.run, feed::attachment::plan) > 0,
              event_of(*whole.run, feed::attachment::schemas) > 0});
  return thread_.result_of<made_attachment>([shared] { return shared->done(); });
}

net::task<http::response> attachment_upload::keep(attempt& whole) {
  ingested_run& run = *whole.run;
  auto making = read(whole);
  const made_attachment made = co_await std::move(making);
  std::optional<http::response> wrong;
  if (made.wrong.status == 507) wrong = no_room(&run, made.wrong.sentence);
  if (made.wrong.status == 409) co_return conflict("plan_first", made.wrong.sentence, &run);
  if (!wrong && !made.wrong.sentence.empty())
    co_return http::problem(made.wrong.status, made.wrong.sentence);
  if (!wrong) wrong = refusal(whole);  // a stream's end does not wait for others
  if (wrong) {
    // Not before what was written is gone: the next one writes there, too.
    auto clearing = log_.clear_attachments(run.id());
    co_await std::move(clearing);
    co_return std::move(*wrong);
  }
  std::vector<std::string> names;
  for (const auto& [name, text] : made.files) names.push_back(name);
  auto keeping = log_.keep_attachments(run.id(), std::move(names));
  text::failure failure = co_await std::move(keeping);
  if (!failure.empty()) co_return not_stored(run, failure);
  // The rows get it in one turn of the loop, which is not to read a large plan.
  std::vector<feed::attachment> parts{whole.part};
  if (whole.part == feed::attachment::schemas) parts.push_back(feed::attachment::plan);
  auto reading = run.read_parts(std::move(parts));
  co_await std::move(reading);
  if (whole.part == feed::attachment::schemas) run.plan_was_replaced();
  if (auto late = refusal(whole)) co_return std::move(*late);
  // Not before what came already: rows are the same whoever makes them, now or from the journal.
  const std::uint64_t offset = std::max(whole.offset.value_or(0), run.appended());
  const std::uint64_t n = whole.number();
  const events::attachment said{whole.part, whole.sha256, 0, 0};
  auto storing = run.add_event({n, offset, events::text_of({offset, said})});
  failure = co_await std::move(storing);
  if (!failure.empty()) co_return not_stored(run, failure);
  co_return attached(run, n);
}

}  // namespace

void add_attachment_routes(http::router& routes, asio::io_context& io, kept_streams& runs,
                           journal::run_log& log, const redact::rules& rules,
                           const std::shared_ptr<const schema::schemas>& own_schemas,
                           sender_finder sender) {
  // Ends with the route: requests that were cut off may be there longer than the store.
  const auto thread = std::make_shared<net::worker_thread>(io);
  const auto all = std::make_shared<attachment_upload>(io, runs, log, *thread, rules, own_schemas,
                                                       std::move(sender));
  routes.take("PUT", "/v1/runs/*/attachments/*",
              {limits::attachment_body_bytes, limits::body_stalled_after, limits::body_time},
              [all, thread](const http::request& asked) { return all->open(asked); });
}

}  // namespace tofud::serve
