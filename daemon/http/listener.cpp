#include "daemon/http/listener.hpp"

#include "daemon/http/connection.hpp"
#include "protocol/whole_number.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <exception>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace tofud::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr asio::as_tuple_t<asio::use_awaitable_t<executor>> as_result{};

/// Connections over the limit that may be told so at a time; more are just closed.
constexpr std::size_t refusals_at_once = 64;

/// Before another accept when descriptors or memory ran out: whoever ends gives some back.
constexpr std::chrono::milliseconds accept_pause{200};

void close_on_exec(int fd) { (void)::fcntl(fd, F_SETFD, FD_CLOEXEC); }

using tcp_socket = asio::basic_stream_socket<tcp, executor>;
using local_socket = asio::basic_stream_socket<asio::local::stream_protocol, executor>;

void set_tcp_options(int fd) {
  const auto set = [fd](int level, int option, int value) {
    (void)::setsockopt(fd, level, option, &value, sizeof value);
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  // A stream may be silent for hours; a machine that is gone is not to be waited for.
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, limits::keep_alive_idle_s);
  set(IPPROTO_TCP, TCP_KEEPINTVL, limits::keep_alive_every_s);
  set(IPPROTO_TCP, TCP_KEEPCNT, limits::keep_alive_tries);
}

/// Loopback is open to every user of the machine; of other machines nothing is known.
peer peer_of(listener_state& state, const tcp_socket& socket) {
  error_code ec;
  const auto other = socket.remote_endpoint(ec);
  if (ec) return {};
  peer found{other.address().to_string(), false};
  const auto here = socket.local_endpoint(ec);
  if (ec || !other.address().is_loopback()) return found;
  const auto uid = state.peers.find(other, here);
  found.is_ours = uid && (*uid == ::geteuid() || *uid == 0);
  return found;
}

peer peer_of(listener_state&, local_socket& socket) {
  return {"", is_ours_or_roots(socket.native_handle())};
}

std::optional<response> refuse_peer(const listener_state& state, transport via, const peer& from) {
  if (from.is_ours) return std::nullopt;
  if (via == transport::tcp && state.check) return std::nullopt;
  if (via == transport::local && state.options.local == local_peers::mode) return std::nullopt;
  return problem(403, "this tofud belongs to another user");
}

void log_end(listener_state& state, const std::exception_ptr& thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    state.complain(e.what());
  } catch (...) {
    state.complain("unknown exception");
  }
}

std::optional<response> refuse(const listener_state& state, transport via, const peer& from) {
  if (state.count > state.options.connections) return problem(503, "too many connections");
  return refuse_peer(state, via, from);
}

transport door_of(const tcp_socket&) { return transport::tcp; }
transport door_of(const local_socket&) { return transport::local; }

template <class Socket>
void begin(const std::shared_ptr<listener_state>& state, Socket socket) {
  const int fd = socket.native_handle();
  close_on_exec(fd);
  if (door_of(socket) == transport::tcp) set_tcp_options(fd);
  error_code ec;
  socket.non_blocking(true, ec);
  if (ec) return;
  ++state->count;
  std::shared_ptr<void> ticket{nullptr, [state](void*) { --state->count; }};
  if (state->count > state->options.connections + refusals_at_once) return;
  const auto via = door_of(socket);
  auto from = peer_of(*state, socket);
  auto refused = refuse(*state, via, from);
  auto serving = serve_connection(state, stream_socket{std::move(socket)}, via, std::move(from),
                                  std::move(ticket), std::move(refused));
  asio::co_spawn(state->io.get_executor(), std::move(serving),
                 [state](const std::exception_ptr& thrown) { log_end(*state, thrown); });
}

template <class Acceptor>
asio::awaitable<void, executor> accept_all(std::shared_ptr<listener_state> state, Acceptor& door) {
  timer pause{state->io.get_executor()};
  while (!state->closed) {
    auto [ec, socket] = co_await door.async_accept(as_result);
    if (!ec) {
      try {
        begin(state, std::move(socket));
      } catch (const std::exception& e) {
        state->complain(e.what());
      }
      continue;
    }
    if (state->closed || ec == asio::error::operation_aborted) co_return;
    if (ec == asio::error::connection_aborted || ec == asio::error::interrupted) continue;
    state->complain(ec.message());
    pause.expires_after(accept_pause);
    co_await pause.async_wait(as_result);
  }
}

std::string text_of(const tcp::endpoint& where) {
  const auto host = where.address().to_string();
  const auto port = std::to_string(where.port());
  return where.address().is_v6() ? "[" + host + "]:" + port : host + ":" + port;
}

}  // namespace

void throw_exception_from_error(const listen_failure& failure, const boost::source_location&) {
  throw std::runtime_error{failure.message};
}

