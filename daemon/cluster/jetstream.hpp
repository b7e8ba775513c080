// JetStream's streams, asked over its JSON API: what is stored, in which order, and by whom.
// https://docs.nats.io/reference/reference-protocols/nats_api_reference
#pragma once

#include "daemon/cluster/link.hpp"
#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::cluster {

/// How a stream has to be. It refuses what does not fit rather than to let go of what is there.
struct stream_wish {
  std::string name;
  std::string subjects;                 // one pattern
  std::int64_t max_bytes = -1;          // -1: no limit
  std::chrono::nanoseconds max_age{0};  // 0: for ever
  unsigned replicas = 1;
  bool is_bucket = false;  // keeps the newest message of each subject: NATS' key-value buckets
};

struct stored_message {
  std::uint64_t seq = 0;  // of the stream
  std::string subject;
  std::vector<header> headers;
  std::string data;
  ui::time_point at;  // by JetStream's clock

  std::string_view header_of(std::string_view name) const { return value_of(headers, name); }
};

struct stream_state {
  std::uint64_t bytes = 0, last_seq = 0;
  std::string created;  // when, as the server writes it
};

/// Used on the loop. Failures are of cluster::error. After `not_connected` and `no_answer` nobody
/// knows whether it was done.
class jetstream {
 public:
  explicit jetstream(link& over) : link_{over} {}

  link& over() { return link_; }

  /// Makes the stream, or sees that it is as it has to be, but for its limits, which are set.
  /// Errors: no_jetstream, foreign_stream, foreign_subjects, refused.
  net::task<text::failure> ensure(stream_wish wanted);

  /// Stores one message and gives its number. `expected`: the number of the newest message of the
  /// subject, 0: there is none yet; another one there is error::other_writer. Error `full`: the
  /// stream takes no more.
  net::task<text::result<std::uint64_t>> append(
      message what, std::optional<std::uint64_t> expected,
      std::chrono::milliseconds patience = limits::nats_answer_wait);
  /// The newest of a subject, as the leader has it; nothing: there is none.
  using found = text::result<std::optional<stored_message>>;
  net::task<found> last(std::string stream, std::string subject);
  net::task<found> first(std::string stream, std::string subject);
  /// Forgets all messages of the subject.
  net::task<text::failure> purge(std::string stream, std::string subject);
  net::task<text::result<stream_state>> state(std::string stream);

 private:
  net::task<found> get(std::string stream, std::string subject, std::string asked);
  link& link_;
};

/// The number of a message that a reader got, and of its delivery: from the subject that it would
/// be acknowledged to. Nothing: it is no such subject.
struct delivered {
  std::uint64_t stream_seq = 0, consumer_seq = 0, pending = 0;
  ui::time_point at;
};
std::optional<delivered> parse_delivery(std::string_view reply);

}  // namespace tofud::cluster
