#include "daemon/serve/team_daemon.hpp"

#include "daemon/access/token_file.hpp"
#include "daemon/api/feed_route.hpp"
#include "daemon/api/page_routes.hpp"
#include "daemon/attachments/schema_files.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/fanout/limits.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/http/listener.hpp"
#include "daemon/operations/audit_log.hpp"
#include "daemon/operations/given_sockets.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/operations/log_sink.hpp"
#include "daemon/operations/loop_watch.hpp"
#include "daemon/operations/notifier.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/operations/version.hpp"
#include "daemon/operations/watchdog.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/serve/admission.hpp"
#include "daemon/serve/attachment_routes.hpp"
#include "daemon/serve/audited.hpp"
#include "daemon/serve/claim.hpp"
#include "daemon/serve/doorkeeper.hpp"
#include "daemon/serve/from_settings.hpp"
#include "daemon/serve/happenings.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/serve/notify_routes.hpp"
#include "daemon/serve/opened_files.hpp"
#include "daemon/serve/operations_routes.hpp"
#include "daemon/serve/page_host.hpp"
#include "daemon/serve/plain_routes.hpp"
#include "daemon/serve/read_preparation.hpp"
#include "daemon/serve/retiring.hpp"
#include "daemon/serve/run_routes.hpp"
#include "daemon/serve/sender.hpp"
#include "daemon/serve/session_routes.hpp"
#include "daemon/serve/stack_routes.hpp"
#include "daemon/serve/upload_routes.hpp"
#include "daemon/serve/whole_stream.hpp"
#include "daemon/settings/notify_rules.hpp"
#include "daemon/spool/notice.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tofud::serve {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::seconds beat_every{1};

class team_daemon {
 public:
  team_daemon(const daemon_options& options, asio::io_context& io,
              std::unique_ptr<journal::store> store, std::unique_ptr<membership> cluster,
              operations::log_sink& log, opened_files files);
  int run();
  /// Its index is gone: makes it again.
  void reindex();

 private:
  std::string adopt();
  std::string listen();
  std::string listen(const std::string& address);
  void add_endpoint(const asio::ip::tcp::endpoint& bound);
  void name_pages(const asio::ip::tcp::endpoint& at);
  void add_routes();
  void recover();
  void watch_permits();
  void serve();
  std::string status() const;
  void become_ready();
  void beat();
  void remind_of_certificate();
  void begin_shutdown();
  void close();
  void drain_connections();
  void follow_settings();
  void await_hangup();
  std::string page(const std::string& run) const;

  const daemon_options& options_;
  std::shared_ptr<const schema::schemas> own_schemas_;
  redact::rules rules_;  // of streams that begin from now on
  asio::io_context& io_;
  std::unique_ptr<journal::store> store_;
  std::unique_ptr<membership> cluster_;  // null: this daemon is alone
  std::shared_ptr<net::tls_context> tls_;
  net::expiry_reminder certificate_{operations::now_in_seconds()};
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  asio::signal_set hangups_{io_};
  struct clocks {
    explicit clocks(asio::io_context& io) : permit{io}, beat{io} {}
    asio::steady_timer permit, beat;
  } clocks_{io_};
  fanout::hub hub_{io_, options_.feed};
  kept_streams runs_{io_, *store_, hub_, options_.runs, cluster_.get()};
  admission admission_;
  long_reads reads_{io_};
  happenings happenings_{
      io_,
      {options_.directory + "/outbox.sqlite", [this] { return reached_.url; },
       [](const std::string& sentence) { spdlog::warn("{}", sentence); }},
      runs_,
      {[this](const std::string& run) { return page(run); },
       [this](std::string_view text) { return redaction::of_texts(rules_)(text); }}};
  retiring retiring_;
  http::router routes_{options_.body_stalled_after};
  http::listener_options connections_;
  http::listener listener_;
  struct addresses {
    std::optional<asio::ip::tcp::endpoint> pages_at;  // pages are there
    std::string url;
    std::string local;  // where the Unix socket is; empty: there is none
  } reached_;
  operations::log_sink& log_;
  std::unique_ptr<operations::audit_log> audit_;  // null: nobody wants one
  operations::notifier manager_;
  operations::watchdog watchdog_{
      io_, manager_, [this](std::function<void()> answered) { store_->tick(std::move(answered)); }};
  struct loop_looks {
    explicit loop_looks(asio::io_context& io) : lag{io} {}
    operations::loop_watch turns{[](const operations::long_turn& turn) {
      operations::log_warning(operations::events::loop_held, {}, "the loop was busy for {}",
                              operations::as_text(turn));
    }};
    operations::loop_lag lag;
  } loop_{io_};
  bool ready_ = false;
};

