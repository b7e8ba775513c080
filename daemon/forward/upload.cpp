#include "daemon/forward/upload.hpp"

#include "daemon/forward/limits.hpp"
#include "daemon/net/limits.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/upload/answer.hpp"

#include <algorithm>
#include <utility>

namespace tofud::forward {
namespace {

using std::chrono::milliseconds;
using tofud::upload::code_in;
using tofud::upload::parse_granted;
using tofud::upload::retry_after_in;
using tofud::upload::said_by;

/// Nothing is due.
constexpr upload::time never = upload::time::max();

/// Bytes of the run wait while a document is sent: more tries would cost its viewers too much.
constexpr unsigned document_tries = 5;

/// Answers that say nothing about the request, only about the moment.
bool passes(unsigned status) {
  return status >= 500 || status == 408 || status == 425 || status == 429;
}

}  // namespace

upload::upload(std::string post_body, std::string secret, std::function<double()> random)
    : post_body_{std::move(post_body)}, secret_{std::move(secret)}, random_{std::move(random)} {}

void upload::add_event(std::uint64_t offset, std::string fields,
                       std::optional<feed::attachment> part) {
  events_.push_back({offset, std::move(fields), part, part.has_value() && documents_.unwanted});
}

upload::step upload::next(time now, const supply& ready) {
  if (complete_ || stopped_) return over{};
  if (under_way_) return wait{never};
  if (now < pace_.not_before) return wait{pace_.not_before};
  if (!there_.has_run) return post(now);
  if (there_.ask_offset) return head(now);
  const std::uint64_t at = *acknowledged_;
  if (ready.all && at > ready.to) {
    stop(upload_stop::until::never, "diverged",
         "the daemon holds " + std::to_string(at) + " bytes of this run, but it has only " +
             std::to_string(ready.to));
    return over{};
  }
  const bool at_hand = at >= ready.from && at <= ready.to;
  const bool at_end = at_hand && ready.all && at == ready.to;
  if (there_.complete && at_end) {
    complete_ = true;
    return over{};
  }
  if (next_event_ < events_.size() && events_[next_event_].offset <= at) return put_event(now);
  if (at_end) return patch(now, at, 0, true);
  if (at_hand && at < ready.to) {
    const time due = pace_.last_patch == time{} ? now : pace_.last_patch + limits::patch_every;
    if (now < due) return wait{due};
    auto bytes = std::min<std::uint64_t>(ready.to - at, pace_.max_patch);
    // Not beyond the next event: rows there are to be made as rows here were.
    if (next_event_ < events_.size()) bytes = std::min(bytes, events_[next_event_].offset - at);
    return patch(now, at, static_cast<std::size_t>(bytes), false);
  }
  const time due = pace_.last_sent + pace_.keep_alive;
  if (now < due) return wait{due};
  return patch(now, at, 0, false);
}

// ---- requests ------------------------------------------------------------------------------

upload::step upload::begin(under_way what, time now, request head) {
  under_way_ = what;
  pace_.last_sent = now;
  return send{std::move(head), what.from, what.bytes};
}

request upload::addressed(std::string method, const std::string& place) const {
  return {std::move(method), "/v1/runs/" + run_ + "/" + place, {{"Upload-Secret", secret_}}, ""};
}

upload::step upload::post(time now) {
  request asks{"POST", "/v1/runs", {{"Content-Type", "application/json"}}, post_body_};
  return begin({kind::post}, now, std::move(asks));
}

upload::step upload::head(time now) { return begin({kind::head}, now, addressed("HEAD", "lines")); }

upload::step upload::patch(time now, std::uint64_t from, std::size_t bytes, bool completes) {
  request sends = addressed("PATCH", "lines");
  sends.headers.push_back({"Upload-Offset", std::to_string(from)});
  if (completes) {
    sends.headers.push_back({"Upload-Complete", "?1"});
    sends.headers.push_back({"Upload-Events", std::to_string(events_.size())});
  }
  pace_.last_patch = now;
  return begin({kind::patch, from, bytes, completes}, now, std::move(sends));
}

upload::step upload::put_event(time now) {
  const event& due = events_[next_event_];
  if (due.part && !due.left_out) return put_attachment(now);
  request tells = addressed("PUT", "events/" + std::to_string(next_event_ + 1));
  tells.headers.push_back({"Content-Type", "application/json"});
  tells.body = R"({"offset":)" + std::to_string(due.offset);
  if (due.part) {
    tells.body += R"(,"event":"attachment_left_out","part":")";
    tells.body.append(feed::name(*due.part)).append("\"}");
  } else {
    if (due.fields.size() > 2) tells.body += ",";
    tells.body += std::string_view{due.fields}.substr(1);
  }
  return begin({kind::event}, now, std::move(tells));
}

