#include "daemon/cluster/bucket.hpp"

#include "daemon/cluster/errors.hpp"

#include <utility>

namespace tofud::cluster {

bucket::bucket(jetstream& in, const std::string& name, std::chrono::nanoseconds ttl)
    : in_{in}, stream_{"KV_" + name}, prefix_{"$KV." + name + "."}, ttl_{ttl} {}

net::task<text::failure> bucket::ensure(unsigned replicas) {
  stream_wish wanted;
  wanted.name = stream_;
  wanted.subjects = prefix_ + ">";
  wanted.max_age = ttl_;
  wanted.replicas = replicas;
  wanted.is_bucket = true;
  return in_.ensure(std::move(wanted));
}

message bucket::said(const std::string& key, std::string value) const {
  return {prefix_ + key, "", {}, std::move(value)};
}

bucket::entry bucket::entry_of(stored_message&& came) const {
  const bool is_removed = !came.header_of("KV-Operation").empty();
  return {came.subject.substr(prefix_.size()), std::move(came.data), came.seq, is_removed, came.at};
}

net::task<bucket::found> bucket::get(std::string key) {
  auto getting = in_.last(stream_, prefix_ + key);
  auto got = co_await std::move(getting);
  if (!got) co_return got.error();
  if (!*got) co_return std::optional<entry>{};
  entry read = entry_of(std::move(**got));
  if (read.is_removed) co_return std::optional<entry>{};
  co_return std::optional{std::move(read)};
}

net::task<bucket::written> bucket::put(const std::string& key, std::string value) {
  return in_.append(said(key, std::move(value)), std::nullopt);
}

net::task<bucket::written> bucket::create(std::string key, std::string value) {
  auto storing = in_.append(said(key, value), 0);
  auto stored = co_await std::move(storing);
  if (stored || !stored.error().is(error::other_writer)) co_return stored;
  // One that was removed leaves a mark.
  auto looking = in_.last(stream_, prefix_ + key);
  const auto there = co_await std::move(looking);
  if (!there) co_return there.error();
  if (!*there || (*there)->header_of("KV-Operation").empty()) co_return stored;
  auto again = in_.append(said(key, std::move(value)), (*there)->seq);
  co_return co_await std::move(again);
}

net::task<bucket::written> bucket::update(const std::string& key, std::string value,
                                          std::uint64_t revision) {
  return in_.append(said(key, std::move(value)), revision);
}

net::task<bucket::written> bucket::remove(const std::string& key,
                                          std::optional<std::uint64_t> revision) {
  message mark = said(key, "");
  mark.headers.push_back({"KV-Operation", "DEL"});
  return in_.append(std::move(mark), revision);
}

reader::place bucket::all() const { return {stream_, prefix_ + ">", 0, true}; }

}  // namespace tofud::cluster
