#include "daemon/client/http_client.hpp"

#include "daemon/client/private_address.hpp"
#include "daemon/net/limits.hpp"
#include "daemon/net/listener_owner.hpp"
#include "daemon/net/socket.hpp"
#include "daemon/net/tls_client.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>

namespace tofud::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

using asio::ip::tcp;
using boost::system::error_code;
using endpoint = asio::generic::stream_protocol::endpoint;
using steady = std::chrono::steady_clock;
using timer = asio::basic_waitable_timer<steady, asio::wait_traits<steady>, net::executor>;
using resolver = asio::ip::basic_resolver<tcp, net::executor>;

/// The Unix socket has no address, and is as private as can be.
bool leads_inside(const endpoint& where) {
  tcp::endpoint at;
  if (where.protocol().family() != AF_INET && where.protocol().family() != AF_INET6) return true;
  std::memcpy(at.data(), where.data(), where.size());
  at.resize(where.size());
  return is_private(at.address());
}

bool is_pipe_cut(const error_code& failed) {
  return failed == asio::error::broken_pipe || failed == asio::error::connection_reset;
}

}  // namespace

class http_client::state : public std::enable_shared_from_this<state> {
  using parser = http::response_parser<http::buffer_body>;
  template <class T>
  using outcome = boost::system::result<T, failure>;

 public:
  state(asio::io_context& io, place server, patience waits)
      : io_{io}, server_{std::move(server)}, waits_{waits} {}

  net::task<answered> exchange(request asked) {
    const auto self = shared_from_this();
    const bool has_body = asked.method != "HEAD";
    auto beginning = begin(std::move(asked));
    const outcome<unsigned> status = co_await std::move(beginning);
    if (!status) co_return status.error();
    if (has_body && parser_->content_length().value_or(0) > waits_.answer_bytes)
      co_return end_with(too_long());
    response answer;
    answer.status = *status;
    for (const auto& field : parser_->get().base())
      answer.headers.push_back({std::string{field.name_string()}, std::string{field.value()}});
    std::string piece(limits::answer_piece_bytes, '\0');
    for (;;) {
      auto reading = read(piece);
      const outcome<std::size_t> count = co_await std::move(reading);
      if (!count) co_return count.error();
      if (*count == 0) break;
      answer.body.append(piece, 0, *count);
      if (answer.body.size() > waits_.answer_bytes) {
        close();
        co_return too_long();
      }
    }
    co_return answer;
  }

  net::task<outcome<unsigned>> begin(request asked) {
    const auto self = shared_from_this();
    more_time_ = asked.more_time;
    compose(std::move(asked));
    if (!is_open()) {
      auto connecting = connect();
      const std::optional<failure> failed = co_await std::move(connecting);
      if (failed) {
        close();
        co_return *failed;
      }
      deadline_.cancel();
    }
    await_answer();
    auto writing = http::async_write(*stream_, *message_, net::as_result);
    const auto [unsent, bytes_sent] = co_await std::move(writing);
    // A daemon may refuse a body before it has read it all.
    if (unsent && !is_pipe_cut(unsent)) co_return end_with(broken(unsent));
    is_cut_ = static_cast<bool>(unsent);
    auto reading = http::async_read_header(*stream_, buffer_, *parser_, net::as_result);
    const auto [unread, bytes_read] = co_await std::move(reading);
    if (unread) co_return end_with(why_no_head(unread));
    if (parser_->get().result_int() < 200) co_return end_with(no_http());
    co_return parser_->get().result_int();
  }

  net::task<outcome<std::size_t>> read(std::span<char> room) {
    const auto self = shared_from_this();
    std::size_t count = 0;
    if (parser_ && parser_->is_done()) {
      finish();
      co_return count;
    }
    if (!parser_ || !stream_) co_return end_with(broken(asio::error::not_connected));
    while (count == 0 && !parser_->is_done()) {
      if (waits_.answer_is == patience::counts::each_piece) await_answer();
      auto& body = parser_->get().body();
      body.data = room.data();
      body.size = room.size();
      auto reading = http::async_read_some(*stream_, buffer_, *parser_, net::as_result);
      const auto [failed, bytes_read] = co_await std::move(reading);
      count = room.size() - parser_->get().body().size;
      if (failed && failed != http::error::need_buffer) co_return end_with(why_cut(failed));
    }
    if (count > 0 && !parser_->is_done()) {
      // Until more is asked for nobody waits for it.
      if (waits_.answer_is == patience::counts::each_piece) deadline_.cancel();
      co_return count;
    }
    if (parser_->is_done()) finish();
    co_return count;
  }

