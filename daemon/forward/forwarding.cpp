#include "daemon/forward/forwarding.hpp"

#include "daemon/attachments/files.hpp"
#include "daemon/attachments/hidden_file.hpp"
#include "daemon/client/job_token.hpp"
#include "daemon/client/server_token.hpp"
#include "daemon/files/descriptor.hpp"
#include "daemon/forward/errors.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/stream_file.hpp"
#include "protocol/events/known_run.hpp"
#include "protocol/redact/stream_redactor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <sys/socket.h>
#include <sys/un.h>
#include <utility>

namespace tofud::forward {

struct forwarding_rules {
  redact::rules frozen;
  std::shared_ptr<const redact::ready_rules> ready, hidden;  // hidden null: not yet, or nothing is
  std::uint64_t hidden_from = 0;                             // byte of the spool
};

namespace {

/// Whether somebody listens there. One whose queue is full listens.
bool is_listening(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(&address.sun_path[0], path.data(), path.size());
  const files::descriptor fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  // The cast is the sockets API's.
  return fd &&
         (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
          errno == EAGAIN);
}

std::string rfc3339(std::chrono::system_clock::time_point when) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(when);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[] = "YYYY-MM-DDThh:mm:ssZ";
  std::strftime(&text[0], sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return &text[0];
}

std::function<double()> dice() {
  return [engine = std::mt19937{std::random_device{}()}]() mutable {
    return std::uniform_real_distribution<>{}(engine);
  };
}

/// Lines that end behind the event of a plan are redacted by its sensitive values as well.
class redacting {
 public:
  redacting(std::shared_ptr<const forwarding_rules> rules, std::uint64_t raw)
      : rules_{std::move(rules)}, raw_{raw}, redactor_{rules_->ready} {}

  void feed(std::string_view bytes, std::string& out) {
    if (!hides_ && rules_->hidden && raw_ + bytes.size() >= rules_->hidden_from) {
      const auto before = static_cast<std::size_t>(std::max(rules_->hidden_from, raw_) - raw_);
      redactor_.feed(bytes.substr(0, before), out);
      bytes.remove_prefix(before);
      raw_ += before;
      redactor_.redact_by(rules_->hidden);
      hides_ = true;
    }
    redactor_.feed(bytes, out);
    raw_ += bytes.size();
  }
  void finish(std::string& out) {
    feed("", out);
    redactor_.finish(out);
  }