http::listener_options listener_options_of(const daemon_options& options,
                                           std::shared_ptr<const net::tls_context> tls,
                                           const access::gate& gate, const kept_streams& runs) {
  http::listener_options chosen = options.connections;
  chosen.why_full = [&runs] { return runs.why_all_full(); };
  chosen.tls = std::move(tls);
  chosen.beyond_loopback = options.beyond_loopback;
  chosen.beyond_loopback.has_token = [&gate] { return gate.has_tokens(); };
  chosen.is_proxy = [&gate](const asio::ip::address& peer) {
    return gate.is_proxy(peer.to_string());
  };
  if (options.access.local) {
    const bool by_mode = *options.access.local == access::rules::peers::mode;
    chosen.local = by_mode ? http::local_peers::mode : http::local_peers::owner;
  }
  return chosen;
}

team_daemon::team_daemon(const daemon_options& options, asio::io_context& io,
                         std::unique_ptr<journal::store> store, std::unique_ptr<membership> cluster,
                         operations::log_sink& log, opened_files files)
    : options_{options},
      own_schemas_{options.own_schemas},
      rules_{options.rules},
      io_{io},
      store_{std::move(store)},
      cluster_{std::move(cluster)},
      tls_{std::move(files.tls)},
      admission_{io, options.access, access::token_file_in(options.directory),
                 std::move(files.providers)},
      retiring_{io,
                *store_,
                runs_,
                {options.directory, options.retain, options.archive.to, std::move(files.archive),
                 std::move(files.telemetry), [this](const std::string& run) { return page(run); }}},
      connections_{listener_options_of(options, tls_, admission_.gate(), runs_)},
      listener_{io_, routes_, connections_},
      log_{log},
      audit_{std::move(files.audit)} {
  if (cluster_) {
    cluster_->serve(runs_);
    cluster_->share_notifications(happenings_.to());
    retiring_.share(*cluster_);
    cluster_->share_access(admission_.gate(), access::token_file_in(options_.directory), [this] {
      if (admission_.look(audit_.get(), runs_.worker())) hub_.close_without_permit();
    });
  }
  add_routes();
  follow_settings();
  happenings_.to().follow(std::move(files.told));
}

void team_daemon::follow_settings() {
  if (options_.reload == nullptr) return;
  options_.reload->add([this](const settings::settings& wanted) {
    return settings::reload_step::to(
        [this, kept = retention_of(wanted)] { retiring_.retain(kept); });
  });
  options_.reload->add([this](const settings::settings& wanted) {
    auto rules = redaction::rules_here(redaction::own_environment(), wanted.mask_file);
    if (!rules) return settings::reload_step::refused(rules.error().text());
    // With other salt the same value would get another name.
    rules->salt = rules_.salt;
    return settings::reload_step::to([this, rules = std::move(*rules)] {
      rules_ = rules;
      log_.redact_with(redaction::of_texts(rules_));
      if (audit_) audit_->redact_with(redaction::of_texts(rules_));
      routes_.hide_in_refusals(redaction::of_texts(rules_));
    });
  });
  options_.reload->add([this](const settings::settings& wanted) {
    auto schemas = attachments::specifications_in(wanted.schemas);
    if (!schemas) return settings::reload_step::refused(schemas.error().text());
    return settings::reload_step::to(
        [this, schemas = std::move(*schemas)] { own_schemas_ = schemas; });
  });
  admission_.follow(*options_.reload);
  options_.reload->add([this](const settings::settings& wanted) {
    auto told = notify::ready(settings::notify_rules_in(wanted).all);
    if (!told) return settings::reload_step::refused(told.error().text());
    return settings::reload_step::to(
        [this, told = std::move(*told)] { happenings_.to().follow(told); });
  });
  options_.reload->add([this](const settings::settings& wanted) {
    return settings::reload_step::to(
        [this, shows = text_policy_of(wanted), live = live_runs_of(wanted)] {
          runs_.show(shows);
          runs_.live().set(live);
        });
  });
  options_.reload->add([](const settings::settings& wanted) {
    const auto level = operations::parse_log_level(wanted.log.level);
    return settings::reload_step::to([level] {
      if (level) spdlog::set_level(*level);
    });
  });
  // Under the same names: what stands in these files changes more often than where they are.
  if (tls_) {
    options_.reload->add([this](const settings::settings&) {
      auto read = net::tls_context::open(options_.tls);
      if (!read) return settings::reload_step::refused(read.error().text());
      return settings::reload_step::to(
          [this, fresh = std::shared_ptr<net::tls_context>{std::move(*read)}] {
            *tls_ = std::move(*fresh);
            for (const std::string& warning : tls_->warnings()) spdlog::warn("{}", warning);
            certificate_ = net::expiry_reminder{operations::now_in_seconds()};
            // It may be for another name.
            if (reached_.pages_at) name_pages(*reached_.pages_at);
            spdlog::info("certificate reloaded");
          });
    });
  }
  hangups_.add(SIGHUP);
  await_hangup();
}