  void abandon() noexcept {
    try {
      abandoned_ = true;
      cut_off();
    } catch (const std::exception&) {  // then the server closes it in the end
    }
  }
  bool is_abandoned() const { return abandoned_; }
  asio::io_context& io() { return io_; }
  const std::string& distrust() const { return distrust_; }

 private:
  // ---- what went wrong ------------------------------------------------------------------------

  failure broken(const error_code& why) const {
    if (timed_out_) return silent();
    return {trouble::silent, "the connection to " + server_.shown + " broke: " + why.message()};
  }
  std::string who() const { return (server_.is_daemon ? "tofud at " : "") + server_.shown; }
  failure silent() const { return {trouble::silent, who() + " did not answer in time"}; }
  failure no_http() const {
    return {trouble::other_server, "what answers at " + server_.shown +
                                       (server_.is_daemon ? " is not a tofud daemon: it" : "") +
                                       " does not speak HTTP"};
  }
  failure too_long() const {
    return {trouble::refused, "the answer of " + server_.shown + " is longer than " +
                                  std::to_string(waits_.answer_bytes) + " bytes"};
  }
  failure absent(const error_code& why) const {
    return {trouble::absent, (server_.is_daemon ? "no daemon answers at " : "nobody answers at ") +
                                 server_.shown + " (" +
                                 (timed_out_ ? error_code{asio::error::timed_out} : why).message() +
                                 (server_.is_daemon ? "); `tofud serve` starts one" : ")")};
  }
  failure why_no_head(const error_code& why) const {
    if (timed_out_ || is_pipe_cut(why) || why == asio::error::operation_aborted) return broken(why);
    return no_http();
  }
  failure why_cut(const error_code& why) const {
    if (timed_out_ || is_pipe_cut(why)) return broken(why);
    if (why == http::error::body_limit) return too_long();
    if (why == http::error::partial_message || why == http::error::end_of_stream)
      return {trouble::silent, who() + " closed the connection in the middle of its answer"};
    return no_http();
  }
  failure end_with(failure what) {
    close();
    return what;
  }

  // ---- the connection -------------------------------------------------------------------------

  net::task<std::optional<failure>> connect() {
    const auto self = shared_from_this();
    stream_.emplace(net::stream_socket::plain_socket{io_.get_executor()});
    expires_after(waits_.connect);
    std::vector<endpoint> where;
    error_code failed;
    const auto address = asio::ip::make_address(server_.host, failed);
    if (!server_.socket.empty()) {
      where.emplace_back(asio::local::stream_protocol::endpoint{server_.socket});
    } else if (!failed) {
      where.emplace_back(tcp::endpoint{address, server_.port});
    } else {
      auto resolving =
          resolver_.async_resolve(server_.host, std::to_string(server_.port), net::as_result);
      const auto [unknown, found] = co_await std::move(resolving);
      if (unknown || abandoned_) co_return absent(unknown);
      for (const auto& each : found) where.emplace_back(each.endpoint());
    }
    if (server_.public_only) std::erase_if(where, leads_inside);
    if (where.empty()) co_return failure{trouble::refused, no_public_address()};
    auto connecting = asio::async_connect(stream_->next_layer(), where, net::as_result);
    const auto [refused, reached] = co_await std::move(connecting);
    if (refused || abandoned_) co_return absent(refused);
    error_code ignored;
    stream_->non_blocking(true, ignored);
    distrust_.clear();
    if (server_.tls) {
      auto shaking = shake_hands();
      co_return co_await std::move(shaking);
    }
    if (server_.socket.empty()) distrust_ = why_not_trusted();
    if (distrust_.empty()) co_return std::nullopt;
    co_return failure{trouble::other_server,
                      "nothing is sent to " + server_.shown + ": " + distrust_};
  }

  net::task<std::optional<failure>> shake_hands() {
    const auto self = shared_from_this();
    stream_->encrypt(server_.tls->make(server_.host));
    for (;;) {
      const auto failed = stream_->handshake();
      if (!failed) co_return std::nullopt;
      std::string why;
      if (failed == asio::error::would_block) {
        auto waiting = stream_->async_wait(net::stream_socket::wait_read, net::as_result);
        const auto [cut] = co_await std::move(waiting);
        if (!cut) continue;
        why = timed_out_ ? "no data came in time" : cut.message();
      } else {
        why = stream_->tls()->why();
      }
      distrust_ = "TLS: " + why;
      co_return failure{trouble::other_server, "TLS failed with " + server_.shown + ": " + why};
    }
  }

