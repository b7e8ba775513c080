// What is known of a run besides its bytes: ID.events beside a spool, one JSON object a line, each
// with the `offset` in the stream where it takes effect.
//
//   {"offset":0,"event":"begin","id":"20261121T0312-7f3a","stack":"net/prod","labels":{"pr":"12"},
//    "command":"apply"}
//   {"offset":0,"event":"plan_file","role":"argument","sha256":"9f86…","bytes":2841}
//   {"offset":512,"event":"label","key":"ticket","value":"OPS-7"}
//   {"offset":4096,"event":"interrupt"}
//   {"offset":8123,"event":"exit_status","status":1}
//   {"offset":4711,"event":"attachment","part":"plan","sha256":"2c26…","bytes":48211}
//   {"offset":8123,"event":"end"}
//
// A plan file is the `argument` of an apply, as it was before OpenTofu started, or what a plan
// wrote
// (`out`): the same hash links the two. `interrupt`: somebody asked tofud to stop the command.
// `attachment`: from here on the rows know that document (feed::attachment); it is kept beside the
// stream, masked, and the hash is that of its bytes. Each part is attached once.
// `stack` and `command` are null when unknown. `exit_status` is only there when somebody knew it: a
// pipe does not.
#pragma once

#include "protocol/feed/row.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::events {

/// Lines without their newline. An empty stack is an unknown one.
std::string begin_event(std::string_view id, std::string_view stack,
                        const std::vector<feed::label>& labels,
                        std::optional<feed::run_command> command);
std::string exit_status_event(std::uint64_t offset, int status);
std::string end_event(std::uint64_t offset);
std::string label_event(std::uint64_t offset, const feed::label& label);
std::string interrupt_event(std::uint64_t offset);

/// `out`: what a plan wrote; `argument`: what an apply was given.
enum class plan_role : std::uint8_t { out, argument };
struct plan_file {
  plan_role role = plan_role::out;
  std::string sha256;  // 64 hex digits
  std::uint64_t bytes = 0;
  bool operator==(const plan_file&) const = default;
};
std::string plan_file_event(std::uint64_t offset, const plan_file& file);

struct attachment {
  feed::attachment part = feed::attachment::plan;
  std::uint64_t offset = 0;
  std::string sha256;  // 64 hex digits
  std::uint64_t bytes = 0;
  std::uint64_t hidden = 0;  // of a plan: values that lie beside it, to be hidden in texts
  bool operator==(const attachment&) const = default;
};
std::string attachment_event(const attachment& attached);

struct run_events {
  std::string id, stack;            // empty where nothing was said
  std::vector<feed::label> labels;  // a later one of the same key took the place of an earlier
  std::optional<feed::run_command> command;
  std::vector<plan_file> plan_files;
  std::vector<attachment> attachments;  // by offset
  std::optional<int> exit_status;
  bool interrupted = false;
  bool ended = false;
};

/// Lines that are no event, or one of a kind not known here, are passed over: what is said beside a
/// stream never keeps anybody from reading it.
run_events parse_events(std::string_view text);

}  // namespace tofud::events
