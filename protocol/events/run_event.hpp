// `PUT /v1/runs/ID/events/N`: what is known of a run besides its bytes.
#pragma once

#include "protocol/feed/row.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::events {

struct run_event {
  enum class sort : std::uint8_t {
    exit,        // `status` of the program
    label,       // `text` is its value
    interrupt,   // somebody asked the program to stop
    attachment,  // `name` is the part (feed::attachment), `text` the SHA-256 of its document
    plan_file,   // `name` is "out" or "argument", `text` its SHA-256 in hex
    broken,      // the sender went in the middle; only the daemon itself says so
    other,       // kept, and passed over
  };
  sort what = sort::other;
  std::uint64_t offset = 0;  // of the stream, where it takes effect
  int status = 0;
  std::string name, text;
};

/// The failure is a sentence that names the field.
boost::system::result<run_event, std::string> parse_run_event(std::string_view json);

/// The exit status of the program, still without `offset`.
std::string exit_event(std::int64_t status);

/// That a document is kept from `offset` on, with the SHA-256 of its bytes as they came.
std::string attachment_event(std::uint64_t offset, std::string_view part, std::string_view sha256);

/// The event of a sender that is gone.
std::string broken_event(std::uint64_t offset);

}  // namespace tofud::events
