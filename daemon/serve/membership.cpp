#include "daemon/serve/membership.hpp"

#include "daemon/access/secret.hpp"
#include "daemon/cluster/errors.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/files/whole_file.hpp"
#include "daemon/net/rest.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/limits.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/sha256.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json.hpp>

#include <algorithm>
#include <utility>

namespace tofud::serve {
namespace {

namespace asio = boost::asio;
namespace js = boost::json;
using cluster::bucket;

constexpr std::size_t name_bytes = 6, nonce_bytes = 4;

void warn(const std::string& sentence) {
  operations::log_warning(operations::events::cluster, {}, "{}", sentence);
}

/// The same after a restart: what a daemon took in before is its own.
text::result<std::string> own_name_in(const std::string& directory) {
  const std::string path = directory + "/member";
  if (const auto read = files::read_document(path, 64); read && read->size() == 2 * name_bytes + 1)
    return read->substr(0, 2 * name_bytes);
  const std::string name = access::random_hex(name_bytes);
  if (auto failed = files::write_whole_file(path, name + "\n"); !failed.empty()) return failed;
  return name;
}

std::string key_of_upload(std::string_view upload_id) { return text::sha256_hex(upload_id); }

}  // namespace

text::result<std::unique_ptr<membership>> membership::open(asio::io_context& io,
                                                           journal::store& store,
                                                           cluster_options options,
                                                           const std::string& directory) {
  auto name = own_name_in(directory);
  if (!name) return name.error();
  std::unique_ptr<membership> made{new membership{io, store, std::move(options), *name}};
  auto opened = cluster::link::open(io, made->options_.to, "tofud " + *name,
                                    {[&in = *made](bool is_up) { in.link_changed(is_up); },
                                     [](const auto& each) { warn(each); }});
  if (!opened) return opened.error();
  made->link_ = std::move(*opened);
  made->streams_ = std::make_unique<cluster::jetstream>(*made->link_);
  const std::string& cluster = made->options_.name;
  made->buckets_.uploads =
      std::make_unique<bucket>(*made->streams_, cluster + "_uploads", limits::upload_claimed_for);
  made->history_ = std::make_unique<shared_history>(io, *made->streams_, cluster, store, directory);
  made->buckets_.leases =
      std::make_unique<bucket>(*made->streams_, cluster + "_leases", limits::lease_time);
  made->clocks_.shared = std::make_unique<cluster::server_clock>(
      *made->buckets_.leases, "clock-" + *name, [](const auto& each) { warn(each); });
  made->once_ = std::make_shared<cluster::lease>(io, *made->buckets_.leases, "once", *name);
  cluster::shared_log::options log;
  log.cluster = cluster;
  log.replicas = made->options_.replicas;
  log.max_bytes = made->options_.max_bytes;
  log.copy_of = [&in = *made](const std::string& run) -> std::shared_ptr<cluster::copy> {
    return in.runs_ == nullptr ? nullptr : in.runs_->of_id(run);
  };
  log.may_open = [&in = *made](journal::run_header header) {
    return in.may_open(std::move(header));
  };
  log.said = [](const std::string& run, const std::string& sentence) {
    const std::string begin = "run " + run + ": ";
    operations::log_warning(operations::events::cluster, {run, ""}, "{}{}",
                            sentence.starts_with(begin) ? "" : begin, sentence);
  };
  made->log_ = std::make_unique<cluster::shared_log>(io, *made->streams_, store, std::move(log));
  made->cards_ = std::make_unique<run_cards>(io, *made->streams_, cluster, *name, *made->log_,
                                             store, [&in = *made] { in.become_current(); });
  return made;
}

membership::membership(asio::io_context& io, journal::store& store, cluster_options options,
                       std::string own_name)
    : io_{io},
      store_{store},
      options_{std::move(options)},
      own_name_{std::move(own_name)},
      nonce_{access::random_hex(nonce_bytes)},
      clocks_{io} {}

membership::~membership() { stop(); }

void membership::share_notifications(notify::sender& to) {
  telling_.to = &to;
  telling_.outbox = std::make_unique<shared_outbox>(io_, *streams_, options_.name, to,
                                                    [this] { return is_the_one(); });
}

void membership::share_access(access::gate& gate, std::string token_file,
                              std::function<void()> changed) {
  access_ = std::make_unique<shared_access>(io_, *streams_, options_.name, gate,
                                            std::move(token_file), std::move(changed));
}

void membership::begin() {
  hears_ = link_->subscribe(options_.name + ".heard",
                            [this](cluster::message&& said) { hear(said.data); });
  look();
}

void membership::stop() {
  now_.is_stopped = true;
  clocks_.look.cancel();
  clocks_.waits.cancel();
  if (cards_) cards_->stop();
  if (once_) once_->stop();
  if (telling_.outbox) telling_.outbox->stop();
  if (access_) access_->stop();
  if (history_) history_->stop();
  current_ = nullptr;
  behind_ = nullptr;
}

void membership::when_current(std::function<void()> done) {
  if (now_.is_current) return done();
  current_ = std::move(done);
  clocks_.waits.expires_after(limits::cluster_waited_for);
  clocks_.waits.async_wait([this](boost::system::error_code failed) {
    if (failed || !current_) return;
    warn("this daemon starts without knowing what the other daemons of the cluster have: " +
         why_behind());
    std::exchange(current_, nullptr)();
  });
}

void membership::say_behind() const {
  if (behind_) behind_(why_behind());
}

std::string membership::why_behind() const {
  if (!link_->is_up()) return "NATS can't be reached: " + link_->trouble();
  if (!now_.is_current) return "the runs of the other daemons are being read";
  return "";
}

void membership::become_current() {
  if (std::exchange(now_.is_current, true)) return;
  clocks_.waits.cancel();
  say_behind();
  operations::log_info(operations::events::cluster, {}, "daemon {} is up to date with cluster {}",
                       own_name_, options_.name);
  if (current_) std::exchange(current_, nullptr)();
}

// ---- the connection -------------------------------------------------------------------------

void membership::link_changed(bool is_up) {
  if (now_.is_stopped) return;
  if (is_up) {
    operations::log_info(operations::events::cluster, {}, "connected to NATS as daemon {}",
                         own_name_);
    asio::co_spawn(io_, join(), asio::detached);
  } else {
    now_.is_current = false;
  }
  say_behind();
}

net::task<text::failure> membership::make_streams() {
  auto log = log_->ensure();
  if (auto failed = co_await std::move(log); !failed.empty()) co_return failed;
  auto cards = cards_->ensure(options_.replicas);
  if (auto failed = co_await std::move(cards); !failed.empty()) co_return failed;
  auto uploads = buckets_.uploads->ensure(options_.replicas);
  if (auto failed = co_await std::move(uploads); !failed.empty()) co_return failed;
  auto leases = buckets_.leases->ensure(options_.replicas);
  if (auto failed = co_await std::move(leases); !failed.empty()) co_return failed;
  auto history = history_->ensure(options_.replicas);
  if (auto failed = co_await std::move(history); !failed.empty()) co_return failed;
  if (access_) {
    auto access = access_->ensure(options_.replicas);
    if (auto failed = co_await std::move(access); !failed.empty()) co_return failed;
  }
  if (!telling_.outbox) co_return text::failure{};
  auto told = telling_.outbox->ensure(options_.replicas);
  co_return co_await std::move(told);
}

net::task<bool> membership::join() {
  if (std::exchange(now_.is_joining, true)) co_return false;
  std::string said;
  while (!now_.is_stopped) {
    auto making = make_streams();
    const auto failed = co_await std::move(making);
    if (failed.empty()) break;
    if (std::exchange(said, failed.text()) != failed.text()) warn(said);
    auto resting = net::rest(io_, limits::cluster_again_after);
    co_await std::move(resting);
  }
  now_.is_joining = false;
  if (now_.is_stopped) co_return false;
  now_.is_joined = true;
  if (!cards_->is_begun()) once_->begin();
  cards_->begin();
  if (telling_.outbox) telling_.outbox->begin();
  if (access_) access_->begin();
  history_->begin();
  co_return true;
}

// ---- runs -----------------------------------------------------------------------------------

std::string membership::wall_epoch() const {
  return text::sha256_hex("wall of " + options_.name).substr(0, 8);
}

net::task<text::failure> membership::claim_upload(journal::run_header header) {
  if (header.upload_id.empty()) co_return text::failure{};
  auto claiming = buckets_.uploads->create(key_of_upload(header.upload_id), header.id);
  const auto claimed = co_await std::move(claiming);
  if (claimed) co_return text::failure{};
  if (!claimed.error().is(cluster::error::other_writer)) co_return claimed.error();
  auto getting = buckets_.uploads->get(key_of_upload(header.upload_id));
  const auto there = co_await std::move(getting);
  if (!there) co_return there.error();
  if (*there && (*there)->value == header.id) co_return text::failure{};
  co_return text::failure{cluster::error::made_elsewhere};
}

/// What was acknowledged is kept, whatever its sender did then.
net::task<text::failure> membership::may_open(journal::run_header header) {
  const auto here = runs_->of_id(header.id);
  const bool has_bytes = here && here->copied_bytes() > 0;
  auto claiming = claim_upload(std::move(header));
  auto failed = co_await std::move(claiming);
  if (has_bytes && failed.is(cluster::error::made_elsewhere)) failed = {};
  co_return failed;
}

net::task<text::failure> membership::open(journal::run_header header) {
  auto opening = log_->open(header);
  if (auto failed = co_await std::move(opening); !failed.empty()) co_return failed;
  auto claiming = claim_upload(header);
  auto failed = co_await std::move(claiming);
  if (failed.is(cluster::error::made_elsewhere)) {
    auto removing = log_->remove(header.id);
    co_await std::move(removing);
    co_return failed;
  }
  if (!failed.empty()) log_->add(header);  // when NATS is there again
  co_return text::failure{};
}

net::task<text::failure> membership::remove(std::string run, journal::removed_by whom) {
  const bool by_person = whom == journal::removed_by::person;
  auto marking = cards_->remove(run, whom);
  if (auto failed = co_await std::move(marking); !failed.empty()) co_return failed;
  if (by_person) history_->forget(run);
  auto removing = log_->remove(run);
  co_return co_await std::move(removing);
}

void membership::removed_here(const std::string& run) {
  asio::co_spawn(io_, remove(run, journal::removed_by::retention), asio::detached);
}

net::task<text::failure> membership::bring(std::string run) {
  ++brought_;
  return log_->bring(std::move(run));
}

void membership::forget(const std::string& run) {
  log_->forget(run);
  cards_->forget(run);
}

net::task<text::failure> membership::find_upload(std::string upload_id) {
  auto getting = buckets_.uploads->get(key_of_upload(upload_id));
  const auto there = co_await std::move(getting);
  if (!there) co_return there.error();
  if (!*there) co_return text::failure{};
  auto finding = find((*there)->value);
  co_return co_await std::move(finding);
}

net::task<text::failure> membership::take_over(std::string run) {
  auto making = find(run);
  auto failed = co_await std::move(making);
  const auto here = runs_->of_id(run);
  if (!here) co_return failed;
  auto bringing = log_->bring(run);
  failed = co_await std::move(bringing);
  // What it can't know it can't refuse: the append will say so.
  if (!failed.empty() && here->is_elsewhere().is_taken) co_return failed;
  if (failed.empty()) runs_->taken_here(run);
  co_return text::failure{};
}

// ---- now and then ---------------------------------------------------------------------------

void membership::look() {
  if (now_.is_stopped) return;
  if (!now_.is_current) runs_->could_not_hear();
  say_behind();
  if (link_->is_up() && now_.is_joined) {
    tell_heard();
    cards_->look();
    if (telling_.outbox) telling_.outbox->look();
    history_->look();
    if (now_.is_current && !std::exchange(now_.is_rescuing, true))
      asio::co_spawn(io_, rescue(), asio::detached);
  }
  clocks_.look.expires_after(limits::heard_told_every);
  clocks_.look.async_wait([this](boost::system::error_code failed) {
    if (!failed) look();
  });
}

void membership::tell_heard() {
  const auto since = std::exchange(told_at_, std::chrono::steady_clock::now());
  const auto heard = runs_->heard_since(since);
  std::size_t at = 0;
  do {
    js::array runs;
    for (; at < heard.size() && runs.size() < limits::heard_at_once; ++at)
      runs.emplace_back(heard[at]);
    link_->publish({options_.name + ".heard",
                    "",
                    {},
                    js::serialize(js::object{
                        {"by", own_name_}, {"nonce", nonce_}, {"runs", std::move(runs)}})});
  } while (at < heard.size());
}

void membership::hear(std::string_view said) {
  const auto from = json::object_in(said);
  if (!from) return;
  const std::string by = json::text_at(*from, "by");
  if (by.empty() || by.size() > 2 * name_bytes) return;
  std::erase_if(members_, [](const auto& each) {
    return std::chrono::steady_clock::now() - each.second > 10 * limits::member_gone_after;
  });
  if (members_.size() < limits::members_known || members_.contains(by))
    members_[by] = std::chrono::steady_clock::now();
  if (by == own_name_) {
    if (json::text_at(*from, "nonce") != nonce_ && !std::exchange(now_.is_name_taken, true))
      warn("another daemon has the name of this one, " + by +
           "; stop one of them, remove the file `member` from its directory, and start it again");
    return;
  }
  const js::value* runs = from->if_contains("runs");
  if (runs == nullptr || !runs->is_array()) return;
  for (const js::value& each : runs->get_array()) {
    if (!each.is_string()) continue;
    const auto run = runs_->of_id(std::string_view{each.get_string()});
    if (run && run->is_elsewhere().is_taken) run->heard();
  }
}

bool membership::is_gone(const std::string& member) const {
  const auto found = members_.find(member);
  return found == members_.end() ||
         std::chrono::steady_clock::now() - found->second > limits::member_gone_after;
}

}  // namespace tofud::serve
