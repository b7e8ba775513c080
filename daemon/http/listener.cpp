#include "daemon/http/listener.hpp"

#include "daemon/http/connection.hpp"
#include "daemon/http/limits.hpp"
#include "daemon/operations/log_event.hpp"
#include "protocol/text/whole_number.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace tofud::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

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
  found.uid = state.peers.find(other, here);
  found.is_ours = found.uid && (*found.uid == ::geteuid() || *found.uid == 0);
  return found;
}

/// Whether it may use the socket at all is said here, once for requests and raw streams.
peer peer_of(listener_state& state, local_socket& socket, const acceptance& accepted) {
  peer found;
  found.uid = uid_of(socket.native_handle());
  found.is_ours = found.uid && (*found.uid == ::geteuid() || *found.uid == 0);
  const auto usual = accepted.was_given ? local_peers::mode : local_peers::owner;
  found.is_admitted = state.options.local.value_or(usual) == local_peers::mode;
  return found;
}

peer peer_of(listener_state& state, tcp_socket& socket, const acceptance&) {
  return peer_of(state, socket);
}

std::optional<response> refuse_peer(const listener_state& state, transport via, const peer& from) {
  if (from.is_ours || from.is_admitted) return std::nullopt;
  if (via == transport::tcp && state.check) return std::nullopt;
  return problem(403, "this tofud belongs to another user");
}

void log_end(listener_state& state, const std::exception_ptr& thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    state.log_failure(e.what());
  } catch (...) {
    state.log_failure("unknown exception");
  }
}

/// The other end's address, IPv4 as such however it came; nothing on Unix sockets.
std::optional<asio::ip::address> address_of(const tcp_socket& socket) {
  error_code ec;
  const auto peer = socket.remote_endpoint(ec);
  if (ec) return std::nullopt;
  const auto found = peer.address();
  if (found.is_v6() && found.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, found.to_v6());
  }
  return found;
}
std::optional<asio::ip::address> address_of(const local_socket&) { return std::nullopt; }

/// Counts a connection for as long as it is kept.
class ticket {
 public:
  ticket(std::shared_ptr<listener_state> state, std::string address)
      : state_{std::move(state)}, address_{std::move(address)} {
    ++state_->count;
    if (!address_.empty()) of_address_ = ++state_->by_address[address_];
  }
  ticket(const ticket&) = delete;
  ticket& operator=(const ticket&) = delete;
  ~ticket() {
    --state_->count;
    if (address_.empty()) return;
    const auto found = state_->by_address.find(address_);
    if (--found->second == 0) state_->by_address.erase(found);
  }
  /// Connections of its address when it came, this one among them; 0: they are not counted.
  std::size_t of_address() const { return of_address_; }

 private:
  std::shared_ptr<listener_state> state_;
  std::string address_;
  std::size_t of_address_ = 0;
};

std::optional<response> refuse(listener_state& state, transport via, const peer& from,
                               const ticket& its) {
  const auto& options = state.options;
  if (state.count > options.connections + options.connections_in_reserve) {
    ++state.counted.refused_connections;
    return problem(503, "too many connections");
  }
  if (its.of_address() > options.connections_per_address) {
    ++state.counted.refused_address;
    auto answer =
        problem(429, "one address has at most " + std::to_string(options.connections_per_address) +
                         " connections");
    answer.headers.push_back({"Retry-After", std::to_string(limits::retry_after.count())});
    return answer;
  }
  auto refused = refuse_peer(state, via, from);
  if (refused) ++state.counted.refused_peers;
  return refused;
}

