#include "daemon/serve/attachment_routes.hpp"

#include "daemon/attachments/files.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/http/limits.hpp"
#include "daemon/http/message/limits.hpp"
#include "daemon/net/limits.hpp"
#include "daemon/serve/answers.hpp"
#include "daemon/serve/claim.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/serve/sent_attachment.hpp"
#include "protocol/events/event.hpp"
#include "protocol/text/sha256.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/upload/limits.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <csignal>
#include <memory>
#include <pthread.h>
#include <utility>

namespace tofud::serve {
namespace {

namespace asio = boost::asio;
using answering = std::function<void(http::response)>;

/// One thread, which starts with the first document. Signals are the loop's.
class reading_thread {
 public:
  ~reading_thread() {
    if (!pool_) return;
    pool_->stop();  // nobody waits any more for what has not begun
    pool_->join();
  }
  reading_thread() = default;
  reading_thread(const reading_thread&) = delete;
  reading_thread& operator=(const reading_thread&) = delete;

  template <class Work>
  void post(Work work) {
    if (!pool_) start();
    asio::post(*pool_, std::move(work));
  }

 private:
  void start() {
    sigset_t all{};
    sigset_t before{};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pool_ = std::make_unique<asio::thread_pool>(1);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  std::unique_ptr<asio::thread_pool> pool_;
};

/// One request, from its head to its answer.
struct attempt {
  std::shared_ptr<ingested_run> run;
  feed::attachment part = feed::attachment::plan;
  std::optional<std::uint64_t> n, offset;
  std::string body, sha256;
  std::shared_ptr<const void> place;  // among limits::attachments_waiting
  bool alone = false;

  attempt() = default;
  ~attempt() {
    if (alone) run->leave();
  }
  attempt(const attempt&) = delete;
  attempt& operator=(const attempt&) = delete;

  std::uint64_t number() const { return n.value_or(run->events().size() + 1); }
};
using shared_attempt = std::shared_ptr<attempt>;

http::response attached(const ingested_run& run, std::uint64_t n) {
  auto answer = acknowledged(run);
  answer.headers.push_back({"Upload-Event", std::to_string(n)});
  return answer;
}

http::response too_many() {
  auto busy = http::problem(503, "as many documents are being read as may wait; come again");
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
  const journal::store& store;
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
      return {{}, {500, std::string{"a fault of tofud: "} + e.what()}};
    }
  }

 private:
  std::string kept(const std::string& name, std::size_t most) const {
    return files::read_document(store.attachment_path(run, name), most).text;
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
      const std::string failure = store.write_attachment(run, name, text);
      if (!failure.empty()) return {{}, {507, failure}};
      text = {};
    }
    return made;
  }
};

class attaching : public std::enable_shared_from_this<attaching> {
 public:
  attaching(asio::io_context& io, run_registry& runs, journal::store& store, reading_thread& thread,
            const redact::rules& rules, const std::shared_ptr<const schema::schemas>& own_schemas,
            sender_finder sender)
      : io_{io},
        thread_{thread},
        runs_{runs},
        store_{store},
        rules_{rules},
        own_schemas_{own_schemas},
        sender_{std::move(sender)} {}

  std::variant<http::response, std::unique_ptr<http::body_taker>> open(const http::request& asked);
  void take(const shared_attempt& whole, const answering& answer);

 private:
  std::optional<http::response> refusal(const attempt& of) const;
  std::optional<http::response> repeated(const attempt& of) const;
  void read(const shared_attempt& whole, const answering& answer);
  void keep(const shared_attempt& whole, const made_attachment& made, const answering& answer);
  void give_up(const shared_attempt& whole, http::response with, const answering& answer);
  void add_event(const shared_attempt& whole, const answering& answer);
  std::shared_ptr<const redact::ready_rules> rules_for(const ingested_run& run) const;

  asio::io_context& io_;
  reading_thread& thread_;
  run_registry& runs_;
  journal::store& store_;
  const redact::rules& rules_;
  const std::shared_ptr<const schema::schemas>& own_schemas_;
  sender_finder sender_;
  std::shared_ptr<const int> places_ = std::make_shared<const int>();  // its users are counted
};

class attachment_body : public http::body_taker {
 public:
  attachment_body(std::shared_ptr<attaching> to, shared_attempt taken)
      : to_{std::move(to)}, attempt_{std::move(taken)} {}

  void take(std::string bytes, std::function<void(std::optional<http::response>)> next) override {
    attempt_->run->heard();  // no bytes of the stream come meanwhile
    sum_.add(bytes);
    attempt_->body.append(bytes);
    next(std::nullopt);
  }
  void end(answering answer) override {
    attempt_->sha256 = sum_.hex().value_or("");
    to_->take(attempt_, answer);
  }

 private:
  std::shared_ptr<attaching> to_;
  shared_attempt attempt_;
  text::sha256_sum sum_;
};