void team_daemon::await_hangup() {
  hangups_.async_wait([this](boost::system::error_code failed, int) {
    if (failed) return;
    await_hangup();
    if (ready_) manager_.reloading();
    const auto outcome = options_.reload->reload();
    if (ready_) manager_.ready(status());
    for (const std::string& each : outcome.failures) spdlog::error("{}", each);
    for (const std::string& each : outcome.changed) spdlog::info("{}", each);
    for (const std::string& each : outcome.needs_restart) spdlog::warn("{}", each);
    if (outcome.failures.empty()) {
      spdlog::info("configuration reloaded: {} options changed", outcome.changed.size());
    } else {
      spdlog::error("configuration not reloaded because of mistakes; nothing has changed");
    }
  });
}

void team_daemon::add_routes() {
  routes_.hide_in_refusals(redaction::of_texts(rules_));
  add_page_routes(routes_);
  const auto readiness = [this] {
    operations::readiness now{runs_.going_on_to_recover(), runs_.is_draining()};
    if (cluster_) {
      now.joining = cluster_->is_waited_for();
      now.behind = cluster_->why_behind();
    }
    return now;
  };
  add_operations_routes(
      routes_, {runs_, *store_, hub_, listener_, routes_, log_, loop_.lag,
                admission_.gate().tokens(), admission_.issuers(), happenings_.to(),
                retiring_.archive(), retiring_.telemetry(), cluster_.get(),
                options_.metrics_by_stack, tls_, readiness, [this] { return reached_.url; }});
  const sender_finder sender = [this](const http::request& asked) {
    return sender_of(asked, connections_);
  };
  add_upload_routes(routes_, io_, runs_, sender,
                    [this](const std::string& run) { return page(run); });
  add_attachment_routes(routes_, io_, runs_, runs_.log(), rules_, own_schemas_, sender);
  add_run_routes(routes_, io_, runs_, rules_, sender, reads_, hub_, retiring_.archive());
  add_plain_routes(routes_, io_, runs_);
  add_stack_routes(routes_, io_, runs_);
  add_notify_routes(routes_, happenings_.to());
  runs_.on_end([this](const ingested_run& stream, const std::vector<registry::shown_run*>& runs,
                      kept_streams::ending when, std::function<void()> done) {
    if (when == kept_streams::ending::elsewhere) return done();
    retiring_.over(runs, when);
    // Who does what is done once looks whether it was told.
    if (cluster_) std::exchange(done, [] {})();
    happenings_.over(stream, runs, std::move(done));
  });
  add_session_routes(
      routes_, io_, admission_.gate(), admission_.logins(), [this] { return reached_.url; },
      [this] { hub_.close_without_permit(); });
  listener_.check_first(
      doorkeeper(admission_.gate(), [this] { return admission_.logins().names(); }));
  if (audit_) {
    listener_.on_answer([this](const http::request& asked, const http::response& answer) {
      if (const auto entry = audited(asked, answer, runs_, admission_.gate()))
        audit_->add(*entry, operations::utc_now());
    });
  }
  admission_.gate().know_senders(
      [this](const http::request& asked) { return sender_by_secret(runs_, asked); });
  admission_.gate().on_limited([this](bool limited) { runs_.limit_views(limited); });
  prepare_for_reads(routes_, runs_);
  listener_.on_raw([this](const http::peer& from) {
    return make_whole_stream(io_, runs_, rules_, {}, {sender_of(from)}, may_be_named::yes);
  });
}

std::string team_daemon::page(const std::string& run) const {
  return reached_.url.empty() ? "" : reached_.url + "?run=" + run;
}

