#include "daemon/serve/membership.hpp"

#include "daemon/access/secret.hpp"
#include "daemon/cluster/errors.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/files/whole_file.hpp"
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

constexpr std::int64_t card_version = 1;
constexpr std::size_t name_bytes = 6;

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

std::uint64_t number_at(const js::object& in, const char* key) {
  const js::value* found = in.if_contains(key);
  return found != nullptr && found->is_int64() && found->get_int64() > 0
             ? static_cast<std::uint64_t>(found->get_int64())
             : 0;
}

/// What stands in a card.
struct read_card {
  kept_streams::told_elsewhere told;
  std::string by;
  std::uint64_t seq = 0;
  std::string removed_by;  // not empty: the run was removed, and nothing else is said
};

std::optional<read_card> parse_card(std::string_view text) {
  js::error_code failed;
  const js::value value = js::parse(js::string_view{text.data(), text.size()}, failed);
  const js::object* from = failed ? nullptr : value.if_object();
  if (from == nullptr || number_at(*from, "v") != card_version) return std::nullopt;
  read_card read;
  read.removed_by = json::text_at(*from, "removed");
  if (!read.removed_by.empty()) return read;
  const js::value* header = from->if_contains("header");
  if (header == nullptr) return std::nullopt;
  auto parsed = journal::parse_header(js::serialize(*header));
  if (!parsed) return std::nullopt;
  read.told.header = std::move(*parsed);
  read.told.is_over = from->contains("over") && from->at("over") == js::value(true);
  read.told.bytes = number_at(*from, "bytes");
  read.told.events = number_at(*from, "events");
  read.told.views = json::text_at(*from, "views");
  read.by = json::text_at(*from, "by");
  read.seq = number_at(*from, "seq");
  return read;
}

net::task<bool> rest(asio::io_context& io, std::chrono::milliseconds time) {
  asio::steady_timer clock{io, time};
  auto waiting = clock.async_wait(net::as_result);
  co_await std::move(waiting);
  co_return true;
}

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
  made->cards_ = std::make_unique<bucket>(*made->streams_, cluster + "_cards");
  made->uploads_ = std::make_unique<bucket>(*made->streams_, cluster + "_uploads");
  made->history_ = std::make_unique<shared_history>(io, *made->streams_, cluster, store, directory);
  made->leases_ =
      std::make_unique<bucket>(*made->streams_, cluster + "_leases", limits::lease_time);
  made->once_ = std::make_shared<cluster::lease>(io, *made->leases_, "once", *name);
  cluster::shared_log::options log;
  log.cluster = cluster;
  log.replicas = made->options_.replicas;
  log.max_bytes = made->options_.max_bytes;
  log.copy_of = [&in = *made](const std::string& run) -> std::shared_ptr<cluster::copy> {
    return in.runs_ == nullptr ? nullptr : in.runs_->of_id(run);
  };
  log.said = [](const std::string& run, const std::string& sentence) {
    operations::log_warning(operations::events::cluster, {run, ""}, "run {}: {}", run, sentence);
  };
  made->log_ = std::make_unique<cluster::shared_log>(io, *made->streams_, store, std::move(log));
  return made;
}

membership::membership(asio::io_context& io, journal::store& store, cluster_options options,
                       std::string own_name)
    : io_{io},
      store_{store},
      options_{std::move(options)},
      own_name_{std::move(own_name)},
      clock_{io},
      waits_{io} {}

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
  is_stopped_ = true;
  clock_.cancel();
  waits_.cancel();
  if (reads_cards_) reads_cards_->stop();
  if (once_) once_->stop();
  if (telling_.outbox) telling_.outbox->stop();
  if (access_) access_->stop();
  if (history_) history_->stop();
  current_ = nullptr;
}

void membership::when_current(std::function<void()> done) {
  if (is_current_) return done();
  current_ = std::move(done);
  waits_.expires_after(limits::cluster_waited_for);
  waits_.async_wait([this](boost::system::error_code failed) {
    if (failed || !current_) return;
    warn("this daemon starts without knowing what the other daemons of the cluster have: " +
         why_behind());
    std::exchange(current_, nullptr)();
  });
}

