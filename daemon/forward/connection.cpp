#include "daemon/forward/connection.hpp"

#include "daemon/forward/limits.hpp"
#include "daemon/net/limits.hpp"
#include "daemon/net/listener_owner.hpp"
#include "daemon/net/socket.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <chrono>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace tofud::forward {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

using asio::ip::tcp;
using endpoint = asio::generic::stream_protocol::endpoint;
using steady = std::chrono::steady_clock;
using timer = asio::basic_waitable_timer<steady, asio::wait_traits<steady>, net::executor>;
using resolver = asio::ip::basic_resolver<tcp, net::executor>;

/// Nothing: it is a name.
std::optional<endpoint> endpoint_of(const server_place& server) {
  if (!server.socket.empty()) return asio::local::stream_protocol::endpoint{server.socket};
  beast::error_code failed;
  const auto address = asio::ip::make_address(server.address, failed);
  if (failed) return std::nullopt;
  return tcp::endpoint{address, server.port};
}

}  // namespace

class connection::state : public std::enable_shared_from_this<state> {
 public:
  state(asio::io_context& io, const server_place& server, patience waits)
      : io_{io}, server_{server}, waits_{waits} {}

  void exchange(request asked, std::function<void(std::optional<response>)> done) {
    done_ = std::move(done);
    more_time_ = asked.more_time;
    compose(std::move(asked));
    if (is_open()) return send();
    stream_.emplace(net::stream_socket::plain_socket{io_.get_executor()});
    expires_after(waits_.connect);
    if (const auto known = endpoint_of(server_)) return connect({*known});
    resolver_.async_resolve(
        server_.address, std::to_string(server_.port),
        [self = shared_from_this()](beast::error_code failed, const resolver::results_type& found) {
          if (failed || !self->done_) return self->end(std::nullopt);
          std::vector<endpoint> all;
          for (const auto& each : found) all.emplace_back(each.endpoint());
          self->connect(std::move(all));
        });
  }

  void abandon() noexcept {
    try {
      // Operations refer to the stream until they have been told of the end.
      if (std::exchange(done_, nullptr)) cut_off();
    } catch (const std::exception&) {  // then the server closes it in the end
    }
  }

  const std::string& distrust() const { return distrust_; }

 private:
  void connect(std::vector<endpoint> where) {
    where_ = std::move(where);
    asio::async_connect(stream_->next_layer(), where_,
                        [self = shared_from_this()](beast::error_code failed, const endpoint&) {
                          if (failed) return self->end(std::nullopt);
                          self->connected();
                        });
  }

  void connected() {
    beast::error_code ignored;
    stream_->non_blocking(true, ignored);
    if (!server_.tls) {
      distrust_ = server_.socket.empty() ? why_not_trusted() : "";
      return distrust_.empty() ? send() : end(std::nullopt);
    }
    stream_->encrypt(server_.tls->make(server_.address));
    shake_hands();
  }

  /// See net::distrust_of_listener.
  std::string why_not_trusted() {
    beast::error_code failed;
    const auto other = stream_->next_layer().remote_endpoint(failed);
    tcp::endpoint at;
    if (failed || other.size() > at.capacity()) return "";
    std::memcpy(at.data(), other.data(), other.size());
    at.resize(other.size());
    return net::distrust_of_listener(at);
  }

  void shake_hands() {
    const auto failed = stream_->handshake();
    if (!failed) {
      distrust_.clear();
      return send();
    }
    if (failed != asio::error::would_block) {
      distrust_ = "TLS: " + stream_->tls()->why();
      return end(std::nullopt);
    }
    stream_->async_wait(net::stream_socket::wait_read,
                        [self = shared_from_this()](beast::error_code waited) {
                          if (waited) return self->end(std::nullopt);
                          self->shake_hands();
                        });
  }

  /// What is under way by then ends.
  void expires_after(std::chrono::milliseconds time) {
    deadline_.expires_after(time);
    deadline_.async_wait([weak = weak_from_this()](beast::error_code failed) {
      const auto self = weak.lock();
      if (failed || !self || self->deadline_.expiry() > steady::now()) return;
      self->cut_off();
    });
  }