boost::system::result<listen_address, listen_failure> parse_listen_address(std::string_view text) {
  const auto colon = text.rfind(':');
  const std::string shown{text};
  if (colon == std::string_view::npos) {
    return listen_failure{"--listen " + shown + ": ADDR:PORT is wanted, such as 127.0.0.1:8638"};
  }
  std::string host{text.substr(0, colon)};
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  listen_address where;
  where.more_ports = 0;
  const auto port = parse_whole_number<std::uint16_t>(text.substr(colon + 1));
  if (!port) {
    return listen_failure{"--listen " + shown + ": no port from 0 to 65535 after the last colon"};
  }
  where.port = *port;
  error_code ec;
  where.address = asio::ip::make_address(host, ec);
  if (ec) return listen_failure{"--listen " + shown + ": no IP address before the last colon"};
  if (!where.address.is_loopback()) {
    return listen_failure{"--listen " + shown +
                          ": only loopback addresses (127.0.0.1, [::1]) are served so far"};
  }
  return where;
}

listener_state::listener_state(asio::io_context& context, const router& table,
                               listener_options chosen)
    : io{context},
      routes{table},
      options{chosen},
      door{context.get_executor()},
      local_accepting{context.get_executor()},
      sweep_clock{context.get_executor()} {}

void listener_state::sweep_later() {
  if (sweeping || open.empty()) return;
  sweeping = true;
  sweep_clock.expires_after(options.sweep);
  sweep_clock.async_wait([weak = weak_from_this()](error_code ec) {
    const auto self = weak.lock();
    if (!self) return;
    self->sweeping = false;
    if (ec) return;
    self->sweep();
    self->sweep_later();
  });
}

void listener_state::sweep() {
  const auto now = steady::now();
  for (auto& one : open) {
    if (one.deadline > now) continue;
    one.deadline = steady::time_point::max();
    one.timed_out = true;
    error_code ignored;
    one.socket.cancel(ignored);
  }
}

void listener_state::close() {
  closed = true;
  error_code ignored;
  door.close(ignored);
  local_accepting.close(ignored);
  local.reset();
  for (auto& one : open) {
    if (one.idle) one.socket.cancel(ignored);
  }
}

void listener_state::cut_bodies() {
  error_code ignored;
  for (auto& one : open) {
    if (!one.receiving) continue;
    one.cut = true;
    one.socket.cancel(ignored);
    if (one.waiting != nullptr) one.waiting->cancel();
  }
}

void listener_state::complain(std::string_view what) noexcept {
  ++complaints;
  const auto now = steady::now();
  if (complained != steady::time_point{} && now - complained < std::chrono::seconds{1}) return;
  complained = now;
  try {
    spdlog::warn("a connection failed: {} ({} so far)", what, complaints);
  } catch (...) {  // nowhere left to say it
  }
}

listener::listener(asio::io_context& io, const router& routes, listener_options options)
    : state_{std::make_shared<listener_state>(io, routes, options)} {}

listener::~listener() { state_->close(); }

boost::system::result<tcp::endpoint, listen_failure> listener::bind(const listen_address& where) {
  auto& door = state_->door;
  error_code ec;
  const unsigned last = std::min<unsigned>(where.port + where.more_ports, 65535);
  for (unsigned port = where.port; port <= last; ++port) {
    const tcp::endpoint wish{where.address, static_cast<std::uint16_t>(port)};
    door.close(ec);
    door.open(wish.protocol(), ec);
    if (ec) break;
    close_on_exec(door.native_handle());
    door.set_option(acceptor::reuse_address{true}, ec);
    door.bind(wish, ec);
    if (!ec) door.listen(acceptor::max_listen_connections, ec);
    if (!ec) {
      const auto bound = door.local_endpoint(ec);
      if (!ec) {
        state_->port = bound.port();
        return bound;
      }
    }
    if (ec != asio::error::address_in_use && ec != asio::error::access_denied) break;
  }
  error_code ignored;
  door.close(ignored);
  std::string place = text_of({where.address, where.port});
  if (where.more_ports > 0)
    place += " and the " + std::to_string(where.more_ports) + " ports after it";
  return listen_failure{"cannot listen on " + place + ": " + ec.message()};
}

boost::system::result<void, listen_failure> listener::bind_local(const std::string& path) {
  auto opened = local_door::open(path);
  if (!opened) return opened.error();
  error_code ec;
  const int fd = opened->take();
  state_->local_accepting.assign(asio::local::stream_protocol{}, fd, ec);
  if (ec) {
    ::close(fd);
    return listen_failure{"cannot listen on the Unix socket " + path + ": " + ec.message()};
  }
  state_->local.emplace(std::move(*opened));
  return {};
}

void listener::on_raw(std::function<std::unique_ptr<body_taker>()> open) {
  state_->raw = std::move(open);
}

void listener::check_first(request_check check) { state_->check = std::move(check); }

void listener::start() {
  const auto log = [state = state_](const std::exception_ptr& thrown) { log_end(*state, thrown); };
  if (state_->door.is_open()) {
    auto accepting = accept_all(state_, state_->door);
    asio::co_spawn(state_->io.get_executor(), std::move(accepting), log);
  }
  if (state_->local_accepting.is_open()) {
    auto accepting = accept_all(state_, state_->local_accepting);
    asio::co_spawn(state_->io.get_executor(), std::move(accepting), log);
  }
}

void listener::close() { state_->close(); }

void listener::cut_bodies() { state_->cut_bodies(); }

std::size_t listener::connections() const { return state_->count; }

}  // namespace tofud::http