std::string membership::why_behind() const {
  if (!link_->is_up()) return "NATS can't be reached: " + link_->trouble();
  if (!is_current_) return "the runs of the other daemons are being read";
  return "";
}

void membership::become_current() {
  if (std::exchange(is_current_, true)) return;
  waits_.cancel();
  operations::log_info(operations::events::cluster, {}, "daemon {} is up to date with cluster {}",
                       own_name_, options_.name);
  if (current_) std::exchange(current_, nullptr)();
}

// ---- the connection -------------------------------------------------------------------------

void membership::link_changed(bool is_up) {
  if (is_stopped_) return;
  if (is_up) {
    operations::log_info(operations::events::cluster, {}, "connected to NATS as daemon {}",
                         own_name_);
    asio::co_spawn(io_, join(), asio::detached);
  } else {
    is_current_ = false;
  }
}

net::task<text::failure> membership::make_streams() {
  auto log = log_->ensure();
  if (auto failed = co_await std::move(log); !failed.empty()) co_return failed;
  auto cards = cards_->ensure(options_.replicas);
  if (auto failed = co_await std::move(cards); !failed.empty()) co_return failed;
  auto uploads = uploads_->ensure(options_.replicas);
  if (auto failed = co_await std::move(uploads); !failed.empty()) co_return failed;
  auto leases = leases_->ensure(options_.replicas);
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
  if (std::exchange(is_joining_, true)) co_return false;
  std::string said;
  while (!is_stopped_) {
    auto making = make_streams();
    const auto failed = co_await std::move(making);
    if (failed.empty()) break;
    if (std::exchange(said, failed.text()) != failed.text()) warn(said);
    auto resting = rest(io_, limits::cluster_again_after);
    co_await std::move(resting);
  }
  is_joining_ = false;
  if (is_stopped_) co_return false;
  is_joined_ = true;
  if (!reads_cards_) {
    reads_cards_ = std::make_shared<cluster::reader>(io_, *streams_, cards_->all());
    asio::co_spawn(io_, follow_cards(), asio::detached);
    once_->begin();
  }
  if (telling_.outbox) telling_.outbox->begin();
  if (access_) access_->begin();
  history_->begin();
  co_return true;
}

// ---- cards ----------------------------------------------------------------------------------

net::task<bool> membership::follow_cards() {
  const auto reads = reads_cards_;
  while (!reads->is_stopped()) {
    auto reading = reads->next();
    auto came = co_await std::move(reading);
    if (!came) {
      auto resting = rest(io_, limits::cluster_again_after);
      co_await std::move(resting);
      continue;
    }
    is_taking_ = true;
    for (cluster::stored_message& each : *came) {
      if (reads->is_stopped()) co_return false;
      bucket::entry entry = cards_->entry_of(std::move(each));
      const std::string run = entry.key;
      const std::uint64_t revision = entry.revision;
      auto taking = take_card(std::move(entry), is_next::yes);
      co_await std::move(taking);
      // Only now: whoever has seen this wall up to that number has seen what was told of the run.
      runs_->go_on_from(revision);
      runs_->told_of(run);
    }
    is_taking_ = false;
    if (reads->is_caught_up()) become_current();
  }
  co_return true;
}