std::variant<http::response, std::unique_ptr<http::body_taker>> attaching::open(
    const http::request& asked) {
  if (runs_.is_draining()) return restarting();
  auto [run, refused] = claim_of(runs_, asked, sender_, without_secret::allowed);
  if (!run) return refused;
  const auto part = feed::parse_attachment(asked.captures[1]);
  if (!part) return http::problem(404, "attachments are plan, schemas and config");
  auto wanted = std::make_shared<attempt>();
  wanted->run = std::move(run);
  wanted->part = *part;
  for (const auto& [name, to] :
       {std::pair{"event", &wanted->n}, std::pair{"offset", &wanted->offset}}) {
    const auto text = asked.parameter(name);
    if (!text) continue;
    *to = text::parse_whole_number<std::uint64_t>(*text);
    if (!*to) return http::problem(400, std::string{name} + "= is no number");
  }
  if (wanted->n == 0) return http::problem(400, "events are numbered from 1 on");
  if (wanted->n.has_value() != wanted->offset.has_value())
    return http::problem(400, "event= and offset= go together");
  // Before the body: it may be large.
  if (static_cast<std::size_t>(places_.use_count()) > limits::attachments_waiting) {
    runs_.count_attachments_limit();
    return too_many();
  }
  wanted->place = places_;
  return std::make_unique<attachment_body>(shared_from_this(), std::move(wanted));
}

/// While one request adds to a run, others wait.
void attaching::take(const shared_attempt& whole, const answering& answer) {
  whole->run->enter([self = shared_from_this(), whole, answer](bool alone) {
    whole->alone = alone;
    if (!alone)
      return answer(conflict("busy", "another request adds to the run", whole->run.get()));
    if (auto wrong = self->refusal(*whole)) return answer(std::move(*wrong));
    self->read(whole, answer);
  });
}

/// The answer to what came before: the same again is as good as the first time.
std::optional<http::response> attaching::repeated(const attempt& of) const {
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

std::optional<http::response> attaching::refusal(const attempt& of) const {
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
std::shared_ptr<const redact::ready_rules> attaching::rules_for(const ingested_run& run) const {
  if (run.header().redacted_by == journal::redactor::forwarder) return nullptr;
  return std::make_shared<const redact::ready_rules>(rules_);
}

/// The loop goes on meanwhile.
void attaching::read(const shared_attempt& whole, const answering& answer) {
  // The last of it goes on the loop: nobody else may let go of a run.
  auto then = [self = shared_from_this(), whole, answer](const made_attachment& made) {
    self->keep(whole, made, answer);
  };
  const std::string id = whole->run->id();
  reading work{store_,
               id,
               whole->part,
               std::move(whole->body),
               rules_for(*whole->run),
               own_schemas_,
               event_of(*whole->run, feed::attachment::plan) > 0,
               event_of(*whole->run, feed::attachment::schemas) > 0};
  thread_.post([&io = io_, stays = asio::make_work_guard(io_), work = std::move(work),
                then = std::move(then)]() mutable {
    asio::post(io, [made = work.done(), then = std::move(then)] { then(made); });
  });
}

void attaching::keep(const shared_attempt& whole, const made_attachment& made,
                     const answering& answer) {
  if (made.wrong.status == 507)
    return give_up(whole, no_room(whole->run.get(), made.wrong.sentence), answer);
  if (made.wrong.status == 409)
    return answer(conflict("plan_first", made.wrong.sentence, whole->run.get()));
  if (!made.wrong.sentence.empty())
    return answer(http::problem(made.wrong.status, made.wrong.sentence));
  // A stream's end does not wait for others.
  if (auto wrong = refusal(*whole)) return give_up(whole, std::move(*wrong), answer);
  std::vector<std::string> names;
  for (const auto& [name, text] : made.files) names.push_back(name);
  store_.keep_attachments(whole->run->id(), std::move(names),
                          [self = shared_from_this(), whole, answer](const std::string& failure) {
                            if (!failure.empty()) return answer(no_room(whole->run.get(), failure));
                            if (whole->part == feed::attachment::schemas)
                              whole->run->plan_was_replaced();
                            if (auto wrong = self->refusal(*whole))
                              return answer(std::move(*wrong));
                            self->add_event(whole, answer);
                          });
}

/// Not before what was written is gone: the next one writes there, too.
void attaching::give_up(const shared_attempt& whole, http::response with, const answering& answer) {
  store_.clear_attachments(whole->run->id(),
                           [whole, with = std::move(with), answer] { answer(with); });
}

void attaching::add_event(const shared_attempt& whole, const answering& answer) {
  ingested_run& run = *whole->run;
  // Not before what came already: rows are the same whoever makes them, now or from the journal.
  const std::uint64_t offset = std::max(whole->offset.value_or(0), run.appended());
  const std::uint64_t n = whole->number();
  run.add_event(
      {n, offset, events::text_of({offset, events::attachment{whole->part, whole->sha256, 0, 0}})},
      [whole, answer, n](const std::string& failure) {
        answer(failure.empty() ? attached(*whole->run, n) : no_room(whole->run.get(), failure));
      });
}

}  // namespace

void add_attachment_routes(http::router& routes, asio::io_context& io, run_registry& runs,
                           journal::store& store, const redact::rules& rules,
                           const std::shared_ptr<const schema::schemas>& own_schemas,
                           sender_finder sender) {
  // Ends with the route: requests that were cut off may be there longer than the store.
  const auto thread = std::make_shared<reading_thread>();
  const auto all =
      std::make_shared<attaching>(io, runs, store, *thread, rules, own_schemas, std::move(sender));
  routes.take("PUT", "/v1/runs/*/attachments/*",
              {limits::attachment_body_bytes, limits::body_stalled_after, limits::body_time},
              [all, thread](const http::request& asked) { return all->open(asked); });
}

}  // namespace tofud::serve
