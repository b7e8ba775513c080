#include "daemon/serve/shared_access.hpp"

#include "daemon/access/token_file.hpp"
#include "daemon/cluster/errors.hpp"
#include "daemon/net/rest.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/limits.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <utility>

namespace tofud::serve {
namespace {

namespace asio = boost::asio;
using tokens = std::vector<access::token>;

constexpr std::string_view tokens_key = "tokens", session_prefix = "session.";

std::string text_of(const tokens& all) {
  std::string text;
  for (const access::token& one : all) text += access::to_line(one) + "\n";
  return text;
}

tokens tokens_in(std::string_view text) {
  tokens all;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (auto one = access::parse_token_line(text.substr(0, end))) all.push_back(std::move(*one));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

/// Each once, in the order of the first; revoked is revoked.
tokens united(tokens all, const tokens& more) {
  for (const access::token& one : more) {
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.id == one.id; });
    if (known == all.end()) {
      all.push_back(one);
    } else {
      known->revoked = known->revoked || one.revoked;
    }
  }
  return all;
}

bool are_same(tokens a, tokens b) {
  const auto by_id = [](const auto& one, const auto& other) { return one.id < other.id; };
  std::sort(a.begin(), a.end(), by_id);
  std::sort(b.begin(), b.end(), by_id);
  return a == b;
}

}  // namespace

shared_access::shared_access(asio::io_context& io, cluster::jetstream& in,
                             const std::string& cluster, access::gate& gate, std::string token_file,
                             std::function<void()> changed)
    : io_{io},
      in_{in},
      bucket_{in, cluster + "_access"},
      gate_{gate},
      token_file_{std::move(token_file)},
      changed_{std::move(changed)},
      files_{io},
      clock_{io} {
  gate_.open().tell([this](const std::string& hash, std::string text) {
    untold_[hash] = text;
    if (reads_) asio::co_spawn(io_, put(hash, std::move(text)), asio::detached);
  });
}

shared_access::~shared_access() { stop(); }

void shared_access::stop() {
  clock_.cancel();
  if (reads_) reads_->stop();
}

void shared_access::begin() {
  if (reads_) return;
  reads_ = std::make_shared<cluster::reader>(io_, in_, bucket_.all());
  asio::co_spawn(io_, follow(), asio::detached);
  look();
}

void shared_access::forget_theirs() {
  theirs_.clear();
  revision_ = 0;
}

void shared_access::look() {
  if (reads_->is_caught_up() && reads_->take_loss()) forget_theirs();
  if (!is_current_ && reads_->is_caught_up()) is_current_ = true;
  if (is_current_ && in_.over().is_up() && !std::exchange(is_sharing_, true))
    asio::co_spawn(io_, share_tokens(), asio::detached);
  if (in_.over().is_up()) {
    for (const auto& [hash, text] : untold_) asio::co_spawn(io_, put(hash, text), asio::detached);
  }
  std::erase_if(unadopted_, [this](const auto& each) {
    if (gate_.adopt(each.first, each.second)) return true;
    const auto read = access::parse_session(each.second);
    if (!read || operations::now_in_seconds() - read->since < limits::session_age) return false;
    untold_[each.first] = "";  // nobody can use it any more
    return true;
  });
  clock_.expires_after(limits::tokens_shared_every);
  clock_.async_wait([this](boost::system::error_code failed) {
    if (!failed) look();
  });
}

net::task<bool> shared_access::put(std::string hash, std::string text) {
  const std::string key = std::string{session_prefix} + hash;
  if (text.empty()) {
    auto removing = bucket_.remove(key);
    if (const auto removed = co_await std::move(removing); !removed) co_return false;
  } else {
    auto putting = bucket_.put(key, text);
    if (const auto stored = co_await std::move(putting); !stored) co_return false;
  }
  const auto found = untold_.find(hash);
  if (found != untold_.end() && found->second == text) untold_.erase(found);
  co_return true;
}

net::task<bool> shared_access::share_tokens() {
  std::function<text::result<access::read_tokens>()> reading = [path = token_file_] {
    return access::read_token_file(path);
  };
  auto read = files_.result_of(std::move(reading));
  const auto here = co_await std::move(read);
  // A file that can't be read is the gate's to complain of; nothing is made of it.
  if (!here || !here->refused.empty()) {
    is_sharing_ = false;
    co_return false;
  }
  const tokens all = united(here->all, theirs_);
  if (!are_same(all, theirs_)) {
    auto storing = revision_ == 0
                       ? bucket_.create(std::string{tokens_key}, text_of(all))
                       : bucket_.update(std::string{tokens_key}, text_of(all), revision_);
    // Another daemon was first: what it wrote comes.
    if (const auto stored = co_await std::move(storing); stored) {
      theirs_ = all;
      revision_ = std::max(revision_, *stored);
    }
  }
  if (!are_same(all, here->all)) {
    std::function<text::failure()> writing = [path = token_file_, all] {
      return access::change_token_file(path, [&all](tokens& there) {
        there = united(std::move(there), all);
        return text::failure{};
      });
    };
    auto write = files_.result_of(std::move(writing));
    const auto failed = co_await std::move(write);
    if (!failed.empty())
      operations::log_warning(operations::events::cluster, {},
                              "tokens of other daemons can't be stored here: {}", failed.text());
    changed_();
  }
  is_sharing_ = false;
  co_return true;
}

net::task<bool> shared_access::follow() {
  const auto reads = reads_;
  while (!reads->is_stopped()) {
    auto reading = reads->next();
    auto came = co_await std::move(reading);
    if (!came) {
      auto resting = net::rest(io_, limits::cluster_again_after);
      co_await std::move(resting);
      continue;
    }
    if (reads->take_loss()) forget_theirs();
    for (cluster::stored_message& each : *came) {
      const cluster::bucket::entry entry = bucket_.entry_of(std::move(each));
      if (entry.key == tokens_key && !entry.is_removed) {
        theirs_ = tokens_in(entry.value);
        revision_ = std::max(revision_, entry.revision);
        if (!std::exchange(is_sharing_, true)) asio::co_spawn(io_, share_tokens(), asio::detached);
      } else if (entry.key.starts_with(session_prefix)) {
        const std::string hash = entry.key.substr(session_prefix.size());
        const std::string text = entry.is_removed ? "" : entry.value;
        if (untold_.contains(hash)) continue;  // what is said here is newer
        if (!gate_.adopt(hash, text)) unadopted_[hash] = text;
        if (text.empty()) {
          unadopted_.erase(hash);
          changed_();
        }
      }
    }
  }
  co_return true;
}

}  // namespace tofud::serve