template <class Socket>
void begin(const std::shared_ptr<listener_state>& state, Socket socket, acceptance accepted) {
  const int fd = socket.native_handle();
  close_on_exec(fd);
  if (accepted.via == transport::tcp) set_tcp_options(fd);
  error_code ec;
  socket.non_blocking(true, ec);
  if (ec) return;
  ++state->counted.accepted;
  const auto& options = state->options;
  const auto address = address_of(socket);
  const auto its =
      std::make_shared<ticket>(state, address ? counted_as(options, *address) : std::string{});
  if (state->count > options.connections + options.connections_in_reserve + refusals_at_once) {
    ++state->counted.refused_connections;
    return;
  }
  if (state->count > options.connections) accepted.reserved = true;
  auto from = peer_of(*state, socket, accepted);
  if (address) from.address = address->to_string();
  auto refused = refuse(*state, accepted.via, from, *its);
  const bool encrypt = accepted.via == transport::tcp && options.tls;
  stream_socket taken{std::move(socket)};
  if (encrypt) taken.encrypt(options.tls->make());
  state->bound_unauthenticated();
  auto serving =
      serve_connection(state, std::move(taken), accepted, std::move(from), its, std::move(refused));
  asio::co_spawn(state->io.get_executor(), std::move(serving),
                 [state](const std::exception_ptr& thrown) { log_end(*state, thrown); });
}

bool is_out_of_descriptors(const error_code& ec) {
  return ec == asio::error::no_descriptors || ec.value() == ENFILE;
}

template <class Acceptor>
asio::awaitable<void, executor> accept_all(std::shared_ptr<listener_state> state,
                                           Acceptor& accepting, acceptance by) {
  timer pause{state->io.get_executor()};
  bool spared = false;
  while (!state->closed) {
    auto [ec, socket] = co_await accepting.async_accept(as_result);
    if (!ec) {
      try {
        auto accepted = by;
        if (accepted.via == transport::local) accepted.port = state->port;
        const bool has_spare = state->spare.take();
        accepted.reserved = std::exchange(spared, false) && !has_spare;
        begin(state, std::move(socket), accepted);
      } catch (const std::exception& e) {
        state->log_failure(e.what());
      }
      continue;
    }
    if (state->closed || ec == asio::error::operation_aborted) co_return;
    if (ec == asio::error::connection_aborted || ec == asio::error::interrupted) continue;
    if (is_out_of_descriptors(ec)) {
      ++state->counted.out_of_descriptors;
      // One at a time gets in all the same, for what must go on.
      if (!spared && state->spare.give()) {
        spared = true;
        continue;
      }
    }
    state->log_failure(ec.message());
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
    return listen_failure{"--listen " + shown + " is not ADDR:PORT, such as 127.0.0.1:8638"};
  }
  std::string host{text.substr(0, colon)};
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  listen_address where;
  where.more_ports = 0;
  const auto port = text::parse_whole_number<std::uint16_t>(text.substr(colon + 1));
  if (!port) {
    return listen_failure{"--listen " + shown +
                          ": the part after the last colon is not a port (0 to 65535)"};
  }
  where.port = *port;
  error_code ec;
  where.address = asio::ip::make_address(host, ec);
  if (ec)
    return listen_failure{"--listen " + shown +
                          ": the part before the last colon is not an IP address"};
  return where;
}

std::string refuse_exposure(const asio::ip::address& where, const listener_options& options) {
  const auto& beyond = options.beyond_loopback;
  if (where.is_loopback() || beyond.insecure) return "";
  const bool has_token = beyond.has_token && beyond.has_token();
  if (options.tls && has_token) return "";
  std::string wanted;
  if (!options.tls) wanted = "TLS (--tls-cert FILE --tls-key FILE)";
  if (!options.tls && !has_token) wanted += " and ";
  if (!has_token) wanted += "a token (`tofud token create`)";
  return "other machines can reach " + where.to_string() + ", so it needs " + wanted +
         "; use --insecure only if something else protects it";
}

std::string counted_as(const listener_options& options, const asio::ip::address& peer) {
  if (peer.is_loopback()) return "";
  if (options.is_proxy && options.is_proxy(peer)) return "";
  if (peer.is_v4()) return peer.to_string();
  auto network = peer.to_v6().to_bytes();
  std::fill(network.begin() + 8, network.end(), 0);
  return asio::ip::make_address_v6(network).to_string();
}