net::task<bool> membership::take_card(bucket::entry entry, is_next in_order) {
  const std::string id = entry.key;
  const std::uint64_t revision = entry.revision;
  ++counts_.cards_taken;
  const auto read = entry.is_removed ? std::optional<read_card>{} : parse_card(entry.value);
  if (entry.is_removed || (read && !read->removed_by.empty())) {
    said_.erase(id);
    if (!runs_->of_id(id)) co_return false;
    const auto whom = read && read->removed_by == "person" ? journal::removed_by::person
                                                           : journal::removed_by::retention;
    auto removing = store_.remove(id, whom, operations::utc_now());
    co_await std::move(removing);
    if (in_order == is_next::yes) runs_->go_on_from(revision);
    runs_->forget(id);
    co_return true;
  }
  if (!read || read->told.header.id != id) {
    warn("the card of run " + id + " in NATS is none; it is passed over");
    co_return false;
  }
  if (store_.removed_by_person(id)) co_return false;
  card& known = said_[id];
  if (entry.revision < known.revision) co_return false;
  known.revision = entry.revision;
  known.by = read->by;
  const auto here = runs_->of_id(id);
  if (here && !here->is_elsewhere().is_taken) {
    // Both took it in, one after the other: the log says who is the last.
    const bool is_later = read->by != own_name_ && read->seq > log_->seq_of(id);
    if (!is_later) co_return true;
    log_->doubt(id);
  }
  auto adopting = runs_->adopt(read->told.header);
  if (const auto failed = co_await std::move(adopting); !failed.empty()) {
    warn("run " + id + " of another daemon can't be stored here: " + failed.text());
    co_return false;
  }
  runs_->learn_elsewhere(read->told);
  const auto run = runs_->of_id(id);
  if (run && run->folded() != nullptr && run->is_partial()) log_->follow(id);
  co_return true;
}

void membership::changed(const ingested_run& run, std::string views) {
  js::object said{{"v", card_version},
                  {"by", own_name_},
                  {"seq", log_->seq_of(run.id())},
                  {"over", run.complete()},
                  {"bytes", run.kept_bytes()},
                  {"events", run.events().size()},
                  {"header", js::parse(journal::to_json(run.header()))},
                  {"views", std::move(views)}};
  card& of = said_[run.id()];
  of.value = js::serialize(said);
  if (!of.is_being_said && is_joined_) asio::co_spawn(io_, say_card(run.id()), asio::detached);
}

net::task<bool> membership::say_card(std::string run) {
  said_[run].is_being_said = true;
  for (;;) {
    const auto found = said_.find(run);
    if (found == said_.end()) co_return false;  // removed
    card& of = found->second;
    if (of.value.empty() || is_stopped_) break;
    std::string value = std::exchange(of.value, {});
    auto saying =
        of.revision == 0 ? cards_->create(run, value) : cards_->update(run, value, of.revision);
    const auto said = co_await std::move(saying);
    const auto again = said_.find(run);
    if (again == said_.end()) co_return false;
    card& now = again->second;
    if (said) {
      ++counts_.cards_sent;
      now.revision = std::max(now.revision, *said);
      now.by = own_name_;
      continue;
    }
    if (now.value.empty()) now.value = std::move(value);
    if (!said.error().is(cluster::error::other_writer)) break;  // `look` tries again
    ++counts_.refused_as_other_writer;
    auto getting = cards_->get(run);
    auto there = co_await std::move(getting);
    if (!there) break;
    const auto third = said_.find(run);
    if (third == said_.end()) co_return false;
    if (!*there) {
      third->second.revision = 0;
      continue;
    }
    const auto theirs = parse_card((*there)->value);
    const bool is_later = theirs && theirs->by != own_name_ && theirs->seq > log_->seq_of(run);
    if (is_later || (theirs && !theirs->removed_by.empty())) {
      third->second.value.clear();
      third->second.is_being_said = false;
      auto taking = take_card(std::move(**there), is_next::no);
      co_await std::move(taking);
      co_return false;
    }
    third->second.revision = (*there)->revision;
  }
  if (const auto found = said_.find(run); found != said_.end()) found->second.is_being_said = false;
  co_return true;
}

// ---- runs -----------------------------------------------------------------------------------

std::string membership::wall_epoch() const {
  return text::sha256_hex("wall of " + options_.name).substr(0, 8);
}

