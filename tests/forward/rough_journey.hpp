// An upload over a network that breaks, to a daemon that loses things: who picks decides what
// happens.
#pragma once

#include "daemon/forward/upload.hpp"
#include "protocol/text/whole_number.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tofud::forward {

using namespace std::chrono_literals;

/// A daemon after the rules of the upload, in memory, one run of which it has at most.
class model_daemon {
 public:
  response take(const request& asked, const std::string& body) {
    if (asked.method == "POST") return post();
    if (!known_) return {404};
    if (asked.method == "HEAD")
      return {200, {{"Upload-Offset", offset()}, {"Upload-Complete", complete_ ? "?1" : "?0"}}};
    if (asked.method == "PUT") return put(asked);
    return patch(asked, body);
  }

  /// As after a loss of the disk.
  void forget() {
    known_ = complete_ = false;
    ++name_;
    stored_.clear();
    events_.clear();
  }
  void lose_end(std::size_t bytes) {
    stored_.resize(stored_.size() - std::min(bytes, stored_.size()));
    complete_ = false;
    while (!events_.empty() && event_offset(events_.rbegin()->second) > stored_.size()) {
      events_.erase(std::prev(events_.end()));
    }
  }

  const std::string& stored() const { return stored_; }
  const std::map<int, std::string>& events() const { return events_; }
  bool complete() const { return complete_; }

 private:
  std::string offset() const { return std::to_string(stored_.size()); }
  static std::uint64_t event_offset(const std::string& body) {
    return std::stoull(body.substr(body.find(':') + 1));
  }
  response refuse(const std::string& code) const {
    return {409, {{"Upload-Offset", offset()}}, R"({"code":")" + code + R"("})"};
  }

  response post() {
    const unsigned status = known_ ? 200 : 201;
    known_ = true;
    return {status,
            {},
            R"({"run":"r)" + std::to_string(name_) + R"(","offset":)" + offset() +
                R"(,"max_patch":64})"};
  }

  response put(const request& asked) {
    const int n = std::stoi(asked.target.substr(asked.target.rfind('/') + 1));
    if (const auto known = events_.find(n); known != events_.end()) {
      return known->second == asked.body ? response{204} : refuse("event");
    }
    if (n != static_cast<int>(events_.size()) + 1) return refuse("order");
    if (n > 1 && event_offset(asked.body) < event_offset(events_[n - 1])) return refuse("order");
    events_[n] = asked.body;
    return {204};
  }

  response patch(const request& asked, const std::string& body) {
    std::uint64_t from = 0;
    bool completes = false;
    std::size_t events = 0;
    for (const auto& [name, value] : asked.headers) {
      if (name == "Upload-Offset") from = *text::parse_whole_number<std::uint64_t>(value);
      if (name == "Upload-Complete") completes = value == "?1";
      if (name == "Upload-Events") events = *text::parse_whole_number<std::size_t>(value);
    }
    if (from > stored_.size()) return refuse("gap");
    const std::size_t overlap = std::min<std::size_t>(stored_.size() - from, body.size());
    if (stored_.compare(from, overlap, body, 0, overlap) != 0) return refuse("diverged");
    if (complete_ && body.size() > overlap) return refuse("complete");
    if (completes && events_.size() < events) return refuse("events");
    stored_.append(body, overlap);
    if (completes) complete_ = true;
    return {204, {{"Upload-Offset", offset()}}};
  }

  bool known_ = false, complete_ = false;
  int name_ = 1;
  std::string stored_;
  std::map<int, std::string> events_;
};

/// One upload against it, with a source that grows, over a network that breaks.
class rough_journey {
 public:
  /// `choose` gives a number below the one it is given, which is above 0; it decides everything.
  explicit rough_journey(std::function<std::size_t(std::size_t)> choose)
      : pick_{std::move(choose)} {
    source_.resize(pick(700));
    for (char& c : source_) c = static_cast<char>('a' + pick(3));
    calm_after_ = 100 + pick(200);
    resume();
  }

  void travel() {
    for (steps_ = 0; steps_ < 20'000; ++steps_) {
      if (grown_ < source_.size() && one_in(3)) grown_ += pick(source_.size() - grown_ + 1);
      if (rough() && one_in(60)) resume();  // the forwarder was killed
      if (rough() && one_in(60)) lose_disk();
      if (rough() && one_in(20)) deliver_late();
      add_events();
      const auto step = machine_->next(now_, {window_, grown_, all()});
      if (std::holds_alternative<upload::over>(step)) return;
      if (const auto* pause = std::get_if<upload::wait>(&step)) {
        if (pause->until == upload::time::max()) {
          wrong_ = "it waits for ever";
          return;
        }
        // Bytes may come before.
        now_ = grown_ < source_.size() ? now_ + 5ms : std::max(now_ + 1ms, pause->until);
      } else {
        transport(std::get<upload::send>(step));
      }
      // Bytes that were acknowledged are let go; a rewind reads them anew.
      if (machine_->acknowledged())
        window_ = std::min<std::uint64_t>(*machine_->acknowledged(), grown_);
    }
  }

