#include "daemon/pipeline/kept_stream.hpp"

#include "daemon/client/limits.hpp"
#include "daemon/files/limits.hpp"

#include <boost/asio/post.hpp>

namespace tofud::pipeline {
namespace {

// No eye sees it, and a look costs a few system calls.
constexpr std::chrono::milliseconds between_looks{100};

}  // namespace

text::result<kept_stream> kept_stream::open(const std::string& path) {
  auto file = spool::stream_file::open(path);
  if (!file) return file.error();
  return kept_stream{std::move(*file)};
}

boost::system::result<kept_stream, client::failure> kept_stream::open(const client::service& at,
                                                                      const std::string& run) {
  const auto said = at.events(run);
  if (!said) return said.error();
  return kept_stream{at_a_daemon{at, run, events::parse_lines(*said), std::nullopt}};
}

text::failure kept_stream::read_all(const std::function<void(std::string_view)>& piece) {
  auto* there = std::get_if<at_a_daemon>(&from_);
  if (there != nullptr) there->bytes.emplace(there->at.at(), there->run, client::until::now);
  std::vector<char> room(limits::read_bytes);
  for (;;) {
    const auto count = read(room);
    if (!count) return count.error();
    if (*count > 0) {
      piece({room.data(), *count});
    } else if (there == nullptr || there->bytes->over()) {
      return {};
    } else {
      there->bytes->wait(limits::remote_wait);
    }
  }
}

text::result<std::size_t> kept_stream::read(std::span<char> room) {
  if (auto* file = std::get_if<spool::stream_file>(&from_)) return file->read(room);
  auto& there = std::get<at_a_daemon>(from_);
  if (!there.bytes) {
    there.bytes.emplace(there.at.at(), there.run, client::until::the_end);
  }
  const auto count = there.bytes->read(room);
  if (!count) return count.error().passed_on();
  return *count;
}

bool kept_stream::may_grow() {
  if (auto* file = std::get_if<spool::stream_file>(&from_)) return file->is_written();
  const auto& bytes = std::get<at_a_daemon>(from_).bytes;
  return !bytes || !bytes->over();
}

bool kept_stream::is_written() {
  if (auto* file = std::get_if<spool::stream_file>(&from_)) return file->is_written();
  return !said().ended;
}

bool kept_stream::is_held() {
  if (auto* file = std::get_if<spool::stream_file>(&from_)) return file->is_held();
  return !std::get<at_a_daemon>(from_).said.ended;
}

bool kept_stream::is_pipe() const {
  const auto* file = std::get_if<spool::stream_file>(&from_);
  return file != nullptr && file->is_pipe();
}

const std::string* kept_stream::path() const {
  const auto* file = std::get_if<spool::stream_file>(&from_);
  return file == nullptr ? nullptr : &file->path();
}

const client::service* kept_stream::daemon() const {
  const auto* there = std::get_if<at_a_daemon>(&from_);
  return there == nullptr ? nullptr : &there->at;
}

events::known_run kept_stream::said() const {
  if (const std::string* file = path()) return events::parse_lines(spool::events_beside(*file));
  const auto& there = std::get<at_a_daemon>(from_);
  const auto now = there.at.events(there.run);
  // Who can't be asked any more has said what was heard last.
  return now ? events::parse_lines(*now) : there.said;
}

correlator::run_identity kept_stream::identity() const {
  const auto* there = std::get_if<at_a_daemon>(&from_);
  const events::known_run known = there == nullptr ? said() : there->said;
  correlator::run_identity identity;
  identity.id = known.id;
  if (identity.id.empty()) {
    identity.id = there == nullptr ? spool::run_id_of(*path()) : there->run;
  }
  identity.stack = known.stack;
  identity.labels = known.labels;
  identity.command = known.command;
  return identity;
}

namespace {

void tell_news(engine& to, const kept_stream& from, attached_parts& parts) {
  // What is attached at a daemon stays there.
  const auto said = from.path() == nullptr ? events::known_run{} : from.said();
  for (events::event& each : parts.news(said)) to.add(std::move(each));
}

}  // namespace

attached_parts parts_beside(const kept_stream& stream) {
  const std::string* path = stream.path();
  return path == nullptr ? attached_parts{} : attached_parts{*path};
}

text::failure feed_all(engine& to, kept_stream& from, attached_parts& parts) {
  tell_news(to, from, parts);
  return from.read_all([&](std::string_view bytes) {
    tell_news(to, from, parts);
    to.feed(bytes);
  });
}

void finish(engine& to, const kept_stream& from) {
  const auto said = from.said();
  if (said.exit_status) to.add({to.offset(), events::exit_status{*said.exit_status}});
  to.end();
}

follower::follower(boost::asio::io_context& io, kept_stream& stream, attached_parts& parts,
                   engine& to, listeners told)
    : stream_{stream},
      parts_{parts},
      to_{to},
      told_{std::move(told)},
      pause_{io},
      room_(limits::read_bytes) {}

void follower::start() { turn(); }

void follower::stop() {
  stopped_ = true;
  pause_.cancel();
}

void follower::turn() {
  if (stopped_) return;
  const auto count = stream_.read(room_);
  if (!count) return over(count.error());
  if (*count == 0) return quiet();
  const std::string_view bytes{room_.data(), *count};
  if (told_.piece) told_.piece(bytes);
  tell_news(to_, stream_, parts_);
  to_.feed(bytes);
  boost::asio::post(pause_.get_executor(), [this] { turn(); });
}

void follower::quiet() {
  if (!caught_up_ && told_.caught_up) told_.caught_up();
  caught_up_ = true;
  if (stopped_) return;
  if (last_look_) return over({});
  last_look_ = !stream_.may_grow();
  if (last_look_) return turn();
  pause_.expires_after(between_looks);
  pause_.async_wait([this](boost::system::error_code failed) {
    if (!failed) turn();
  });
}

void follower::over(const text::failure& failure) {
  if (failure.empty()) finish(to_, stream_);
  told_.over(failure);
}

}  // namespace tofud::pipeline