bool spare_descriptor::take() {
  if (fd_ < 0) fd_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  return fd_ >= 0;
}

bool spare_descriptor::give() {
  if (fd_ < 0) return false;
  ::close(std::exchange(fd_, -1));
  return true;
}

void raise_descriptor_limit() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &files);
}

namespace {

/// Connections that the limit of descriptors leaves room for.
std::size_t connections_allowed(std::size_t wanted) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return wanted;
  const auto all = static_cast<std::size_t>(files.rlim_cur);
  const auto kept = std::min(limits::descriptors_in_reserve, all / 4);
  return std::min(wanted, all - kept);
}

}  // namespace

listener_state::listener_state(asio::io_context& context, router& table, listener_options chosen)
    : io{context}, routes{table}, options{std::move(chosen)}, sweep_clock{context.get_executor()} {
  options.connections = connections_allowed(options.connections);
}

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

void listener_state::bound_unauthenticated() {
  const auto share =
      std::max<std::size_t>(1, options.connections / limits::unauthenticated_connections_share);
  if (unauthenticated < share) return;
  for (auto& one : open) {  // in the order of their coming
    const bool waits = one.deadline != steady::time_point::max() && one.waiting == nullptr;
    if (one.is_known || one.receiving || !waits) continue;
    one.deadline = steady::time_point::max();
    one.in_the_way = true;
    ++counted.cut_unauthenticated;
    error_code ignored;
    one.socket.cancel(ignored);
    return;
  }
}

