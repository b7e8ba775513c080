#include "daemon/serve/team_daemon.hpp"

#include "daemon/access/gate.hpp"
#include "daemon/access/token_file.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/feed_route.hpp"
#include "daemon/http/listener.hpp"
#include "daemon/page_routes.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/serve/doorkeeper.hpp"
#include "daemon/serve/plain_routes.hpp"
#include "daemon/serve/run_registry.hpp"
#include "daemon/serve/run_routes.hpp"
#include "daemon/serve/session_routes.hpp"
#include "daemon/serve/upload_routes.hpp"
#include "daemon/serve/whole_stream.hpp"
#include "daemon/terminal/writer.hpp"
#include "daemon/utc_now.hpp"
#include "daemon/version.hpp"
#include "daemon/wall.hpp"
#include "protocol/feed/percent.hpp"
#include "protocol/limits.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <exception>
#include <memory>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tofud::serve {
namespace {

namespace asio = boost::asio;

/// The run a request is about: of its query on the feed, of its path elsewhere.
std::string run_asked_for(const http::request& asked) {
  constexpr std::string_view runs = "/v1/runs/";
  if (asked.path == "/v1/stream") return asked.parameter("run").value_or("");
  if (!asked.path.starts_with(runs)) return "";
  const std::string_view rest = std::string_view{asked.path}.substr(runs.size());
  return feed::percent_decoded(rest.substr(0, rest.find('/'))).value_or("");
}

/// Reads of a stream's bytes need no fold.
bool needs_rows(const http::request& asked) {
  return !asked.path.ends_with("/stream.jsonl") && !asked.path.ends_with("/events.jsonl") &&
         !asked.path.ends_with("/lines");
}

http::listener_options listener_options_of(const daemon_options& options) {
  http::listener_options chosen;
  const bool by_mode = options.access.local == access::rules::peers::mode;
  chosen.local = by_mode ? http::local_peers::mode : http::local_peers::owner;
  return chosen;
}

class team_daemon {
 public:
  team_daemon(const daemon_options& options, asio::io_context& io,
              std::unique_ptr<journal::store> store);
  int run();
  /// Its index is gone: makes it again.
  void reindex();

 private:
  std::string listen();
  void add_routes();
  void recover();
  void retain();
  void watch_permits();
  void serve();
  void leave();
  void see_off();
  std::string page(const std::string& run) const;