upload::step upload::put_attachment(time now) {
  const event& due = events_[next_event_];
  request sends = addressed("PUT", "attachments/" + std::string{feed::name(*due.part)} +
                                       "?event=" + std::to_string(next_event_ + 1) +
                                       "&offset=" + std::to_string(due.offset));
  sends.headers.push_back({"Content-Type", "application/json"});
  sends.more_time = limits::body_time;
  step made = begin({kind::attachment}, now, std::move(sends));
  std::get<send>(made).document = due.part;
  return made;
}

void upload::leave_out(std::string_view why) {
  under_way_.reset();
  event& due = events_[next_event_];
  due.left_out = true;
  documents_.tries = 0;
  if (std::exchange(documents_.remarked, true)) return;
  documents_.remark = "the run's " + std::string{feed::name(*due.part)} + " is not sent: ";
  documents_.remark.append(why);
}

void upload::no_attachments_there() {
  documents_.unwanted = true;
  if (next_event_ < events_.size() && events_[next_event_].part)
    leave_out("the daemon's version takes no attachments");
  for (event& each : events_) each.left_out = each.part.has_value();
}

// ---- answers -------------------------------------------------------------------------------

void upload::broken(time now) {
  if (!under_way_) return;
  const under_way what = *std::exchange(under_way_, std::nullopt);
  // A PATCH may have been stored: the daemon knows. The others are simply sent again.
  if (what.what == kind::patch) there_.ask_offset = true;
  if (what.what == kind::attachment) {
    there_.ask_offset = true;  // an outage does not count as a try
    if (++documents_.tries >= document_tries) leave_out("the connection breaks each time");
  }
  there_.in_contact = false;
  retry(now, nullptr);
}

void upload::answered(time now, const response& answer) {
  if (!under_way_) return;
  const under_way what = *std::exchange(under_way_, std::nullopt);
  there_.in_contact = answer.status / 100 == 2;
  if (there_.in_contact) return took(what, now, answer);
  if (what.what == kind::attachment && attachment_answered(now, answer)) return;
  if (passes(answer.status)) return retry(now, &answer);
  switch (answer.status) {
    case 401:
      // Whatever it knows the sender by is over or unknown: what it is shown when it is asked for
      // the run again may be newer.
      if (what.what != kind::post && !there_.lost_before) return lost_run(what, now, answer);
      [[fallthrough]];
    case 403:
      return stop(upload_stop::until::asked, "refused",
                  "the daemon refused this upload" + said_by(answer.status, answer.body));
    case 404:
      return lost_run(what, now, answer);
    case 409:
      return conflicts(what, now, answer);
    case 410:
      return stop(upload_stop::until::never, "removed",
                  "the run was removed from the daemon and is not sent again");
    case 413:
      return too_large(what, answer);
    default:
      return stop(upload_stop::until::asked, "refused",
                  "the daemon did not accept this upload" + said_by(answer.status, answer.body));
  }
}

void upload::stands_at(std::uint64_t offset) {
  // Below what it had on its disk: the disk was lost, and events may be gone with it.
  if (acknowledged_ && offset < *acknowledged_) next_event_ = 0;
  acknowledged_ = offset;
}

void upload::took(const under_way& what, time now, const response& answer) {
  const auto offset = text::parse_whole_number<std::uint64_t>(answer.first("Upload-Offset"));
  switch (what.what) {
    case kind::post:
      return took_post(now, answer);
    case kind::head:
      if (!offset) return retry(now, &answer);
      if (std::exchange(documents_.ask_for_route, false)) no_attachments_there();
      stands_at(*offset);
      there_.ask_offset = false;
      there_.complete = answer.first("Upload-Complete") == "?1";
      return;
    case kind::patch:
      return took_patch(what, now, offset);
    case kind::attachment:
    case kind::event:
      ++next_event_;
      documents_.tries = 0;
      failures_ = 0;
      there_.lost_before = false;
      return;
  }
}

void upload::took_post(time now, const response& answer) {
  const auto granted = parse_granted(answer.body);
  if (!granted) {  // no tofud says that: perhaps something else listens there for a moment
    there_.in_contact = false;
    return retry(now, &answer);
  }
  run_ = granted->run;
  url_ = granted->url;
  there_.usual = granted->usual;
  stands_at(granted->offset);
  pace_.max_patch = granted->max_patch;
  pace_.keep_alive = granted->keepalive;
  there_.has_run = true;
  there_.ask_offset = there_.complete = false;
  next_event_ = 0;  // which of them it has is not said; it takes each as often as it comes
}

