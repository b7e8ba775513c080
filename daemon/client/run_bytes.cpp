#include "daemon/client/run_bytes.hpp"

#include "daemon/client/exchange.hpp"
#include "daemon/client/limits.hpp"
#include "protocol/text/percent.hpp"
#include "protocol/text/sizes.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace tofud::client {
namespace {

namespace http = boost::beast::http;

std::string target_of(const std::string& run, std::uint64_t from, until end) {
  std::string target{"/v1/runs/"};
  text::append_percent_encoded(target, run);
  target += "/stream.jsonl?from=" + std::to_string(from);
  return end == until::the_end ? target + "&follow=1" : target;
}

}  // namespace

struct run_bytes::answer_on_the_way {
  explicit answer_on_the_way(connection opened) : socket{std::move(opened)} {
    parser.eager(true);
    parser.body_limit(boost::none);  // what was taken out of it is gone
  }
  connection socket;
  http::response_parser<http::string_body> parser;
  std::string unread;  // the parser waits for more before it takes it
};

run_bytes::run_bytes(place from, std::string run, until end)
    : from_{std::move(from)}, run_{std::move(run)}, end_{end}, last_{clock::now()} {}
run_bytes::run_bytes(run_bytes&&) noexcept = default;
run_bytes& run_bytes::operator=(run_bytes&&) noexcept = default;
run_bytes::~run_bytes() = default;

boost::system::result<std::size_t, failure> run_bytes::read(std::span<char> room) {
  if (over_) return std::size_t{0};
  if (!answer_) {
    if (clock::now() < try_at_) return std::size_t{0};
    if (const auto begun = begin(); !begun) return begun.error();
    if (!answer_) return std::size_t{0};
  }
  std::string& body = answer_->parser.get().body();
  if (body.empty()) {
    if (const auto taken = take(); !taken) return taken.error();
    if (!answer_) return std::size_t{0};
  }
  // The body of a refusal is no stream; `take` reads it to its end.
  if (!answer_->parser.is_header_done() || answer_->parser.get().result_int() != 200)
    return std::size_t{0};
  const std::size_t count = std::min(room.size(), body.size());
  std::copy_n(body.data(), count, room.data());
  body.erase(0, count);
  had_ += count;
  if (count > 0) last_ = clock::now();
  over_ = body.empty() && answer_->parser.is_done();
  return count;
}

bool run_bytes::over() const { return over_; }

void run_bytes::wait(std::chrono::milliseconds most) const {
  if (answer_) {
    answer_->socket.wait(most);
  } else {
    std::this_thread::sleep_for(std::min(most, limits::remote_again));
  }
}

boost::system::result<void, failure> run_bytes::begin() {
  auto opened = connection::open(from_);
  if (!opened) return lose(opened.error());
  const auto sent = opened->send(request_text(from_, "GET", target_of(run_, had_, end_)));
  if (!sent) return lose(sent.error());
  answer_ = std::make_unique<answer_on_the_way>(std::move(*opened));
  return {};
}

boost::system::result<void, failure> run_bytes::take() {
  std::array<char, 64 * limits::kib> room{};
  const auto piece = answer_->socket.read(room);
  if (!piece) return lose(piece.error());
  auto& parser = answer_->parser;
  boost::system::error_code failed;
  if (piece->over) {
    if (parser.got_some()) parser.put_eof(failed);
    const bool whole = !failed && parser.is_done();
    if (!whole) return lose({trouble::silent, "tofud at " + from_.shown + " went away"});
  }
  if (piece->size == 0 && end_ == until::now && clock::now() - last_ > limits::remote_wait) {
    return failure{trouble::silent, "tofud at " + from_.shown + " did not answer in time"};
  }
  answer_->unread.append(room.data(), piece->size);
  while (!answer_->unread.empty() && !parser.is_done()) {
    const std::size_t count = parser.put(boost::asio::buffer(answer_->unread), failed);
    answer_->unread.erase(0, count);
    if (failed == http::error::need_more) break;
    if (failed) {
      return failure{trouble::stranger, "what answers at " + from_.shown + " is no tofud"};
    }
    if (count == 0) break;
  }
  if (!parser.is_header_done() || parser.get().result_int() == 200) return {};
  // Of a refusal the whole body is awaited: the reason stands there.
  if (!parser.is_done()) return {};
  return meaning_of({static_cast<int>(parser.get().result_int()), parser.get().body()}, from_);
}

boost::system::result<void, failure> run_bytes::lose(const failure& why) {
  answer_.reset();
  const auto now = clock::now();
  // Who has had nothing yet need not wait to hear that there is nobody.
  const bool may_return = had_ > 0 && why.what != trouble::stranger;
  if (!may_return || now - last_ > limits::remote_absence) return why;
  try_at_ = now + limits::remote_again;
  return {};
}

}  // namespace tofud::client
