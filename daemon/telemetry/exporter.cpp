#include "daemon/telemetry/exporter.hpp"

#include "daemon/operations/utc_now.hpp"
#include "daemon/telemetry/errors.hpp"
#include "daemon/telemetry/limits.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/readable.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/upload/answer.hpp"

#include <boost/asio/post.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <utility>

namespace tofud::telemetry {

namespace asio = boost::asio;

namespace {

/// Of what a collector says: a line.
std::string shown(std::string_view text) {
  return text::beginning(text::readable_line(text), limits::otlp_words_bytes);
}

/// What a collector may answer where the same request may succeed later:
/// https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes
bool is_for_later(unsigned status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

/// Spans of a request that the collector took and did not keep, and why not:
/// https://opentelemetry.io/docs/specs/otlp/#partial-success
struct rejected {
  std::uint64_t spans = 0;
  std::string why;
};
rejected rejected_in(std::string_view body) {
  boost::system::error_code failed;
  const auto read = boost::json::parse(body, failed);
  const auto* object = failed ? nullptr : read.if_object();
  const auto* part = object == nullptr ? nullptr : object->if_contains("partialSuccess");
  if (part == nullptr || !part->is_object()) return {};
  // 64-bit numbers are strings.
  const std::string count = json::text_at(part->get_object(), "rejectedSpans");
  return {text::parse_whole_number<std::uint64_t>(count).value_or(0),
          json::text_at(part->get_object(), "errorMessage")};
}

}  // namespace

exporter::exporter(asio::io_context& io, options given)
    : io_{io}, given_{std::move(given)}, metrics_{operations::utc_now()}, thread_{io} {}

exporter::~exporter() { stop(); }

template <class Then>
void exporter::later(Then then) {
  asio::post(io_, [alive = std::weak_ptr<bool>{alive_}, then = std::move(then)] {
    if (!alive.expired()) then();
  });
}

void exporter::over(const std::string& run, const feed::run_view& view) {
  if (!is_on() || stopped_) return;
  if (given_.to.metrics) {
    metrics_.add(view);
    metrics_changed_ = true;
  }
  if (!given_.to.traces) return;
  if (waiting_.size() >= limits::otlp_runs_waiting) {
    ++counts_.runs_lost;
    return;
  }
  waiting_.push_back(run);
}

void exporter::look() {
  if (!is_on() || busy_ || stopped_) return;
  const auto now = steady::now();
  if (now < rests_until_) return;
  if (metrics_changed_ && now >= metrics_at_) return send_metrics();
  if (now_) return send_next();
  if (!waiting_.empty()) begin();
}

void exporter::stop() {
  stopped_ = true;
  alive_.reset();
  client_.reset();
}

void exporter::begin() {
  busy_ = true;
  const std::string run = std::move(waiting_.front());
  waiting_.pop_front();
  given_.read(run, [this, alive = std::weak_ptr<bool>{alive_}](std::optional<read_run> found) {
    if (alive.expired()) return;
    busy_ = false;
    // Somebody removed it; or its trace is not kept.
    if (!found || (found->parent && !found->parent->sampled)) return later([this] { look(); });
    now_ = std::make_unique<sending>();
    now_->of = std::move(*found);
    now_->rows.emplace(*now_->of.rows);
    now_->around = {given_.to.resource, now_->of.parent, now_->of.page};
    busy_ = true;
    copy();
  });
}

/// In turns of the loop.
void exporter::copy() {
  if (now_->rows->copy_some(limits::otlp_rows_at_once)) return later([this] { copy(); });
  draw();
}

void exporter::draw() {
  thread_.post([this, &io = io_, alive = std::weak_ptr<bool>{alive_}, of = now_.get()] {
    of->made = exports::otlp_traces(of->rows->rows(), of->around, limits::otlp_run_bytes);
    asio::post(io, [this, alive] {
      if (alive.expired()) return;
      now_->rows.reset();
      now_->of = {};
      busy_ = false;
      send_next();
    });
  });
}

void exporter::send_next() {
  if (now_->next >= now_->made.bodies.size()) return done(true);
  busy_ = true;
  post(*given_.to.traces, now_->made.bodies[now_->next], [this](const client::answered& answer) {
    busy_ = false;
    if (!is_over(answer)) {
      if (++now_->tries >= limits::otlp_tries) done(false);
      return;
    }
    if (answer->status / 100 != 2) return done(false);
    const rejected refused = rejected_in(answer->body);
    now_->rejected += refused.spans;
    if (refused.spans > 0)
      given_.complained(text::failure{error::rejected, refused.spans, shown(refused.why)}.text());
    now_->made.bodies[now_->next].clear();
    ++now_->next;
    now_->tries = 0;
    send_next();
  });
}

void exporter::done(bool was_taken) {
  if (was_taken) {
    ++counts_.runs;
    counts_.spans += now_->made.spans - std::min(now_->rejected, now_->made.spans);
  } else {
    ++counts_.runs_lost;
  }
  now_.reset();
  later([this] { look(); });
}

void exporter::send_metrics() {
  busy_ = true;
  metrics_changed_ = false;
  metrics_at_ = steady::now() + limits::otlp_metrics_every;
  const auto body = std::make_shared<std::string>();
  thread_.post([this, &io = io_, alive = std::weak_ptr<bool>{alive_}, body, of = metrics_,
                resource = given_.to.resource, now = operations::utc_now()] {
    *body = of.to_json(resource, now);
    asio::post(io, [this, alive, body] {
      if (alive.expired()) return;
      post(*given_.to.metrics, std::move(*body), [this](const client::answered& answer) {
        busy_ = false;
        if (!is_over(answer)) metrics_changed_ = true;
        later([this] { look(); });
      });
    });
  });
}

void exporter::post(const signal& to, std::string body,
                    std::function<void(const client::answered&)> done) {
  client_ = std::make_unique<client::http_client>(
      io_, to.where.at,
      client::patience{to.wait, to.wait, client::patience::counts::whole,
                       limits::otlp_answer_bytes});
  client::request asked{"POST", to.where.target, to.headers, std::move(body)};
  asked.headers.push_back({"Content-Type", "application/json"});
  client_->exchange(std::move(asked), [this, alive = std::weak_ptr<bool>{alive_},
                                       done = std::move(done)](client::answered answer) {
    if (alive.expired()) return;
    // Not within the client's own call: what follows makes another one.
    later([done, answer = std::move(answer)] { done(answer); });
  });
}

bool exporter::is_over(const client::answered& answer) {
  if (!answer) {
    failed({error::unanswered, answer.error().sentence}, {});
    return false;
  }
  if (answer->status / 100 == 2) {
    failures_in_row_ = 0;
    trouble_.clear();
    return true;
  }
  const auto after = upload::retry_after_in(answer->first("Retry-After"));
  failed({error::bad_status, answer->status},
         after ? std::optional{std::chrono::ceil<std::chrono::seconds>(*after)} : std::nullopt);
  return !is_for_later(answer->status);
}

void exporter::failed(const text::failure& why, std::optional<std::chrono::seconds> after) {
  ++counts_.failures;
  const auto doubled = limits::otlp_again_first * (1U << std::min(failures_in_row_++, 10U));
  const auto rest = std::min<std::chrono::seconds>(std::max(after.value_or(doubled), doubled),
                                                   limits::otlp_again_longest);
  rests_until_ = steady::now() + rest;
  // Once, until it is another one.
  if (why.text() != trouble_) given_.complained(why.text());
  trouble_ = why.text();
}

}  // namespace tofud::telemetry
