// A key-value bucket of NATS: the newest value of each key, and its revision, which grows over all
// keys. https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-8.md
#pragma once

#include "daemon/cluster/jetstream.hpp"
#include "daemon/cluster/reader.hpp"
#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tofud::cluster {

class bucket {
 public:
  /// `name`: letters, digits, `-` and `_`. `ttl`: how long a value stays; 0: until it is removed.
  bucket(jetstream& in, const std::string& name, std::chrono::nanoseconds ttl = {});

  net::task<text::failure> ensure(unsigned replicas);

  struct entry {
    std::string key, value;
    std::uint64_t revision = 0;
    bool is_removed = false;
    ui::time_point at;  // by JetStream's clock
  };
  /// Nothing: there is none, or it was removed.
  using found = text::result<std::optional<entry>>;
  net::task<found> get(std::string key);

  /// These give the new revision.
  using written = text::result<std::uint64_t>;
  net::task<written> put(const std::string& key, std::string value);
  /// Error other_writer: there is one.
  net::task<written> create(std::string key, std::string value);
  /// Error other_writer: its revision is another one.
  net::task<written> update(const std::string& key, std::string value, std::uint64_t revision);
  /// Also when there is none. `revision`: only if it is that one.
  net::task<written> remove(const std::string& key,
                            std::optional<std::uint64_t> revision = std::nullopt);

  /// The values that are there, each by its revision, then every change.
  reader::place all() const;
  /// Of what a reader of `all` got.
  entry entry_of(stored_message&& came) const;
  const std::string& stream() const { return stream_; }
  std::string subject_of(const std::string& keys) const { return prefix_ + keys; }

 private:
  message said(const std::string& key, std::string value) const;

  jetstream& in_;
  std::string stream_, prefix_;
  std::chrono::nanoseconds ttl_;
};

}  // namespace tofud::cluster
