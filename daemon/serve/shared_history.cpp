#include "daemon/serve/shared_history.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/files/whole_file.hpp"
#include "daemon/history/told_operations.hpp"
#include "daemon/net/rest.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/serve/limits.hpp"
#include "protocol/text/whole_number.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <utility>

namespace tofud::serve {
namespace {

namespace asio = boost::asio;

/// RUN.N of M pieces: RUN.N=M is no key, so the number stands before the text.
std::string key_of(const std::string& run, std::size_t n) { return run + "." + std::to_string(n); }

}  // namespace

shared_history::shared_history(asio::io_context& io, cluster::jetstream& in,
                               const std::string& cluster, journal::store& store,
                               const std::string& directory)
    : io_{io},
      in_{in},
      bucket_{in, cluster + "_history", limits::history_told_for},
      store_{store},
      position_file_{directory + "/shared-history"},
      files_{io} {
  const auto read = files::read_document(position_file_, 64);
  if (!read) return;
  const std::string line = read->substr(0, read->find('\n'));
  position_ = written_ = text::parse_whole_number<std::uint64_t>(line).value_or(0);
}

shared_history::~shared_history() { stop(); }

void shared_history::stop() {
  if (reads_) reads_->stop();
}

void shared_history::begin() {
  if (reads_) return;
  auto place = bucket_.all();
  place.after = position_;
  reads_ = std::make_shared<cluster::reader>(io_, in_, std::move(place));
  asio::co_spawn(io_, follow(), asio::detached);
}

void shared_history::tell(const std::string& run, const std::vector<history::run_operations>& did) {
  untold_[run] = history::to_texts(did, limits::history_piece_bytes);
  look();
}

void shared_history::forget(const std::string& run) {
  untold_[run] = {};
  look();
}

void shared_history::look() {
  if (untold_.empty() || !reads_ || !in_.over().is_up() || std::exchange(is_putting_, true)) return;
  asio::co_spawn(io_, put(untold_.begin()->first), asio::detached);
}

net::task<bool> shared_history::put(std::string run) {
  const std::vector<std::string> texts = untold_[run];
  bool is_told = true;
  if (texts.empty()) {
    auto purging = in_.purge(bucket_.stream(), bucket_.subject_of(run + ".>"));
    is_told = (co_await std::move(purging)).empty();
  }
  for (std::size_t i = 0; i < texts.size() && is_told; ++i) {
    auto putting = bucket_.put(key_of(run, i + 1), std::to_string(texts.size()) + " " + texts[i]);
    const auto stored = co_await std::move(putting);
    is_told = stored.has_value();
    if (is_told) own_[key_of(run, i + 1)] = *stored;
  }
  is_putting_ = false;
  if (!is_told) co_return false;
  if (const auto found = untold_.find(run); found != untold_.end() && found->second == texts)
    untold_.erase(found);
  look();
  co_return true;
}

void shared_history::take(const cluster::bucket::entry& entry) {
  position_ = entry.revision;
  const auto own = own_.find(entry.key);
  if (own != own_.end() && own->second == entry.revision) {
    own_.erase(own);
    return;
  }
  const auto dot = entry.key.rfind('.');
  const auto blank = entry.value.find(' ');
  if (entry.is_removed || dot == std::string::npos || blank == std::string::npos) return;
  const std::string run = entry.key.substr(0, dot);
  const auto n = text::parse_whole_number<std::size_t>(entry.key.substr(dot + 1));
  const auto pieces = text::parse_whole_number<std::size_t>(entry.value.substr(0, blank));
  if (!n || !pieces || *n == 0 || *n > *pieces) return;
  coming& of = coming_[run];
  if (*n != of.pieces + 1) {  // it was told anew, or from a piece on that was read before
    of = {};
    if (*n != 1) return;
  }
  of.pieces = *n;
  const auto failed = history::add_text(of.did, std::string_view{entry.value}.substr(blank + 1));
  if (!failed.empty()) {
    operations::log_warning(operations::events::cluster, {run, ""}, "run {}: {}", run,
                            failed.text());
    coming_.erase(run);
    return;
  }
  if (*n < *pieces) return;
  store_.add_history_of_others(run, std::move(of.did), [](const text::failure&) {});
  coming_.erase(run);
}

void shared_history::write_position() {
  if (position_ == written_) return;
  written_ = position_;
  files_.post([path = position_file_, text = std::to_string(position_) + "\n"] {
    // One that is not written is read from again.
    static_cast<void>(files::write_whole_file(path, text));
  });
}

net::task<bool> shared_history::follow() {
  const auto reads = reads_;
  while (!reads->is_stopped()) {
    auto reading = reads->next();
    auto came = co_await std::move(reading);
    if (!came) {
      auto resting = net::rest(io_, limits::cluster_again_after);
      co_await std::move(resting);
      continue;
    }
    if (reads->is_stopped()) break;
    if (reads->take_loss()) own_.clear();
    for (cluster::stored_message& each : *came) take(bucket_.entry_of(std::move(each)));
    if (coming_.empty()) write_position();
  }
  co_return true;
}

}  // namespace tofud::serve
