#include "daemon/forward/connection.hpp"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <cerrno>
#include <sys/socket.h>
#include <utility>

namespace tofud::forward {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

using stream = beast::basic_stream<asio::generic::stream_protocol, asio::io_context::executor_type>;
using endpoint = asio::generic::stream_protocol::endpoint;

endpoint endpoint_of(const server_place& server) {
  if (!server.socket.empty()) return asio::local::stream_protocol::endpoint{server.socket};
  return asio::ip::tcp::endpoint{asio::ip::make_address(server.address), server.port};
}

}  // namespace

class connection::state : public std::enable_shared_from_this<state> {
 public:
  state(asio::io_context& io, const server_place& server, patience waits)
      : io_{io},
        where_{endpoint_of(server)},
        host_{server.host},
        authorization_{server.authorization},
        waits_{waits} {}

  void exchange(request asked, std::function<void(std::optional<response>)> done) {
    done_ = std::move(done);
    compose(std::move(asked));
    if (is_open()) return send();
    stream_.emplace(io_);
    stream_->expires_after(waits_.connect);
    stream_->async_connect(where_, [self = shared_from_this()](beast::error_code failed) {
      if (failed) return self->end(std::nullopt);
      self->send();
    });
  }

  void abandon() {
    // Beast's operations refer to the stream until they have been told of the end.
    if (std::exchange(done_, nullptr) && stream_) stream_->close();
  }

 private:
  void compose(request asked) {
    message_.emplace();
    message_->method_string(asked.method);
    message_->target(asked.target);
    message_->version(11);
    message_->set(http::field::host, host_);
    message_->set(http::field::user_agent, "tofud");
    if (!authorization_.empty()) message_->set(http::field::authorization, authorization_);
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
    if (!stream_ || !stream_->socket().is_open()) return false;
    char next = 0;
    const auto n = ::recv(stream_->socket().native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    close();
    return false;
  }

  // One deadline for request and answer: who trickles gets no more time than who is silent.
  void send() {
    if (!done_) return;
    stream_->expires_after(waits_.answer);
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
    if (!done_) return;
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
    if (!answer) close();
    const auto done = std::exchange(done_, nullptr);
    if (done) done(std::move(answer));
  }

  asio::io_context& io_;
  endpoint where_;
  std::string host_, authorization_;
  patience waits_;
  std::optional<stream> stream_;
  beast::flat_buffer buffer_{limits::header_bytes + limits::answer_bytes};
  std::optional<http::request<http::string_body>> message_;
  std::optional<http::response_parser<http::string_body>> parser_;
  std::function<void(std::optional<response>)> done_;
  bool cut_ = false;  // the request was not taken whole
};

connection::connection(asio::io_context& io, const server_place& server, patience waits)
    : state_{std::make_shared<state>(io, server, waits)} {}

connection::~connection() { state_->abandon(); }

void connection::exchange(request asked, std::function<void(std::optional<response>)> done) {
  state_->exchange(std::move(asked), std::move(done));
}

}  // namespace tofud::forward
