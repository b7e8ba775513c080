// Any bytes as what NATS and other daemons say: answers of JetStream, what it delivers, records of
// a run, cards, changes of the outbox, durations, tokens and sessions. What a log gives to a copy
// goes on where the copy ends.
//
// The bytes are pieces between 0x1e. Each answers what is asked next: empty, as a good server does;
// one that begins with '!' by a status; else as it stands. What is asked for is delivered from the
// pieces too: subject, header and data between 0x1f.
#include "daemon/access/session_text.hpp"
#include "daemon/access/token.hpp"
#include "daemon/cluster/errors.hpp"
#include "daemon/cluster/shared_log.hpp"
#include "daemon/history/told_operations.hpp"
#include "daemon/notify/outbox_change.hpp"
#include "daemon/serve/indexed_views.hpp"
#include "daemon/serve/run_card.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud {
namespace {

void demand(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << what << "\n";
  std::abort();
}

using pieces = std::deque<std::string>;

pieces split(std::string_view text, char at) {
  pieces all;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(at, from), text.size());
    all.emplace_back(text.substr(from, to - from));
    from = to + 1;
  }
  return all;
}

/// Says what the pieces say.
class scripted_link final : public cluster::link {
 public:
  explicit scripted_link(pieces said) : said_{std::move(said)} {}

  bool is_up() const override { return true; }
  std::uint64_t reconnects() const override { return 0; }
  std::string trouble() const override { return ""; }
  void publish(cluster::message asked) override {
    if (!asked.subject.starts_with("$JS.API.CONSUMER.MSG.NEXT.")) return;
    while (const auto each = each_.lock()) {
      if (said_.empty()) return;
      deliver(next(), *each);
    }
  }
  net::task<text::result<cluster::message>> ask(cluster::message asked,
                                                std::chrono::milliseconds) override {
    const text::failure nothing{cluster::error::no_answer, 1};
    if (said_.empty()) co_return nothing;
    std::string piece = next();
    if (piece.empty()) piece = good_answer(asked.subject);
    cluster::message answer = said_by(std::move(piece));
    co_return answer;
  }
  held subscribe(const std::string&, handler) override { return nullptr; }
  inbox open_inbox(handler each) override {
    const auto made = std::make_shared<handler>(std::move(each));
    each_ = made;
    return {"inbox", made};
  }

 private:
  std::string next() {
    std::string piece = std::move(said_.front());
    said_.pop_front();
    return piece;
  }
  static cluster::message said_by(std::string piece) {
    if (piece.starts_with('!')) return {"", "", {{"Status", piece.substr(1)}}, ""};
    return {"", "", {}, std::move(piece)};
  }
  std::string good_answer(std::string_view subject) {
    if (subject.starts_with("$JS.API.STREAM.INFO."))
      return R"({"created":"2026-11-27T10:00:00Z","state":{"last_seq":9}})";
    if (subject.starts_with("$JS.API.CONSUMER.CREATE.")) return R"({"name":"c","num_pending":9})";
    return R"({"seq":)" + std::to_string(++seq_) + "}";
  }
  void deliver(std::string piece, const handler& each) {
    if (piece.starts_with('!')) return each(said_by(std::move(piece)));
    pieces parts = split(piece, '\x1f');
    parts.resize(4);
    if (parts[3].empty()) {
      ++seq_;
      const std::string number = std::to_string(seq_);
      parts[3] = "$JS.ACK.t_runs.c.1." + number + "." + number + ".1764237600000000000." +
                 std::to_string(said_.size());
    }
    each({parts[0], parts[3], {{"Tofud", parts[1]}}, parts[2]});
  }

  pieces said_;
  std::uint64_t seq_ = 0;
  std::weak_ptr<handler> each_;
};

/// A run in memory: the copy of a log, and what keeps it.
class memory_run final : public cluster::copy, public journal::run_log {
 public:
  explicit memory_run(journal::run_header header) : header_{std::move(header)} {}