  void cut_off() {
    beast::error_code ignored;
    if (stream_) stream_->close(ignored);
    resolver_.cancel();
    deadline_.cancel();
  }

  void compose(request asked) {
    message_.emplace();
    message_->method_string(asked.method);
    message_->target(server_.base + asked.target);
    message_->version(11);
    message_->set(http::field::host, server_.host);
    message_->set(http::field::user_agent, "tofud");
    if (!server_.authorization.empty()) {
      message_->set(http::field::authorization, server_.authorization);
    }
    for (const header& each : asked.headers) message_->set(each.name, each.value);
    message_->body() = std::move(asked.body);
    if (asked.method != "HEAD") message_->content_length(message_->body().size());
    parser_.emplace();
    parser_->header_limit(limits::header_bytes);
    parser_->body_limit(limits::answer_bytes);
    parser_->skip(asked.method == "HEAD");
  }

  /// The other end may have closed meanwhile; then a request on it would be lost for nothing.
  bool is_open() {
    if (!stream_ || !stream_->is_open()) return false;
    char next = 0;
    beast::error_code none;
    stream_->peek(next, none);
    if (none == asio::error::would_block) return true;
    close();
    return false;
  }

  // One deadline for request and answer: who trickles gets no more time than who is silent.
  void send() {
    if (!done_) return end(std::nullopt);
    expires_after(waits_.answer + more_time_);
    http::async_write(*stream_, *message_,
                      [self = shared_from_this()](beast::error_code failed, std::size_t) {
                        // A daemon may refuse a body before it has read it all.
                        if (failed && failed != asio::error::broken_pipe &&
                            failed != asio::error::connection_reset) {
                          return self->end(std::nullopt);
                        }
                        self->cut_ = static_cast<bool>(failed);
                        self->receive();
                      });
  }

  void receive() {
    if (!done_) return end(std::nullopt);
    http::async_read(*stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code failed, std::size_t) {
                       if (failed) return self->end(std::nullopt);
                       self->took();
                     });
  }

  void took() {
    const auto& said = parser_->get();
    if (said.result_int() < 200) return end(std::nullopt);
    response answer;
    answer.status = said.result_int();
    answer.upload_offset = said["Upload-Offset"];
    answer.upload_complete = said["Upload-Complete"];
    answer.retry_after = said[http::field::retry_after];
    answer.body = said.body();
    if (cut_ || !said.keep_alive() || parser_->need_eof()) close();
    end(std::move(answer));
  }

  void close() {
    stream_.reset();
    buffer_.clear();
    cut_ = false;
  }

  void end(std::optional<response> answer) {
    deadline_.cancel();
    if (!answer) close();
    const auto done = std::exchange(done_, nullptr);
    if (done) done(std::move(answer));
  }

  asio::io_context& io_;
  server_place server_;
  patience waits_;
  std::vector<endpoint> where_;
  resolver resolver_{io_.get_executor()};
  timer deadline_{io_.get_executor()};
  std::optional<net::stream_socket> stream_;
  std::string distrust_;
  beast::flat_buffer buffer_{limits::header_bytes + limits::answer_bytes};
  std::optional<http::request<http::string_body>> message_;
  std::optional<http::response_parser<http::string_body>> parser_;
  std::function<void(std::optional<response>)> done_;
  std::chrono::milliseconds more_time_{0};  // for what is under way
  bool cut_ = false;                        // the request was not taken whole
};

connection::connection(asio::io_context& io, const server_place& server, patience waits)
    : state_{std::make_shared<state>(io, server, waits)} {}

connection::~connection() { state_->abandon(); }

const std::string& connection::distrust() const { return state_->distrust(); }

void connection::exchange(request asked, std::function<void(std::optional<response>)> done) {
  state_->exchange(std::move(asked), std::move(done));
}

}  // namespace tofud::forward