  /// See net::distrust_of_listener.
  std::string why_not_trusted() {
    error_code failed;
    const auto other = stream_->next_layer().remote_endpoint(failed);
    tcp::endpoint at;
    if (failed || other.size() > at.capacity()) return "";
    std::memcpy(at.data(), other.data(), other.size());
    at.resize(other.size());
    return net::distrust_of_listener(at);
  }

  /// The other end may have closed meanwhile; then a request on it would be lost for nothing.
  bool is_open() {
    if (!stream_ || !stream_->is_open()) return false;
    char next = 0;
    error_code none;
    stream_->peek(next, none);
    if (none == asio::error::would_block) return true;
    close();
    return false;
  }

  void await_answer() {
    if (waits_.answer.count() > 0) expires_after(waits_.answer + more_time_);
  }

  /// What is under way by then ends.
  void expires_after(std::chrono::milliseconds time) {
    timed_out_ = false;
    deadline_.expires_after(time);
    deadline_.async_wait([weak = weak_from_this()](error_code failed) {
      const auto self = weak.lock();
      if (failed || !self || self->deadline_.expiry() > steady::now()) return;
      self->timed_out_ = true;
      self->cut_off();
    });
  }

  std::string no_public_address() const {
    return server_.shown + " is an address of this machine or of a private network";
  }

  void cut_off() {
    error_code ignored;
    if (stream_) stream_->close(ignored);
    resolver_.cancel();
    deadline_.cancel();
  }

  void compose(request asked) {
    buffer_.clear();
    message_.emplace();
    message_->method_string(asked.method);
    message_->target(server_.base + asked.target);
    message_->version(11);
    message_->set(http::field::host, server_.header);
    message_->set(http::field::user_agent, "tofud");
    if (!server_.authorization.empty())
      message_->set(http::field::authorization, server_.authorization);
    for (const header& each : asked.headers) message_->set(each.name, each.value);
    message_->body() = std::move(asked.body);
    const bool may_have_body = asked.method != "HEAD" && asked.method != "GET";
    if (may_have_body || !message_->body().empty())
      message_->content_length(message_->body().size());
    parser_.emplace();
    parser_->header_limit(limits::header_bytes);
    parser_->body_limit(boost::none);  // bounded by who takes it
    parser_->skip(asked.method == "HEAD");
  }

  /// The whole answer is there.
  void finish() {
    deadline_.cancel();
    if (is_cut_ || !parser_->keep_alive() || parser_->need_eof()) close();
  }

  void close() {
    deadline_.cancel();
    stream_.reset();
    buffer_.clear();
    is_cut_ = false;
  }

  asio::io_context& io_;
  place server_;
  patience waits_;
  resolver resolver_{io_.get_executor()};
  timer deadline_{io_.get_executor()};
  std::optional<net::stream_socket> stream_;
  std::string distrust_;
  beast::flat_buffer buffer_{limits::header_bytes + limits::answer_piece_bytes};
  std::optional<http::request<http::string_body>> message_;
  std::optional<parser> parser_;
  std::chrono::milliseconds more_time_{0};  // for what is under way
  bool is_cut_ = false;                     // the request was not taken whole
  bool timed_out_ = false, abandoned_ = false;
};

http_client::http_client(asio::io_context& io, const place& server, patience waits)
    : state_{std::make_shared<state>(io, server, waits)} {}

http_client::~http_client() { state_->abandon(); }

const std::string& http_client::distrust() const { return state_->distrust(); }

net::task<answered> http_client::exchange(request asked) {
  return state_->exchange(std::move(asked));
}

void http_client::exchange(request asked, std::function<void(answered)> done) {
  const auto over = [of = state_, done = std::move(done)](const std::exception_ptr& thrown,
                                                          answered answer) {
    if (of->is_abandoned()) return;
    if (thrown) std::rethrow_exception(thrown);
    done(std::move(answer));
  };
  asio::co_spawn(state_->io(), state_->exchange(std::move(asked)), over);
}

net::task<boost::system::result<unsigned, failure>> http_client::begin(request asked) {
  return state_->begin(std::move(asked));
}

net::task<boost::system::result<std::size_t, failure>> http_client::read(std::span<char> room) {
  return state_->read(room);
}

}  // namespace tofud::client