 private:
  std::shared_ptr<const forwarding_rules> rules_;
  std::uint64_t raw_;
  redact::stream_redactor redactor_;
  bool hides_ = false;
};

forward::begun_redaction begin_redaction(const std::shared_ptr<const forwarding_rules>& rules,
                                         std::uint64_t raw) {
  auto redactor = std::make_shared<redacting>(rules, raw);
  return {[redactor](std::string_view bytes, std::string& out) { redactor->feed(bytes, out); },
          [redactor](std::string& out) { redactor->finish(out); }};
}

/// Null: nothing of the plan is hidden, or there is none. The failure: it can't be found any more.
text::result<const events::placed<events::attachment>*> hiding_plan(const events::known_run& said,
                                                                    const std::string& spool_path) {
  for (const auto& each : said.attachments) {
    if (each.what.part != feed::attachment::plan || each.what.hidden == 0) continue;
    const std::string path = attachments::hidden_beside_spool(spool_path);
    if (attachments::read_hidden_file(path).size() == each.what.hidden) return &each;
    return text::failure{forward::error::hidden_values_gone, path};
  }
  return static_cast<const events::placed<events::attachment>*>(nullptr);
}

client::place place_of(const found_daemon& daemon, std::shared_ptr<const net::tls_client> tls) {
  const client::server_address& server = daemon.address;
  client::place to;
  to.socket = server.socket;
  // With TLS the name is what the certificate is for.
  to.host = server.host == "localhost" && !tls ? "127.0.0.1" : server.host;
  to.port = server.port;
  to.header = client::host_header(server);
  to.tls = std::move(tls);
  to.shown = client::to_string(server);
  // What is in a file is read when it is needed (authorizer_of).
  if (!daemon.token.empty() && daemon.token_file.empty())
    to.authorization = client::bearer(daemon.token);
  to.base = server.base;
  return to;
}

/// A file's token may have been replaced since, and a job's lives for minutes.
forwarder::authorizer authorizer_of(boost::asio::io_context& io, const found_daemon& daemon,
                                    std::function<void(const std::string&)> remark) {
  const auto env = spool::process_environment();
  if (!daemon.token_file.empty()) {
    return [daemon, env](const std::function<void(std::optional<std::string>)>& give) {
      const auto token = client::token_for(daemon.address, daemon.token_file, env);
      give(client::bearer(token && !token->empty() ? *token : daemon.token));
    };
  }
  auto question = daemon.token.empty() ? client::job_token_for(daemon.address, env) : std::nullopt;
  if (!question) return {};
  struct asking {
    client::job_token_question question;
    client::http_client connection;
    std::function<void(const std::string&)> remark;
    bool has_remarked = false;
  };
  const std::shared_ptr<asking> all{
      new asking{*question, {io, question->whom, upload_patience()}, std::move(remark)}};
  return [all](std::function<void(std::optional<std::string>)> give) {
    all->connection.exchange(all->question.asked, [all = all.get(), give = std::move(give)](
                                                      const client::answered& answer) {
      const auto token = client::job_token_in(answer);
      if (token) return give(client::bearer(*token));
      if (!std::exchange(all->has_remarked, true)) all->remark(token.error().text());
      give(std::nullopt);
    });
  };
}

forward::run_facts redacted(forward::run_facts facts, const redact::rules& rules) {
  facts.stack = tofud::redaction::redacted(facts.stack, rules);
  redaction::redact_labels(facts.labels, rules);
  return facts;
}

}  // namespace

text::result<std::optional<found_daemon>> find_daemon(const daemon_choice& choice) {
  using found = std::optional<found_daemon>;
  const auto env = spool::process_environment();
  const auto chosen = client::choose_server(choice.server, choice.none, env);
  if (!chosen) return chosen.error();
  if (chosen->wish == client::server_wish::named) {
    auto token = client::token_for(chosen->address, choice.token_file, env);
    if (!token) return token.error();
    return found{found_daemon{chosen->address, true, std::move(*token), choice.token_file}};
  }
  if (chosen->wish == client::server_wish::none) return found{};
  // A socket may be left over from a daemon that is gone.
  for (const std::string& path : client::default_sockets(env)) {
    if (is_listening(path)) return found{found_daemon{{0, "", path, false}, false}};
  }
  return found{};
}

std::string upload_path(const std::string& spool_path) {
  return spool::beside(spool_path, ".upload");
}

bool owes_upload(const std::string& spool_path) {
  const auto record = forward::load_record(upload_path(spool_path));
  return record && record->owes();
}

void clear_after_upload(const std::string& spool_path) {
  // In a job, other steps export the run and have not the environment of the one that made it.
  if (std::getenv("CI") == nullptr) std::remove(redaction::frozen_mask_path(spool_path).c_str());
  std::remove(spool::beside(spool_path, ".sending").c_str());
}

// ---- one spool -----------------------------------------------------------------------------

forwarding::forwarding(forward::upload_record record, spooled_stream source,
                       std::unique_ptr<forward::sending_lock> lock)
    : record_{std::move(record)}, source_{std::move(source)}, lock_{std::move(lock)} {}

text::result<std::unique_ptr<forwarding>> forwarding::begin(
    boost::asio::io_context& io, const found_daemon& daemon, spooled_stream source,
    const forward::run_facts& facts, const std::string& mask_file,
    const std::vector<std::string>& variables) {
  const std::string id = spool::run_id_of(source.path), server = to_string(daemon.address);
  const auto failed = [&](const text::failure& why) {
    return text::failure{forward::error::not_sent, id, server, why};
  };
  auto lock = std::make_unique<forward::sending_lock>(spool::beside(source.path, ".sending"));
  if (!lock->taken()) return failed(forward::error::sent_already);
  auto tls = client::tls_for(daemon.address, spool::process_environment());
  if (!tls) return failed(tls.error());
  auto known = forward::load_record(upload_path(source.path));
  // Another daemon gets another upload, unless it takes over what the first one lacks.
  if (known && !known->owes() && known->server != server) known.reset();
  // Without the rules it was begun under, other bytes would come out.
  auto frozen =
      known && !known->rules.empty()
          ? redaction::read_frozen_mask(redaction::frozen_mask_path(source.path))
          : redaction::frozen_rules(source.path, redaction::environment_with(variables), mask_file);
  if (!frozen) return failed(frozen.error());
  // Nor without what is hidden of a plan.
  const auto said = events::parse_lines(source.events());
  if (const auto plan = hiding_plan(said, source.path); !plan) return failed(plan.error());
  const auto rules = std::make_shared<forwarding_rules>();
  rules->frozen = std::move(*frozen);
  rules->ready = std::make_shared<const redact::ready_rules>(rules->frozen);
  forward::upload_record record = known ? std::move(*known) : forward::new_upload();
  if (!known) record.started_at = rfc3339(source.began);
  record.rules = redact::digest(rules->frozen);
  if (std::exchange(record.server, server) != server) {
    record.run.clear();
    record.url.clear();
  }
  record.stopped.reset();
  // Before the first request: what a daemon has heard of is never begun a second time.
  if (auto failure = forward::save_record(upload_path(source.path), record); !failure.empty()) {
    return failed(failure);
  }
  std::unique_ptr<forwarding> begun{
      new forwarding{std::move(record), std::move(source), std::move(lock)}};
  begun->rules_ = rules;
  begun->start(
      io, daemon, std::move(*tls), redacted(facts, rules->frozen),
      {begun->source_.bytes, [rules](std::uint64_t raw) { return begin_redaction(rules, raw); },
       [path = begun->source_.path, rules](feed::attachment part) {
         return std::make_unique<forward::attachment_body>(attachments::beside_spool(path, part),
                                                           rules->ready);
       }});
  return begun;
}

void forwarding::start(boost::asio::io_context& io, const found_daemon& daemon,
                       std::shared_ptr<const net::tls_client> tls, const forward::run_facts& facts,
                       forward::forwarder::stream stream) {
  const auto remark = [id = spool::run_id_of(source_.path)](const std::string& sentence) {
    spool::notice("run " + id + ": " + sentence);
  };
  forwarder_ = std::make_unique<forward::forwarder>(
      io, place_of(daemon, std::move(tls)),
      forward::upload{forward::post_body(record_, facts), record_.upload_secret, dice()},
      std::move(stream),
      forward::forwarder::listeners{[this] { was_taken(); }, [this] { ended(); }, remark},
      upload_patience(), authorizer_of(io, daemon, remark));
  beat();
  forwarder_->start();
}

void forwarding::beat() {
  const std::string events = source_.events();
  if (events.size() != events_bytes_) {
    events_bytes_ = events.size();
    hide(events);
    forwarder_->tell(forward::events_to_send(events, forward::run_phase::open));
  }
}

/// Before the bytes behind the event are looked at: those are given out when it is written.
void forwarding::hide(const std::string& events) {
  if (rules_->hidden) return;
  const auto said = events::parse_lines(events);
  const auto plan = hiding_plan(said, source_.path);
  if (!plan) return spool::notice(plan.error().text());
  if (*plan == nullptr) return;
  redact::rules all = rules_->frozen;
  const std::string path = attachments::hidden_beside_spool(source_.path);
  for (redact::secret& each : attachments::read_hidden_file(path))
    all.secrets.push_back(std::move(each));
  rules_->hidden_from = (*plan)->offset;
  rules_->hidden = std::make_shared<const redact::ready_rules>(all);
}

void forwarding::end() {
  forwarder_->tell(forward::events_to_send(source_.events(), forward::run_phase::over));
  forwarder_->source_over();
}

void forwarding::was_taken() {
  record_.run = forwarder_->state().run();
  record_.url = forwarder_->state().url();
  save();
}

void forwarding::ended() {
  over_ = true;
  const forward::upload& state = forwarder_->state();
  record_.complete = state.complete();
  record_.stopped = state.stopped();
  save();
  if (!record_.owes()) clear_after_upload(source_.path);
  if (told_) told_();
}

void forwarding::save() {
  const auto failure = forward::save_record(upload_path(source_.path), record_);
  if (!failure.empty()) spool::notice(failure.text());
}

std::string forwarding::why_stopped() const {
  if (!record_.stopped) return "";
  const std::string id = spool::run_id_of(source_.path);
  std::string why = "run " + id + " is not sent to " + record_.server +
                    " any more: " + record_.stopped->sentence + "; its stream is stored in " +
                    source_.path;
  if (record_.owes()) why += ", and `tofud resume " + id + "` tries again";
  return why;
}

std::string forwarding::what_is_left() const {
  const std::string id = spool::run_id_of(source_.path);
  const std::uint64_t bytes = unsent();
  const std::string& distrust = forwarder_->distrust();
  const std::string why = distrust.empty() ? "" : " (" + distrust + ")";
  return (bytes == 0 ? "the end" : std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes")) +
         " of run " + id + (bytes == 1 || bytes == 0 ? " is" : " are") + " not yet sent to " +
         record_.server + why + "; `tofud resume " + id + "` sends the rest";
}

}  // namespace tofud::forward
