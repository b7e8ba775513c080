// What is known of a run besides its bytes, and from which byte of its stream on. The same events
// lie beside a spool (ID.events), in a daemon's journal, and in `PUT /v1/runs/ID/events/N`: one
// JSON object each.
//
//   {"offset":0,"event":"begin","id":"20261121T0312-7f3a","stack":"net/prod","labels":{"pr":"12"},
//    "command":"apply"}
//   {"offset":0,"event":"plan_file","role":"argument","sha256":"9f86…","bytes":2841}
//   {"offset":0,"event":"trace_parent","value":"00-4bf9…-00f0…-01"}
//   {"offset":512,"event":"label","key":"ticket","value":"OPS-7"}
//   {"offset":4711,"event":"attachment","part":"plan","sha256":"2c26…","bytes":48211,"hidden":3}
//   {"offset":8123,"event":"exit_status","status":1}        in a spool
//   {"offset":8123,"event":"exit","status":1}               the same, sent to a daemon
//   {"offset":8123,"event":"broken"}                        in a journal
//   {"offset":8123,"event":"end"}                           in a spool
#pragma once

#include "protocol/events/trace_parent.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/text/failure.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tofud::events {

/// The first one. An empty stack is an unknown one, as is no command.
struct begin {
  std::string id, stack;
  std::vector<feed::label> labels;
  std::optional<feed::run_command> command;
};

/// Of the program. Only there when somebody knew it: a pipe does not.
struct exit_status {
  int status = 0;  // 0 to 255
};

/// Given while the run was on; the newest of a key wins.
struct label {
  std::string key, value;
};

/// `out`: what a plan wrote; `argument`: what an apply was given, as it was before OpenTofu
/// started. The same hash links the two.
enum class plan_role : std::uint8_t { out, argument };
struct plan_file {
  plan_role role = plan_role::out;
  std::string sha256;
  std::uint64_t bytes = 0;
  bool operator==(const plan_file&) const = default;
};

/// From here on the rows know that document. It is kept beside the stream, masked, and the hash is
/// that of its bytes. Each part is attached once.
struct attachment {
  feed::attachment part = feed::attachment::plan;
  std::string sha256;
  std::uint64_t bytes = 0;   // 0: not told
  std::uint64_t hidden = 0;  // of a plan: values that lie beside it, to be hidden in texts
  bool operator==(const attachment&) const = default;
};

/// Up to here the stream had come by then, by the clock of the daemon. In the journal's index of
/// arrivals, never as JSON.
struct arrival {
  ui::time_point at;
};

/// The sender went in the middle, and won't come back. Only the daemon itself says so.
struct broken {};

/// Nothing follows.
struct end {};

/// One that is not known here: kept, and passed over.
struct other {};

using body = std::variant<other, begin, exit_status, label, plan_file, attachment, arrival, broken,
                          end, trace_parent>;

template <class What>
struct placed {
  std::uint64_t offset = 0;  // bytes of the stream that lie before it
  What what;
};
using event = placed<body>;

/// The failure names the field. Takes both words for an exit status.
text::result<event> parse(std::string_view json);

/// The kinds that lie beside a spool or in a journal, in one line without its newline. An arrival
/// and `other` have no text.
std::string text_of(const event& said);

/// The same event, taking effect at `offset`, which its sender put before what had come by then. It
/// has what was sent (`sent`), byte for byte. As it is if it can't be read.
std::string put_off(std::string_view json, std::uint64_t offset);
/// Where its sender put it, put off or not; 0 if it can't be read.
std::uint64_t sent_offset(std::string_view json);
/// Whether `kept` is what `sent` said, put off or not.
bool is_same(std::string_view kept, std::string_view sent);

/// The exit status as a daemon is told it, without `offset`: the sender knows that when it sends.
std::string sent_exit(int status);

}  // namespace tofud::events
