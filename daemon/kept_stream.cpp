#include "daemon/kept_stream.hpp"

#include "protocol/limits.hpp"

#include <boost/asio/post.hpp>

namespace tofud {
namespace {

// No eye sees it, and a look costs a few system calls.
constexpr std::chrono::milliseconds between_looks{100};

}  // namespace

boost::system::result<kept_stream, std::string> kept_stream::open(const std::string& path) {
  auto file = reader::stream_file::open(path);
  if (!file) return file.error();
  return kept_stream{std::move(*file)};
}

std::string kept_stream::read_all(const std::function<void(std::string_view)>& piece) {
  std::vector<char> room(limits::read_bytes);
  for (;;) {
    const auto count = file_.read(room);
    if (!count) return count.error();
    if (*count == 0) return "";
    piece({room.data(), *count});
  }
}

events::run_events kept_stream::said() const {
  return events::parse_events(reader::events_beside(file_.path()));
}

correlator::run_identity kept_stream::identity() const {
  const events::run_events known = said();
  correlator::run_identity identity;
  identity.id = known.id.empty() ? reader::run_id_of(file_.path()) : known.id;
  identity.stack = known.stack;
  identity.labels = known.labels;
  identity.command = known.command;
  return identity;
}

follower::follower(boost::asio::io_context& io, kept_stream& stream, listeners told)
    : stream_{stream}, told_{std::move(told)}, pause_{io}, room_(limits::read_bytes) {}

void follower::start() { turn(); }

void follower::stop() {
  stopped_ = true;
  pause_.cancel();
}

void follower::turn() {
  if (stopped_) return;
  const auto count = stream_.file().read(room_);
  if (!count) return told_.over(count.error());
  if (*count == 0) return quiet();
  told_.piece({room_.data(), *count});
  boost::asio::post(pause_.get_executor(), [this] { turn(); });
}

void follower::quiet() {
  if (!caught_up_ && told_.caught_up) told_.caught_up();
  caught_up_ = true;
  if (stopped_) return;
  if (last_look_) return told_.over("");
  last_look_ = !stream_.file().is_written();
  if (last_look_) return turn();
  pause_.expires_after(between_looks);
  pause_.async_wait([this](boost::system::error_code failed) {
    if (!failed) turn();
  });
}

}  // namespace tofud
