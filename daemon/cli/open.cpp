#include "daemon/cli/open.hpp"

#include "daemon/cli/browser.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/http/message/authority.hpp"
#include "daemon/local/server.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "daemon/pipeline/state_dump.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/spool_place.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::cli {
namespace {

namespace asio = boost::asio;

struct open_arguments {
  run_argument run;
  listening listen;
};

/// In the first place that is ours to write.
std::string hidden_from_others(const std::string& url) {
  for (const auto& candidate : spool::place_candidates("", spool::process_environment())) {
    const auto entered = spool::enter_place(candidate);
    if (!entered.place) continue;
    if (auto found = through_a_file(url, entered.place->directory); !found.empty()) return found;
  }
  return "";
}

void show(const std::string& url) {
  files::write_all(STDOUT_FILENO, url + "\n");
  const bool has_ticket = url.find("#ticket=") != std::string::npos;
  const std::string target = has_ticket ? hidden_from_others(url) : url;
  if (target.empty()) {
    return spool::notice(
        "no browser was started: other users could see the login link, and no private directory is "
        "writable to hide it; open that address");
  }
  const std::string reason =
      start_browser(target, [](const char* name) { return std::getenv(name); });
  if (!reason.empty()) spool::notice("no browser was started: " + reason + "; open that address");
}

/// Whether somebody listens there: a tofud that was killed leaves its address behind.
bool is_served(const std::string& url) {
  constexpr std::string_view scheme = "http://";
  const std::size_t colon = url.rfind(':');
  const std::size_t end = url.find('/', scheme.size());
  if (colon == std::string::npos || colon < scheme.size() || end < colon) return false;
  unsigned short port = 0;
  std::from_chars(url.data() + colon + 1, url.data() + end, port);
  std::string host = url.substr(scheme.size(), colon - scheme.size());
  std::erase_if(host, [](char c) { return c == '[' || c == ']'; });
  boost::system::error_code failed;
  const auto address = asio::ip::make_address(host, failed);
  if (failed || !address.is_loopback()) return false;
  asio::io_context io{1};
  asio::ip::tcp::socket socket{io};
  socket.connect({address, port}, failed);
  return !failed;
}

/// Serves a stream until Ctrl-C, and follows it if it grows.
class page_of_stream {
 public:
  page_of_stream(const open_arguments& given, opened_run& opened);
  int run();

 private:
  pipeline::run_topics::listeners told();
  void over(const text::failure& failure);
  void leave();

  const open_arguments& given_;
  opened_run& opened_;
  std::string bytes_;
  asio::io_context io_{1};
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  machine_memory memory_;
  server server_;
  pipeline::attached_parts parts_;
  pipeline::engine stream_;
  pipeline::run_topics topics_;
  pipeline::follower following_;
  int status_ = 0;
};

pipeline::run_topics::listeners page_of_stream::told() {
  const files::stream_bytes bytes = [this](std::uint64_t offset, std::span<char> room) {
    if (offset >= bytes_.size()) return std::size_t{0};
    const auto piece = std::string_view{bytes_}.substr(offset, room.size());
    std::memcpy(room.data(), piece.data(), piece.size());
    return piece.size();
  };
  return {[this, bytes](pipeline::run& run) { server_.run_began(run, bytes); },
          [this](pipeline::run& run) { server_.run_changed(run); }};
}

page_of_stream::page_of_stream(const open_arguments& given, opened_run& opened)
    : given_{given},
      opened_{opened},
      // Of the machine whose spool it is; of what a daemon has, the daemon remembers.
      memory_{io_, opened.chosen.path.empty()
                       ? ""
                       : std::filesystem::path{opened.chosen.path}.parent_path().string()},
      server_{io_, memory_},
      parts_{parts_beside(opened.stream)},
      stream_{opened.stream.identity(), parts_.reader()},
      topics_{stream_, told()},
      following_{io_,
                 opened.stream,
                 parts_,
                 stream_,
                 {[this](std::string_view bytes) { bytes_.append(bytes); }, nullptr,
                  [this](const text::failure& failure) { over(failure); }}} {}

int page_of_stream::run() {
  const auto outcome = server_.listen(given_.listen, 0);
  if (outcome.url.empty()) {
    spool::notice("no page can be served: " + outcome.failure);
    return 1;
  }
  server_.start();
  signals_.async_wait([this](boost::system::error_code failed, int) {
    if (!failed) leave();
  });
  spool::notice("serves run " + stream_.fold().runs().front().id() + " until Ctrl-C");
  show(outcome.url);
  following_.start();
  io_.run();
  return status_;
}

void page_of_stream::leave() {
  following_.stop();
  server_.finish(server::last_words::run_over, [this] { io_.stop(); });
}

void page_of_stream::over(const text::failure& failure) {
  if (failure.empty()) return;
  spool::notice(failure.text());
  status_ = 2;
  leave();
}

bool is_on_loopback(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return false;
  url.remove_prefix(scheme + 3);
  const auto named = http::parse_authority(url.substr(0, url.find_first_of("/?#")));
  return named && http::is_loopback_host(named->host);
}

/// Whether the page's daemon would not know a browser of ours by its user: it does so on loopback.
bool wants_login(const std::string& url, const client::service& daemon) {
  const client::place& at = daemon.at();
  if (!at.authorization.empty() || !is_on_loopback(url)) return true;
  struct stat file {};
  return !at.socket.empty() && ::stat(at.socket.c_str(), &file) == 0 && file.st_uid != ::geteuid();
}

/// The page's address with a ticket, if one is needed and to be had.
std::string with_ticket(const std::string& url, const client::service& daemon) {
  if (!wants_login(url, daemon)) return url;
  const auto link = daemon.login_link();
  if (!link) {
    spool::notice("no login link: " + link.error().sentence);
    return url;
  }
  const std::size_t ticket = *link ? (*link)->rfind("#ticket=") : std::string::npos;
  return ticket == std::string::npos ? url : url + (*link)->substr(ticket);
}

int run_open(const open_arguments& given) {
  auto opened = open_run(given.run);
  if (!opened) return 2;
  const bool at_a_daemon = opened->stream.daemon() != nullptr;
  if (at_a_daemon || opened->stream.is_held()) {
    const std::string url = page_of(*opened);
    // A daemon was just spoken to.
    if (!url.empty() && (at_a_daemon || is_served(url))) {
      show(at_a_daemon ? with_ticket(url, *opened->stream.daemon()) : url);
      return 0;
    }
  }
  page_of_stream page{given, *opened};
  return page.run();
}

}  // namespace

void add_open(command& line) {
  auto given = std::make_shared<open_arguments>();
  command& words = line.add_command("open", "Open the page of a run in the browser");
  add_run_argument(words, given->run, run_given::maybe);
  words
      .add_option("--listen", given->listen.address,
                  "Address to serve the page of a finished run on: ADDR:PORT on loopback")
      .value("ADDR:PORT");
  words.run = [given] { return run_open(*given); };
}

}  // namespace tofud::cli