void upload::took_patch(const under_way& what, time now, std::optional<std::uint64_t> offset) {
  if (!offset) {  // only the header acknowledges
    there_.ask_offset = true;
    return retry(now, nullptr);
  }
  stands_at(*offset);
  // Another forwarder of the same run may have brought it further than we did.
  const bool moved = what.bytes == 0 ? *offset >= what.from : *offset > what.from;
  if (!moved) return retry(now, nullptr);
  failures_ = 0;
  there_.lost_before = there_.events_again = false;
  if (what.completes && *offset == what.from) complete_ = true;
}

/// What is attached helps whoever reads the run; the bytes are the run. False: the answer says
/// nothing about the document.
bool upload::attachment_answered(time now, const response& answer) {
  if (answer.status == 401 || answer.status == 403 || answer.status == 410) return false;
  if (answer.status == 404) {
    documents_.ask_for_route = there_.ask_offset = true;
    return true;
  }
  if (answer.status == 405) {
    no_attachments_there();
    return true;
  }
  const std::string code = code_in(answer.body);
  if (passes(answer.status) || code == "busy") {
    if (++documents_.tries < document_tries) {
      retry(now, &answer);
      return true;
    }
  } else if (answer.status == 409) {
    if (code == "order" && !there_.events_again) return false;
    if (code == "event" || code == "complete") {  // it was left out once, or all is over there
      ++next_event_;
      return true;
    }
  }
  leave_out("the daemon did not accept it" + said_by(answer.status, answer.body));
  return true;
}

void upload::conflicts(const under_way& what, time now, const response& answer) {
  const std::string code = code_in(answer.body);
  const auto offset = text::parse_whole_number<std::uint64_t>(answer.first("Upload-Offset"));
  const bool lines = what.what == kind::patch || what.what == kind::head;
  if (lines && code == "gap") {
    if (!offset || *offset >= what.from) {
      there_.ask_offset = true;
      return retry(now, nullptr);
    }
    stands_at(*offset);
    there_.in_contact = true;
    return;
  }
  if (lines && code == "events" && !there_.events_again) {  // its disk lost some of them
    there_.events_again = there_.in_contact = true;
    next_event_ = 0;
    return;
  }
  if (code == "busy") {
    there_.ask_offset = lines;
    there_.in_contact = true;
    return retry(now, &answer);
  }
  // Whether that is all of it is for `next` to see, which knows where the stream ends: bytes that
  // we have and the daemon lacks would come back here.
  if (lines && code == "complete" && offset && *offset >= what.from + what.bytes) {
    stands_at(*offset);
    there_.complete = there_.in_contact = true;
    return;
  }
  const bool about_event = what.what == kind::event || what.what == kind::attachment;
  // The document is there: it was left out by this process only.
  if (about_event && code == "event" && events_[next_event_].left_out) {
    ++next_event_;
    there_.in_contact = true;
    return;
  }
  if (about_event && code == "order" && !there_.events_again) {
    there_.events_again = true;
    next_event_ = 0;
    return;
  }
  const std::string why = code.empty() ? "conflict" : code;
  stop(upload_stop::until::never, why,
       why == "diverged" ? "the daemon has other bytes for this run than this stream" +
                               said_by(answer.status, answer.body)
                         : "the daemon rejected this upload" + said_by(answer.status, answer.body));
}

void upload::too_large(const under_way& what, const response& answer) {
  if (what.what == kind::patch && what.bytes > 1) {
    pace_.max_patch = what.bytes / 2;
    return;
  }
  stop(upload_stop::until::asked, "refused",
       "the daemon did not accept this upload" + said_by(answer.status, answer.body));
}

void upload::lost_run(const under_way& what, time now, const response& answer) {
  if (what.what == kind::post) {
    return stop(upload_stop::until::asked, "refused",
                "the server there accepts no uploads" + said_by(answer.status, answer.body));
  }
  there_.has_run = documents_.ask_for_route = false;
  acknowledged_.reset();
  if (std::exchange(there_.lost_before, true)) retry(now, nullptr);
}

void upload::retry(time now, const response* answer) {
  if (answer != nullptr) {
    if (const auto asked = retry_after_in(answer->first("Retry-After"))) {
      pace_.not_before = now + *asked;
      return;
    }
  }
  const auto longest = std::min<milliseconds>(
      limits::retry_first * (1u << std::min(failures_, 16u)), limits::retry_longest);
  ++failures_;
  pace_.not_before = now + std::chrono::duration_cast<clock::duration>(longest * random_());
}

void upload::stop(upload_stop::until again, std::string reason, std::string sentence) {
  stopped_ = upload_stop{again, std::move(reason), std::move(sentence)};
}

}  // namespace tofud::forward
