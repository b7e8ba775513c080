#include "daemon/forward/forwarder.hpp"

#include "daemon/operations/doing.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace tofud::forward {

namespace asio = boost::asio;

forwarder::forwarder(asio::io_context& io, const client::place& server, upload machine,
                     stream source, listeners told, client::patience waits, authorizer authorize)
    : io_{io},
      machine_{std::move(machine)},
      window_{std::move(source.bytes), std::move(source.begin_redaction)},
      told_{std::move(told)},
      document_{std::move(source.document)},
      connection_{io, server, waits},
      authorize_{std::move(authorize)},
      timer_{io} {}

forwarder::~forwarder() { *alive_ = false; }

void forwarder::start() { later(); }

void forwarder::more() { later(); }

void forwarder::tell(std::vector<sent_event> events) {
  if (events.size() <= events_.size()) return;
  events_ = std::move(events);
  later();
}

void forwarder::source_over() {
  source_over_ = true;
  later();
}

std::uint64_t forwarder::unsent(std::uint64_t raw) const {
  const std::uint64_t whole = window_.to() + (raw > window_.raw() ? raw - window_.raw() : 0);
  const std::uint64_t there = machine_.acknowledged().value_or(0);
  return whole > there ? whole - there : 0;
}

// Not at once, so that what calls us is done with its own turn.
void forwarder::later() {
  if (std::exchange(turn_due_, true)) return;
  asio::post(io_, [this, alive = alive_] {
    if (!*alive) return;
    turn_due_ = false;
    turn();
  });
}

void forwarder::turn() {
  const operations::doing sending{"sending the run"};
  if (const auto remark = machine_.take_remark(); !remark.empty() && told_.remark)
    told_.remark(remark);
  redact();
  add_events();
  const auto now = upload::clock::now();
  const bool all = source_over_ && window_.all() && events_added_ == events_.size();
  auto step = machine_.next(now, {window_.from(), window_.to(), all});
  if (auto* what = std::get_if<upload::send>(&step)) return send(std::move(*what));
  if (const auto* pause = std::get_if<upload::wait>(&step)) return wait_until(pause->until);
  timer_.cancel();
  if (!std::exchange(over_told_, true) && told_.over) told_.over();
}

// As much as fits, a piece in each turn: the daemon says from where on.
void forwarder::redact() {
  const auto needed = machine_.acknowledged();
  if (!needed || machine_.stopped() || machine_.complete()) return;
  window_.need(*needed);
  if (window_.advance(source_over_) == redacted_window::progress::more) later();
}

void forwarder::add_events() {
  for (; events_added_ < events_.size(); ++events_added_) {
    const sent_event& next = events_[events_added_];
    const auto at = place_of(next);
    if (!at) return;
    last_event_at_ = std::max(last_event_at_, *at);
    machine_.add_event(last_event_at_, next.fields, next.part);
  }
}

/// Nothing: not yet known.
std::optional<std::uint64_t> forwarder::place_of(const sent_event& event) const {
  if (event.offset) {
    if (const auto at = window_.line_at(*event.offset)) return at;
  }
  if (source_over_ && window_.all()) return window_.to();
  return std::nullopt;
}

void forwarder::send(upload::send what) {
  request asked = std::move(what.head);
  if (what.bytes > 0) asked.body = window_.bytes(what.from, what.bytes);
  if (authorize_ && asked.method == "POST") return authorize(std::move(asked));
  if (!what.document) return exchange(std::move(asked));
  std::shared_ptr<attachment_body> body = document_ ? document_(*what.document) : nullptr;
  if (body) return prepare(body, std::move(asked));
  machine_.leave_out("it is missing");
  later();
}

void forwarder::prepare(const std::shared_ptr<attachment_body>& body, request asked) {
  switch (body->step()) {
    case attachment_body::progress::more:
      asio::post(io_, [this, alive = alive_, body, asked = std::move(asked)]() mutable {
        if (*alive) prepare(body, std::move(asked));
      });
      return;
    case attachment_body::progress::done:
      asked.body = body->take();
      return exchange(std::move(asked));
    case attachment_body::progress::failed:
      machine_.leave_out("its file " + body->failure());
      later();
  }
}

void forwarder::authorize(request asked) {
  authorize_([this, alive = alive_, asked = std::move(asked)](std::optional<std::string> given) {
    if (!*alive) return;
    if (given) {
      authorization_ = std::move(*given);
      return exchange(asked);
    }
    machine_.broken(upload::clock::now());
    later();
  });
}

void forwarder::exchange(request asked) {
  if (!authorization_.empty()) asked.headers.push_back({"Authorization", authorization_});
  connection_.exchange(std::move(asked),
                       [this](client::answered answer) { took(std::move(answer)); });
}

void forwarder::took(client::answered answer) {
  const std::string before = machine_.run();
  const auto now = upload::clock::now();
  if (answer) {
    machine_.answered(now, *answer);
  } else {
    machine_.broken(now);
  }
  was_in_contact_ = was_in_contact_ || machine_.in_contact();
  if (machine_.run() != before && told_.taken) told_.taken();
  later();
}

void forwarder::wait_until(upload::time then) {
  if (then == upload::time::max()) return;  // the answer wakes us
  timer_.expires_at(then);
  timer_.async_wait([this, alive = alive_](boost::system::error_code failed) {
    if (!failed && *alive) later();
  });
}

}  // namespace tofud::forward