  /// What is wrong at the end; empty: nothing.
  std::string fault() const {
    if (!wrong_.empty()) return wrong_;
    if (machine_->stopped()) return machine_->stopped()->sentence;
    if (!machine_->complete()) return "not complete after " + std::to_string(steps_) + " steps";
    if (daemon_.stored() != source_) return "other bytes are stored";
    if (!daemon_.complete()) return "the daemon does not know that it is complete";
    const std::map<int, std::string> events{
        {1, R"({"offset":0,"event":"label"})"},
        {2, R"({"offset":)" + std::to_string(source_.size()) + R"(,"event":"exit","status":0})"}};
    if (daemon_.events() != events) {
      std::string stored;
      for (const auto& [n, json] : daemon_.events()) stored += std::to_string(n) + json;
      return "other events are stored of " + std::to_string(source_.size()) + " bytes: " + stored;
    }
    return "";
  }

 private:
  std::size_t pick(std::size_t below) { return below == 0 ? 0 : pick_(below); }
  bool one_in(std::size_t n) { return pick(n) == 0; }
  /// Trouble ends some day: then, and only then, must all of it arrive. What comes late may still
  /// come late, but the disk is lost no more.
  bool rough() const { return steps_ < calm_after_; }
  bool all() const { return grown_ == source_.size(); }

  void resume() {
    machine_.emplace("{}", "s", [this] { return static_cast<double>(pick(1000)) / 1000; });
    machine_->add_event(0, R"({"event":"label"})");
    exit_added_ = false;
    window_ = 0;
  }

  // Before the run is complete there, since bytes are not kept longer. What was on its way is cut
  // off when the daemon starts again.
  void lose_disk() {
    if (daemon_.complete()) return;
    late_.clear();
    if (one_in(3)) return daemon_.forget();
    daemon_.lose_end(pick(100));
  }

  void add_events() {
    if (all() && !exit_added_) {
      machine_->add_event(source_.size(), R"({"event":"exit","status":0})");
      exit_added_ = true;
    }
  }

  void transport(const upload::send& sent) {
    now_ += 1ms;
    const std::string body =
        sent.head.method == "PATCH" ? source_.substr(sent.from, sent.bytes) : sent.head.body;
    if (sent.from + sent.bytes > grown_) wrong_ = "bytes were sent that are not there";
    if (rough()) {
      switch (pick(12)) {
        case 0:  // never arrives
          return machine_->broken(now_);
        case 1: {  // is cut off in the middle, and what came was stored
          if (sent.head.method == "PATCH") {
            request part = sent.head;
            std::erase_if(part.headers,
                          [](const client::header& h) { return h.name == "Upload-Complete"; });
            daemon_.take(part, body.substr(0, pick(body.size() + 1)));
          }
          return machine_->broken(now_);
        }
        case 2:  // arrives, but the answer does not
          daemon_.take(sent.head, body);
          return machine_->broken(now_);
        case 3:  // arrives later, too
          late_.push_back({sent.head, body});
          return machine_->broken(now_);
        case 4: {
          const unsigned statuses[] = {429, 503, 507, 500};
          return machine_->answered(
              now_, {statuses[pick(4)], {{"Retry-After", one_in(2) ? "1" : ""}}, ""});
        }
        case 5:
          if (sent.head.method == "PATCH" && sent.bytes > 1) {
            return machine_->answered(now_, {413});
          }
          break;
        case 6:
          if (sent.head.method == "PATCH") {
            return machine_->answered(now_, {409, {}, R"({"code":"busy"})"});
          }
          break;
        case 7:  // arrives twice
          daemon_.take(sent.head, body);
          break;
        default:
          break;
      }
    }
    machine_->answered(now_, daemon_.take(sent.head, body));
  }

  void deliver_late() {
    if (late_.empty()) return;
    const auto which = late_.begin() + static_cast<std::ptrdiff_t>(pick(late_.size()));
    daemon_.take(which->first, which->second);
    late_.erase(which);
  }

  std::function<std::size_t(std::size_t)> pick_;
  std::string source_;
  std::size_t grown_ = 0;
  std::uint64_t window_ = 0;
  std::optional<upload> machine_;
  model_daemon daemon_;
  upload::time now_ = upload::time{} + 1h;
  std::vector<std::pair<request, std::string>> late_;
  std::size_t steps_ = 0, calm_after_ = 0;
  std::string wrong_;
  bool exit_added_ = false;
};

}  // namespace tofud::forward