  const daemon_options& options_;
  asio::io_context& io_;
  std::unique_ptr<journal::store> store_;
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  asio::steady_timer retain_clock_{io_}, permit_clock_{io_};
  wall wall_{random_epoch()};
  fanout::hub hub_{io_, hub_options_of_this_build()};
  run_registry runs_{io_, *store_, hub_, wall_};
  access::gate gate_{options_.access, access::token_file_in(options_.directory)};
  http::router routes_;
  http::listener listener_{io_, routes_, listener_options_of(options_)};
  std::string url_;
};

team_daemon::team_daemon(const daemon_options& options, asio::io_context& io,
                         std::unique_ptr<journal::store> store)
    : options_{options}, io_{io}, store_{std::move(store)} {
  add_routes();
}

void team_daemon::add_routes() {
  add_feed_route(routes_, hub_);
  add_page_routes(routes_);
  // Who comes by the socket learns here where the pages are.
  routes_.get("/healthz", [this](const http::request&) {
    http::response healthy;
    const std::string pages = url_.empty() ? "null" : '"' + url_ + '"';
    healthy.body = "{\"status\":\"ok\",\"url\":" + pages + "}\n";
    return healthy;
  });
  add_upload_routes(routes_, runs_, [this](const std::string& run) { return page(run); });
  add_run_routes(routes_, runs_, options_.rules);
  add_plain_routes(routes_, runs_);
  add_session_routes(
      routes_, gate_, [this] { return url_; }, [this] { hub_.close_without_permit(); });
  listener_.check_first(doorkeeper(gate_));
  routes_.before([this](const http::request& asked, std::function<void()> ready) {
    const std::string run = needs_rows(asked) ? run_asked_for(asked) : "";
    const auto found = run.empty() ? nullptr : runs_.find(run);
    if (!found || found->is_loaded()) return true;
    runs_.load(run, std::move(ready));
    return false;
  });
  listener_.on_raw(
      [this] { return make_whole_stream(runs_, options_.rules, {}, may_be_named::yes); });
}

std::string team_daemon::page(const std::string& run) const {
  return url_.empty() ? "" : url_ + "?run=" + run;
}

/// A sentence if nothing can be served.
std::string team_daemon::listen() {
  if (options_.listen.wanted) {
    http::listen_address address;
    address.more_ports = 0;
    if (!options_.listen.address.empty()) {
      const auto parsed = http::parse_listen_address(options_.listen.address);
      if (!parsed) return parsed.error().message;
      address = *parsed;
    }
    const auto bound = listener_.bind(address);
    if (!bound) return bound.error().message;
    const std::string host = bound->address().is_v6() ? "[" + bound->address().to_string() + "]"
                                                      : bound->address().to_string();
    if (!bound->address().is_unspecified()) gate_.goes_by({host, std::nullopt});
    url_ = "http://" + host + ":" + std::to_string(bound->port()) + options_.access.base_path + "/";
  }
  if (!options_.socket.empty()) {
    const auto bound = listener_.bind_local(options_.socket);
    if (!bound) return bound.error().message;
  }
  if (url_.empty() && options_.socket.empty()) return "there is nowhere to listen";
  return "";
}

int team_daemon::run() {
  if (const std::string failure = listen(); !failure.empty()) {
    reader::notice(failure);
    return 1;
  }
  recover();
  hub_.offer_wall(wall_.topic());
  listener_.start();
  signals_.async_wait([this](boost::system::error_code failed, int) {
    if (!failed) leave();
  });
  runs_.begin();
  retain();
  watch_permits();
  std::string places = url_;
  if (!options_.socket.empty()) places += (places.empty() ? "" : " and ") + options_.socket;
  terminal::write_all(STDOUT_FILENO, "tofud " + std::string{version} + " serves " + places +
                                         ", history in " + options_.directory + "\n");
  serve();
  see_off();
  return 0;
}

/// Until `leave` is through. A fault that one run or one request meets is not to end all others:
/// what was acknowledged is on disk, and the next turn is of somebody else.
void team_daemon::serve() {
  for (;;) {
    try {
      io_.run();
      return;
    } catch (const std::exception& e) {
      spdlog::error("a fault of tofud: {}", e.what());
    }
  }
}

void team_daemon::recover() { runs_.recover(store_->recover()); }

void team_daemon::reindex() {
  runs_.reindex([](const std::string& failure) {
    if (!failure.empty()) spdlog::error("the index can't be made again: {}", failure);
  });
}

void team_daemon::retain() {
  const auto now = utc_now();
  store_->retain(
      options_.retain, now, [this](const std::string& run) { return runs_.is_looked_at(run); },
      [this](const std::vector<std::string>& removed) {
        for (const std::string& run : removed) runs_.forget(run);
        if (!removed.empty()) spdlog::info("{} runs were kept long enough", removed.size());
      });
  retain_clock_.expires_after(limits::retain_every);
  retain_clock_.async_wait([this](boost::system::error_code failed) {
    if (!failed) retain();
  });
}

/// Tokens come and go while it serves: what one has opened goes with it.
void team_daemon::watch_permits() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  if (gate_.refresh(now)) hub_.close_without_permit();
  for (const std::string& complaint : gate_.take_complaints()) {
    spdlog::warn("{}", complaint);
  }
  permit_clock_.expires_after(limits::tokens_looked_at_every);
  permit_clock_.async_wait([this](boost::system::error_code failed) {
    if (!failed) watch_permits();
  });
}

void team_daemon::leave() {
  runs_.stop();
  retain_clock_.cancel();
  permit_clock_.cancel();
  listener_.close();
  listener_.cut_bodies();
  fanout::goodbye last;
  last.code = fanout::close_codes::restarting;
  last.retry_spread = limits::restart_spread;
  hub_.finish(last, [this] { io_.stop(); });
}

/// Bodies that were cut and answers that are on their way end while all they use is still there.
void team_daemon::see_off() {
  const auto until = std::chrono::steady_clock::now() + limits::goodbye;
  io_.restart();
  while (listener_.connections() > 0 && io_.run_one_until(until) > 0) {
  }
}

}  // namespace

int run_daemon(const daemon_options& options) {
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("tofud", std::make_shared<spdlog::sinks::stderr_sink_mt>()));
  std::signal(SIGPIPE, SIG_IGN);
  asio::io_context io{1};
  // The journal gives the loop work before it runs; without more it would count as stopped.
  const auto works = asio::make_work_guard(io);
  journal::options kept;
  const auto again = std::make_shared<std::function<void()>>();
  kept.index_lost = [again] {
    if (*again) (*again)();
  };
  kept.said = [](const std::string& sentence) { spdlog::warn("{}", sentence); };
  kept.made_by = "fold " + std::to_string(correlator::fold_version);
  auto store = journal::store::open(io, options.directory, std::move(kept));
  if (!store) {
    reader::notice(store.error());
    return 1;
  }
  team_daemon serving{options, io, std::move(*store)};
  *again = [&serving] { serving.reindex(); };
  return serving.run();
}

}  // namespace tofud::serve