/// Sockets that a service manager gave stand for those of their kind that we would make.
std::string team_daemon::adopt() {
  const auto given = operations::take_given_sockets();
  if (!given) return given.error().text();
  for (const auto& each : *given) {
    const auto adopted = listener_.adopt(each.fd);
    if (!adopted) return adopted.error().message;
    if (*adopted) {
      add_endpoint(**adopted);
    } else {
      reached_.local = each.path.empty() ? each.name : each.path;
    }
  }
  return "";
}

/// A sentence if nothing can be served.
std::string team_daemon::listen() {
  if (auto failure = adopt(); !failure.empty()) return failure;
  if (reached_.url.empty()) {
    for (const std::string& address : options_.listen) {
      if (auto failure = listen(address); !failure.empty()) return failure;
    }
  }
  if (!options_.socket.empty() && reached_.local.empty()) {
    const auto bound = listener_.bind_local(options_.socket);
    if (!bound) return bound.error().message;
    reached_.local = options_.socket;
  }
  if (reached_.url.empty() && reached_.local.empty()) return "there is nowhere to listen";
  return "";
}

std::string team_daemon::listen(const std::string& address) {
  http::listen_address where;
  where.more_ports = 0;
  if (!address.empty()) {
    const auto parsed = http::parse_listen_address(address);
    if (!parsed) return parsed.error().message;
    where = *parsed;
  }
  const auto bound = listener_.bind(where);
  if (!bound) return bound.error().message;
  add_endpoint(*bound);
  return "";
}

/// Pages are at the first of these.
void team_daemon::add_endpoint(const asio::ip::tcp::endpoint& bound) {
  // What a machine calls itself is not what others have to call it, but for a certificate.
  if (!bound.address().is_unspecified()) {
    admission_.gate().add_own_host({host_text(bound.address()), std::nullopt});
  }
  if (reached_.pages_at) return;
  reached_.pages_at = bound;
  name_pages(bound);
}

void team_daemon::name_pages(const asio::ip::tcp::endpoint& at) {
  const std::string host = host_of(at, tls_.get());
  if (tls_) admission_.gate().add_own_host({host, std::nullopt});
  reached_.url = std::string{tls_ ? "https://" : "http://"} + host + ":" +
                 std::to_string(at.port()) + options_.access.base_path + "/";
}

int team_daemon::run() {
  admission_.gate().refresh(operations::now_in_seconds());
  if (const std::string failure = listen(); !failure.empty()) {
    // A file of tokens that can't be read is why there is none.
    for (const std::string& complaint : admission_.gate().take_complaints())
      spool::notice(complaint);
    spool::notice(failure);
    return 1;
  }
  recover();
  happenings_.begin();
  runs_.walls().offer();
  listener_.start();
  if (cluster_) {
    cluster_->on_behind([this](std::string why) { hub_.set_not_current(std::move(why)); });
    cluster_->begin();
  }
  runs_.when_caught_up([this] {
    if (!cluster_) return become_ready();
    cluster_->when_current([this] { become_ready(); });
  });
  signals_.async_wait([this](boost::system::error_code failed, int) {
    if (!failed) begin_shutdown();
  });
  for (const access::proxy_place& proxy : options_.access.proxies) {
    if (!access::is_open_to_this_machine(proxy) || options_.access.user_header.empty()) continue;
    spdlog::warn(
        "a trusted proxy on loopback without a user can be imitated by every user of this machine; "
        "add its user, as in 127.0.0.1@www-data, or connect it to the Unix socket");
    break;
  }
  runs_.begin();
  loop_.lag.begin();
  retiring_.retain();
  watch_permits();
  std::string places = reached_.url;
  if (!reached_.local.empty()) places += (places.empty() ? "" : " and ") + reached_.local;
  files::write_all(STDOUT_FILENO, "tofud " + std::string{operations::version} + " serves " +
                                      places + ", runs stored in " + options_.directory + "\n");
  serve();
  drain_connections();
  return 0;
}

/// Until `begin_shutdown` is through. A fault that one run or one request meets is not to end all
/// others: what was acknowledged is on disk, and the next turn is of somebody else.
void team_daemon::serve() {
  for (;;) {
    try {
      loop_.turns.run(io_);
      return;
    } catch (const std::exception& e) {
      operations::log_error(operations::events::fault, {}, "internal error in tofud: {}", e.what());
    }
  }
}

void team_daemon::recover() { runs_.recover(store_->recover()); }