  const journal::run_header& copied_header() const override { return header_; }
  std::uint64_t copied_bytes() const override { return stream_.size(); }
  const std::vector<journal::kept_event>& copied_events() const override { return events_; }
  bool is_copied_whole() const override { return is_over_; }
  bool is_sent_here() const override { return false; }
  net::task<std::shared_ptr<const void>> alone_to_copy() override {
    co_return std::make_shared<const int>();
  }
  net::task<text::failure> take(cluster::record what) override {
    using kind = cluster::record::kind;
    if (what.what == kind::bytes) {
      demand(what.offset <= stream_.size(), "bytes behind a gap");
      const std::uint64_t end = what.offset + what.data.size();
      if (end > stream_.size()) stream_ += what.data.substr(stream_.size() - what.offset);
    }
    if (what.what == kind::event && what.n > events_.size()) {
      demand(what.n == events_.size() + 1, "an event behind a gap");
      events_.push_back({what.n, what.offset, what.data});
    }
    if (what.what == kind::end) is_over_ = true;
    co_return text::failure{};
  }

  net::task<journal::append_result> append(const std::string&, std::string bytes,
                                           ui::time_point) override {
    stream_ += bytes;
    journal::append_result stored;
    stored.offset = stream_.size();
    co_return stored;
  }
  net::task<text::failure> add_event(const std::string&, journal::kept_event event) override {
    events_.push_back(std::move(event));
    co_return text::failure{};
  }
  net::task<text::failure> complete(const std::string&, ui::time_point) override {
    is_over_ = true;
    co_return text::failure{};
  }
  std::string rows_path(const std::string&) const override { return ""; }
  text::failure write_rows(const std::string&, std::string_view) const override { return {}; }
  void rows_were_written(const std::string&) override {}
  std::string attachment_path(const std::string&, std::string_view) const override { return ""; }
  text::failure write_attachment(const std::string&, std::string_view,
                                 std::string_view) const override {
    return {};
  }
  net::task<text::failure> keep_attachments(const std::string&, std::vector<std::string>) override {
    co_return text::failure{};
  }
  net::task<bool> clear_attachments(const std::string&) override { co_return true; }
  files::stream_bytes reader(const std::string&) const override { return {}; }
  std::vector<journal::arrival> arrivals(const std::string&) const override { return {}; }

 private:
  journal::run_header header_;
  std::string stream_;
  std::vector<journal::kept_event> events_;
  bool is_over_ = false;
};

void read_log(pieces said, bool is_followed) {
  boost::asio::io_context loop{1};
  scripted_link over{std::move(said)};
  cluster::jetstream streams{over};
  journal::run_header header;
  header.id = "r";
  const auto here = std::make_shared<memory_run>(header);
  cluster::shared_log log{
      loop,
      streams,
      *here,
      {"t", 1, -1, [here](const std::string&) -> std::shared_ptr<cluster::copy> { return here; },
       nullptr,
       [](const std::string&, const std::string& sentence) {
         demand(sentence.size() < 20'000, "a sentence that is too long");
       }}};
  boost::asio::co_spawn(loop, log.header_of("r"), boost::asio::detached);
  if (is_followed)
    log.follow("r");
  else
    boost::asio::co_spawn(loop, log.bring("r"), boost::asio::detached);
  loop.poll();
  boost::asio::co_spawn(loop, log.append("r", "bytes\n", {}), boost::asio::detached);
  loop.poll();
  log.leave("r");
  loop.poll();
}

void read_values(const pieces& said) {
  std::vector<history::run_operations> did;
  for (const std::string& each : said) {
    if (const auto card = serve::parse_run_card(each)) {
      const std::string again = serve::to_json(*card);
      const auto read = serve::parse_run_card(again);
      demand(read && serve::to_json(*read) == again, "a card that changes");
      static_cast<void>(serve::views_so_far_in(card->told.views));
    }
    if (const auto change = notify::parse_outbox_change(each)) {
      const std::string again = notify::to_json(*change);
      const auto read = notify::parse_outbox_change(again);
      demand(read && notify::to_json(*read) == again, "a change that changes");
    }
    if (const auto session = access::parse_session(each))
      demand(access::parse_session(access::to_text(*session)).has_value(),
             "a session that is lost");
    if (const auto token = access::parse_token_line(each))
      demand(access::parse_token_line(access::to_line(*token)).has_value(), "a token that is lost");
    if (!history::add_text(did, each).empty()) did.clear();
  }
}

}  // namespace
}  // namespace tofud

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud;
  if (size == 0) return 0;
  pieces said = split({reinterpret_cast<const char*>(data) + 1, size - 1}, '\x1e');
  if (data[0] % 3 == 0) {
    read_values(said);
  } else {
    read_log(std::move(said), data[0] % 3 == 1);
  }
  return 0;
}