net::task<text::failure> membership::claim_upload(journal::run_header header) {
  if (header.upload_id.empty()) co_return text::failure{};
  auto claiming = uploads_->create(key_of_upload(header.upload_id), header.id);
  const auto claimed = co_await std::move(claiming);
  if (claimed) co_return text::failure{};
  if (!claimed.error().is(cluster::error::other_writer)) co_return claimed.error();
  auto getting = uploads_->get(key_of_upload(header.upload_id));
  const auto there = co_await std::move(getting);
  if (!there) co_return there.error();
  if (*there && (*there)->value == header.id) co_return text::failure{};
  co_return text::failure{cluster::error::made_elsewhere};
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
  const std::string mark = js::serialize(
      js::object{{"v", card_version}, {"removed", by_person ? "person" : "retention"}});
  auto marking = cards_->put(run, mark);
  const auto marked = co_await std::move(marking);
  if (!marked) co_return marked.error();
  if (by_person) history_->forget(run);
  auto removing = log_->remove(std::move(run));
  co_return co_await std::move(removing);
}

void membership::removed_here(const std::string& run) {
  asio::co_spawn(io_, remove(run, journal::removed_by::retention), asio::detached);
}

net::task<text::failure> membership::bring(std::string run) {
  ++counts_.brought;
  return log_->bring(std::move(run));
}

void membership::forget(const std::string& run) {
  log_->forget(run);
  said_.erase(run);
}

net::task<text::failure> membership::find(std::string run) {
  if (runs_->of_id(run) || !journal::is_safe_id(run)) co_return text::failure{};
  auto getting = cards_->get(run);
  auto card = co_await std::move(getting);
  if (!card) co_return card.error();
  if (*card) {
    auto taking = take_card(std::move(**card), is_next::no);
    co_await std::move(taking);
    co_return text::failure{};
  }
  // Whoever began it may have died before it said more.
  auto looking = log_->header_of(run);
  auto header = co_await std::move(looking);
  if (!header) co_return header.error();
  if (!*header) co_return text::failure{};
  auto adopting = runs_->adopt(std::move(**header));
  co_return co_await std::move(adopting);
}

net::task<text::failure> membership::find_upload(std::string upload_id) {
  auto getting = uploads_->get(key_of_upload(upload_id));
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
  if (is_stopped_) return;
  if (link_->is_up() && is_joined_) {
    tell_heard();
    if (reads_cards_ && reads_cards_->is_caught_up() && !is_taking_) become_current();
    for (auto& [run, of] : said_) {
      if (!of.value.empty() && !of.is_being_said)
        asio::co_spawn(io_, say_card(run), asio::detached);
    }
    if (telling_.outbox) telling_.outbox->look();
    history_->look();
    if (is_current_ && !std::exchange(is_rescuing_, true))
      asio::co_spawn(io_, rescue(), asio::detached);
  }
  clock_.expires_after(limits::heard_told_every);
  clock_.async_wait([this](boost::system::error_code failed) {
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
                    js::serialize(js::object{{"by", own_name_}, {"runs", std::move(runs)}})});
  } while (at < heard.size());
}