void team_daemon::reindex() {
  const auto over = [](const std::exception_ptr& thrown, const text::failure& failure) {
    if (thrown) std::rethrow_exception(thrown);
    if (failure.empty()) return;
    operations::log_error(operations::events::journal_trouble, {}, "the index can't be rebuilt: {}",
                          failure.text());
  };
  boost::asio::co_spawn(io_, runs_.reindex(), over);
}

std::string team_daemon::status() const {
  const auto count = [](std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  return count(runs_.going_on(), "run") + ", " + count(hub_.subscribers(), "viewer");
}

void team_daemon::become_ready() {
  if (runs_.is_draining()) return;
  ready_ = true;
  manager_.ready(status());
  watchdog_.begin(operations::watchdog_interval());
  beat();
}

/// What is worth a look once a second.
void team_daemon::beat() {
  clocks_.beat.expires_after(beat_every);
  clocks_.beat.async_wait([this](boost::system::error_code failed) {
    if (failed) return;
    manager_.status(status());
    log_.tell_left_out();
    remind_of_certificate();
    beat();
  });
}

/// At the start and when it was read, its warnings were said.
void team_daemon::remind_of_certificate() {
  if (!tls_) return;
  const std::string due = certificate_.look(tls_->files().certificate, tls_->expires_at(),
                                            operations::now_in_seconds());
  if (!due.empty()) spdlog::warn("{}", due);
}

/// Tokens come and go while it serves: what one has opened goes with it.
void team_daemon::watch_permits() {
  if (admission_.look(audit_.get(), runs_.worker())) hub_.close_without_permit();
  happenings_.to().look();
  retiring_.look();
  clocks_.permit.expires_after(limits::tokens_looked_at_every);
  clocks_.permit.async_wait([this](boost::system::error_code failed) {
    if (!failed) watch_permits();
  });
}

/// While viewers get what is left, the sockets stay open for readiness checks.
void team_daemon::begin_shutdown() {
  manager_.stopping();
  operations::log_info(operations::events::life_cycle, {}, "stopping, with {}", status());
  hangups_.cancel();
  runs_.drain();
  clocks_.beat.cancel();
  clocks_.permit.cancel();
  happenings_.stop();
  retiring_.stop();
  listener_.cut_bodies();
  fanout::goodbye last;
  last.code = fanout::close_codes::restarting;
  last.retry_spread = limits::restart_spread;
  hub_.finish(last, [this] { close(); });
}

void team_daemon::close() {
  watchdog_.stop();
  loop_.lag.stop();
  runs_.stop();
  if (cluster_) cluster_->stop();
  listener_.close();
  listener_.cut_bodies();
  io_.stop();
}

/// Bodies that were cut and answers that are on their way end while all they use is still there.
void team_daemon::drain_connections() {
  const auto until = std::chrono::steady_clock::now() + limits::goodbye;
  io_.restart();
  while (listener_.connections() > 0 && io_.run_one_until(until) > 0) {
  }
}

}  // namespace

int run_daemon(const daemon_options& options) {
  const auto log = operations::begin_log(log_options_of(options));
  std::signal(SIGPIPE, SIG_IGN);
  auto files = open_files(options);
  if (!files) {
    spool::notice(files.error().text());
    return 1;
  }
  http::raise_descriptor_limit();
  asio::io_context io{1};
  // The journal gives the loop work before it runs; without more it would count as stopped.
  const auto works = asio::make_work_guard(io);
  journal::options kept;
  const auto again = std::make_shared<std::function<void()>>();
  kept.index_lost = [again] {
    if (*again) (*again)();
  };
  kept.said = [](const std::string& sentence) {
    operations::log_warning(operations::events::journal_trouble, {}, "{}", sentence);
  };
  kept.made_by = "fold " + std::to_string(correlator::fold_version);
  auto store = journal::store::open(io, options.directory, std::move(kept));
  if (!store) {
    spool::notice(store.error().text());
    return 1;
  }
  std::unique_ptr<membership> cluster;
  if (options.cluster.to.is_on()) {
    auto member = membership::open(io, **store, options.cluster, options.directory);
    if (!member) {
      spool::notice(member.error().text());
      return 1;
    }
    cluster = std::move(*member);
  }
  team_daemon serving{options, io, std::move(*store), std::move(cluster), *log, std::move(*files)};
  *again = [&serving] { serving.reindex(); };
  return serving.run();
}

}  // namespace tofud::serve