void listener_state::close() {
  closed = true;
  error_code ignored;
  for (auto& each : tcp_acceptors) each.accepting.close(ignored);
  for (auto& each : local_acceptors) each.accepting.close(ignored);
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

void listener_state::log_failure(std::string_view what) noexcept {
  ++complaints;
  const auto now = steady::now();
  if (complained != steady::time_point{} && now - complained < std::chrono::seconds{1}) return;
  complained = now;
  operations::log_warning(operations::events::connection_failed, {},
                          "connection failed: {} ({} so far)", what, complaints);
}

listener::listener(asio::io_context& io, router& routes, listener_options options)
    : state_{std::make_shared<listener_state>(io, routes, std::move(options))} {}

listener::~listener() { state_->close(); }

boost::system::result<tcp::endpoint, listen_failure> listener::bind(const listen_address& where) {
  if (auto refused = refuse_exposure(where.address, state_->options); !refused.empty()) {
    return listen_failure{"cannot listen on " + text_of({where.address, where.port}) + ": " +
                          refused};
  }
  acceptor accepting{state_->io.get_executor()};
  error_code ec;
  const unsigned last = std::min<unsigned>(where.port + where.more_ports, 65535);
  for (unsigned port = where.port; port <= last; ++port) {
    const tcp::endpoint wish{where.address, static_cast<std::uint16_t>(port)};
    accepting.close(ec);
    accepting.open(wish.protocol(), ec);
    if (ec) break;
    close_on_exec(accepting.native_handle());
    accepting.set_option(acceptor::reuse_address{true}, ec);
    // Else [::] would be 0.0.0.0 as well, and a second --listen of it would fail.
    if (where.address.is_v6()) accepting.set_option(asio::ip::v6_only{true}, ec);
    accepting.bind(wish, ec);
    if (!ec) accepting.listen(acceptor::max_listen_connections, ec);
    if (!ec) {
      const auto bound = accepting.local_endpoint(ec);
      if (!ec) {
        if (state_->port == 0) state_->port = bound.port();
        state_->tcp_acceptors.push_back({std::move(accepting), bound.port()});
        return bound;
      }
    }
    if (ec != asio::error::address_in_use && ec != asio::error::access_denied) break;
  }
  std::string place = text_of({where.address, where.port});
  if (where.more_ports > 0)
    place += " and the " + std::to_string(where.more_ports) + " ports after it";
  return listen_failure{"cannot listen on " + place + ": " + ec.message()};
}

boost::system::result<void, listen_failure> listener::bind_local(const std::string& path) {
  auto opened = local_socket_file::open(path);
  if (!opened) return opened.error();
  error_code ec;
  const int fd = opened->take();
  local_acceptor accepting{state_->io.get_executor()};
  accepting.assign(asio::local::stream_protocol{}, fd, ec);
  if (ec) {
    ::close(fd);
    return listen_failure{"cannot listen on the Unix socket " + path + ": " + ec.message()};
  }
  state_->local_acceptors.push_back({std::move(accepting), false});
  state_->local.emplace(std::move(*opened));
  return {};
}

boost::system::result<std::optional<tcp::endpoint>, listen_failure> listener::adopt(int fd) {
  const auto failed = [fd](const std::string& why) {
    return listen_failure{"cannot listen on the descriptor " + std::to_string(fd) +
                          " that was given: " + why};
  };
  const auto option = [fd](int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return ::getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
  };
  const int family = option(SO_DOMAIN);
  if (family < 0) return failed(errno == ENOTSOCK ? "it is not a socket" : std::strerror(errno));
  if (option(SO_TYPE) != SOCK_STREAM) return failed("it is not a stream socket");
  if (option(SO_ACCEPTCONN) != 1) return failed("it is not listening");
  error_code ec;
  if (family == AF_UNIX) {
    local_acceptor accepting{state_->io.get_executor()};
    accepting.assign(asio::local::stream_protocol{}, fd, ec);
    if (ec) return failed(ec.message());
    close_on_exec(fd);
    state_->local_acceptors.push_back({std::move(accepting), true});
    return std::optional<tcp::endpoint>{};
  }
  if (family != AF_INET && family != AF_INET6) return failed("it is neither TCP nor Unix");
  acceptor accepting{state_->io.get_executor()};
  accepting.assign(family == AF_INET ? tcp::v4() : tcp::v6(), fd, ec);
  if (ec) return failed(ec.message());
  const auto bound = accepting.local_endpoint(ec);
  std::string refused = ec ? ec.message() : refuse_exposure(bound.address(), state_->options);
  if (!refused.empty()) {
    accepting.release(ec);
    return failed(refused);
  }
  close_on_exec(fd);
  if (state_->port == 0) state_->port = bound.port();
  state_->tcp_acceptors.push_back({std::move(accepting), bound.port()});
  return std::optional<tcp::endpoint>{bound};
}

void listener::on_raw(std::function<std::unique_ptr<body_taker>(const peer&)> open) {
  state_->raw = std::move(open);
}

void listener::check_first(request_check check) { state_->check = std::move(check); }

void listener::on_answer(std::function<void(const request&, const response&)> told) {
  state_->answered = std::move(told);
}

void listener::start() {
  const auto log = [state = state_](const std::exception_ptr& thrown) { log_end(*state, thrown); };
  for (auto& each : state_->tcp_acceptors) {
    acceptance by;
    by.port = each.port;
    auto accepting = accept_all(state_, each.accepting, by);
    asio::co_spawn(state_->io.get_executor(), std::move(accepting), log);
  }
  for (auto& each : state_->local_acceptors) {
    acceptance by;
    by.via = transport::local;
    by.was_given = each.was_given;
    auto accepting = accept_all(state_, each.accepting, by);
    asio::co_spawn(state_->io.get_executor(), std::move(accepting), log);
  }
}

void listener::close() { state_->close(); }

void listener::cut_bodies() { state_->cut_bodies(); }

std::size_t listener::connections() const { return state_->count; }

const counters& listener::counted() const { return state_->counted; }

}  // namespace tofud::http
