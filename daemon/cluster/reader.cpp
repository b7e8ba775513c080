#include "daemon/cluster/reader.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/net/socket.hpp"
#include "protocol/json/members.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace tofud::cluster {
namespace {

namespace js = boost::json;

constexpr auto in_ns = [](auto time) { return std::chrono::nanoseconds{time}.count(); };

}  // namespace

reader::reader(boost::asio::io_context& io, jetstream& in, place from)
    : io_{io}, in_{in}, at_{std::move(from)}, woken_{io} {}

void reader::stop() {
  stopped_ = true;
  inbox_ = {};
  wake();
}

net::task<reader::messages> reader::next() {
  const auto self = shared_from_this();
  for (;;) {
    if (stopped_) co_return std::vector<stored_message>{};
    if (!came_.empty()) {
      std::vector<stored_message> all{std::move_iterator{came_.begin()},
                                      std::move_iterator{came_.end()}};
      came_.clear();
      co_return all;
    }
    if (consumer_.empty()) {
      auto beginning = begin();
      if (auto failed = co_await std::move(beginning); !failed.empty()) co_return failed;
      continue;
    }
    if (awaited_ == 0) pull();
    constexpr auto patience = limits::read_heartbeat * 5 / 2;
    woken_.expires_after(limits::reconnect_seen_after);
    auto waiting = woken_.async_wait(net::as_result);
    co_await std::move(waiting);
    const bool is_silent = std::chrono::steady_clock::now() - heard_at_ >= patience;
    // What a server had in memory for us went with it.
    const bool is_another = in_.over().reconnects() != reconnects_;
    if (came_.empty() && (is_silent || is_another) && !stopped_) lose();
    const bool is_doubted = std::chrono::steady_clock::now() - doubted_at_ >= doubts_after_;
    if (came_.empty() && is_doubted && !stopped_ && !consumer_.empty()) {
      auto looking = look_whether_more_is_there();
      co_await std::move(looking);
    }
  }
}

net::task<text::failure> reader::begin() {
  const auto self = shared_from_this();
  auto looking = in_.state(at_.stream);
  const auto now = co_await std::move(looking);
  if (!now) co_return now.error();
  const bool is_another = !created_.empty() && created_ != now->created;
  if (is_another || now->last_seq < at_.after) {
    at_.after = 0;
    has_lost_ = true;
  }
  created_ = now->created;
  reconnects_ = in_.over().reconnects();
  js::object config{{"ack_policy", "none"},
                    {"replay_policy", "instant"},
                    {"filter_subject", at_.subjects},
                    {"mem_storage", true},
                    {"num_replicas", 1},
                    {"inactive_threshold", in_ns(limits::reader_forgotten_after)}};
  if (at_.only_newest && at_.after == 0) {
    config["deliver_policy"] = "last_per_subject";
  } else {
    config["deliver_policy"] = "by_start_sequence";
    config["opt_start_seq"] = at_.after + 1;
  }
  message asking{"$JS.API.CONSUMER.CREATE." + at_.stream,
                 "",
                 {},
                 js::serialize(js::object{{"stream_name", at_.stream}, {"config", config}})};
  auto making = in_.over().ask(std::move(asking));
  const auto made = co_await std::move(making);
  if (!made) co_return made.error();
  const auto read = json::object_in(made->data);
  if (!read) co_return text::failure{error::no_jetstream};
  if (const js::value* wrong = read->if_contains("error")) {
    const std::string words =
        wrong->is_object() ? json::text_at(wrong->get_object(), "description") : "";
    co_return text::failure{error::refused, "read the stream " + at_.stream, words};
  }
  if (stopped_) co_return text::failure{};
  consumer_ = json::text_at(*read, "name");
  pending_ = json::count_at(*read, "num_pending");
  consumer_seq_ = 0;
  awaited_ = 0;
  doubted_at_ = heard_at_ = std::chrono::steady_clock::now();
  inbox_ = in_.over().open_inbox([this, alive = weak_from_this()](message&& came) {
    if (const auto held = alive.lock()) take(std::move(came));
  });
  co_return text::failure{};
}

void reader::pull() {
  awaited_ = limits::read_messages;
  message asking{"$JS.API.CONSUMER.MSG.NEXT." + at_.stream + "." + consumer_,
                 inbox_.subject,
                 {},
                 js::serialize(js::object{{"batch", limits::read_messages},
                                          {"max_bytes", limits::read_at_once_bytes},
                                          {"expires", in_ns(limits::read_stands)},
                                          {"idle_heartbeat", in_ns(limits::read_heartbeat)}})};
  in_.over().publish(std::move(asking));
}

/// What comes now is not what is wanted next.
void reader::lose() {
  ++begun_again_;
  consumer_.clear();
  inbox_ = {};
  awaited_ = 0;
}

/// A server that was killed and came back may say that it still knows us, and never send again what
/// others store (nats-server 2.9.10 with three copies).
net::task<bool> reader::look_whether_more_is_there() {
  const auto self = shared_from_this();
  const std::uint64_t before = at_.after;
  auto looking = in_.state(at_.stream);
  const auto now = co_await std::move(looking);
  bool is_other = now && now->last_seq != before;
  if (is_other && now->last_seq > before) {  // of these subjects?
    auto finding = in_.last(at_.stream, at_.subjects);
    const auto last = co_await std::move(finding);
    is_other = last && *last && (*last)->seq > before;
  }
  doubted_at_ = std::chrono::steady_clock::now();
  doubts_after_ = std::min(doubts_after_ * 2, limits::reader_doubts_last);
  if (is_other && at_.after == before && !stopped_) lose();
  co_return true;
}

void reader::take(message came) {
  heard_at_ = std::chrono::steady_clock::now();
  if (const auto status = came.header_of("Status"); !status.empty() && came.data.empty()) {
    if (status == "100") return;  // it still knows us
    // 404, 408: what was asked is over; 409: so it is, or the consumer is gone; 503: it is gone.
    const auto words = came.header_of("Description");
    const bool is_asked_for = status == "404" || status == "408" ||
                              (status == "409" && words.find("Exceeded") != std::string_view::npos);
    if (is_asked_for) {
      awaited_ = 0;
    } else {
      lose();
    }
    return wake();
  }
  const auto where = parse_delivery(came.reply);
  if (!where) return;
  if (where->consumer_seq != consumer_seq_ + 1) {
    lose();
    return wake();
  }
  consumer_seq_ = where->consumer_seq;
  doubted_at_ = heard_at_;
  doubts_after_ = limits::reader_doubts_first;
  pending_ = where->pending;
  at_.after = where->stream_seq;
  if (awaited_ > 0) --awaited_;
  came_.push_back({where->stream_seq, std::move(came.subject), std::move(came.headers),
                   std::move(came.data), where->at});
  wake();
}

}  // namespace tofud::cluster