void membership::hear(std::string_view said) {
  js::error_code failed;
  const js::value value = js::parse(js::string_view{said.data(), said.size()}, failed);
  const js::object* from = failed ? nullptr : value.if_object();
  if (from == nullptr) return;
  const std::string by = json::text_at(*from, "by");
  if (by.empty() || by.size() > 2 * name_bytes) return;
  members_[by] = std::chrono::steady_clock::now();
  std::erase_if(members_, [](const auto& each) {
    return std::chrono::steady_clock::now() - each.second > 100 * limits::member_gone_after;
  });
  if (by == own_name_) return;
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

net::task<bool> membership::rescue() {
  auto appending = append_surplus();
  co_await std::move(appending);
  auto reading = read_doubted();
  co_await std::move(reading);
  auto sharing = share_history();
  co_await std::move(sharing);
  auto finishing = finish_cut_off();
  co_await std::move(finishing);
  if (is_the_one() && ++looks_ % limits::once_looks_every == 0) {
    auto telling = tell_untold();
    co_await std::move(telling);
    auto clearing = make_room();
    co_await std::move(clearing);
  }
  is_rescuing_ = false;
  co_return true;
}

net::task<bool> membership::append_surplus() {
  for (const std::string& run : log_->with_surplus()) {
    const auto here = runs_->of_id(run);
    if (!here || is_stopped_) continue;
    auto claiming = claim_upload(here->header());
    auto failed = co_await std::move(claiming);
    if (failed.is(cluster::error::made_elsewhere)) {
      // Nothing of it was acknowledged: its sender sends it there.
      auto removing = store_.remove(run, journal::removed_by::retention, operations::utc_now());
      co_await std::move(removing);
      runs_->forget(run);
      continue;
    }
    if (!failed.empty()) co_return false;
    auto appending = log_->append_surplus(run);
    failed = co_await std::move(appending);
    if (!failed.empty()) co_return false;
    runs_->tell_again(run);
  }
  co_return true;
}

/// What this daemon takes in may have gone on elsewhere since it was stopped or cut off.
net::task<bool> membership::read_doubted() {
  for (const std::string& run : runs_->taken_in()) {
    if (log_->may_append(run) || is_stopped_) continue;
    auto bringing = log_->bring(run);
    if (const auto failed = co_await std::move(bringing); !failed.empty()) co_return false;
  }
  co_return true;
}

/// Runs from before there was a cluster.
net::task<bool> membership::share_history() {
  for (journal::run_header& each : runs_->whole_runs()) {
    if (is_stopped_ || !link_->is_up()) co_return false;
    const std::string run = each.id;
    if (said_.contains(run)) continue;
    log_->add(std::move(each));
    auto appending = log_->append_surplus(run);
    const auto failed = co_await std::move(appending);
    if (!failed.empty()) co_return false;
    runs_->tell_again(run);
  }
  co_return true;
}

/// Whoever took a run in may have died between its end and the word about it.
net::task<bool> membership::tell_untold() {
  if (!telling_.outbox || !telling_.to->has_rules() || !telling_.outbox->is_current())
    co_return false;
  auto asking = net::given<std::vector<std::string>>(
      [this](std::function<void(std::vector<std::string>)> give) {
        telling_.to->without_end(runs_->ended(), std::move(give));
      });
  const auto now = co_await std::move(asking);
  const auto before = std::exchange(telling_.untold, now);
  for (const std::string& run : now) {
    if (std::find(before.begin(), before.end(), run) == before.end()) continue;
    operations::log_info(operations::events::cluster, {run, ""},
                         "run {}: its end is told by this daemon", run);
    runs_->tell_end(run);
  }
  co_return true;
}

/// The oldest runs go before NATS has to refuse new ones.
net::task<bool> membership::make_room() {
  if (options_.max_bytes <= 0) co_return false;
  for (std::size_t i = 0; i < limits::room_made_at_once; ++i) {
    auto asking = streams_->state(log_->stream());
    const auto now = co_await std::move(asking);
    if (!now || now->bytes < static_cast<std::uint64_t>(options_.max_bytes / 10 * 9))
      co_return false;
    const std::string oldest = runs_->oldest_ended();
    if (oldest.empty()) co_return false;
    auto removing = remove(oldest, journal::removed_by::retention);
    if (const auto failed = co_await std::move(removing); !failed.empty()) co_return false;
    operations::log_info(operations::events::runs_retired, {oldest, ""},
                         "run {} was removed: the runs in NATS take nearly as much as they may",
                         oldest);
  }
  co_return true;
}

/// Streams that were cut off with the daemon that took them in.
net::task<bool> membership::finish_cut_off() {
  for (const auto& each : runs_->sent_once()) {
    const std::string run = each->id();
    const auto known = said_.find(run);
    const std::string by = known == said_.end() ? own_name_ : known->second.by;
    const bool is_ours =
        by == own_name_ ? each->contact() != feed::run_contact::ok : is_gone(by) && is_the_one();
    if (!is_ours || is_stopped_) continue;
    auto taking = take_over(run);
    if (const auto failed = co_await std::move(taking); !failed.empty()) co_return false;
    auto finishing = runs_->finish_broken(run);
    const auto failed = co_await std::move(finishing);
    if (!failed.empty()) warn("run " + run + " can't be ended: " + failed.text());
  }
  co_return true;
}

}  // namespace tofud::serve
