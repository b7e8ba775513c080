// What a request needs, by its method and path.
#pragma once

#include <cstdint>
#include <string_view>

namespace tofud::access {

enum class need : std::uint8_t {
  nothing,  // health, and what logs in
  someone,  // whoever is known
  read,
  ingest,
  raw,
  whole,  // `read`, of every stack: the answer counts all of them
  owner,  // our user or root, on this machine
};

/// Paths as the router understands them: `path` is still percent-encoded, and each of its segments
/// is decoded before it is looked at. What is not known here needs `read` to look and `owner` to
/// change.
need need_of(std::string_view method, std::string_view path);

/// Whether it sends a run that was begun: its bytes, its events, what is attached to it.
bool is_of_upload(std::string_view path);

/// What a page of another server may be allowed: to look, to log in and out. What it can show may
/// be no token but a cookie, or that its browser runs on our machine: nothing is to change by that.
bool may_other_page(std::string_view method, std::string_view path);

}  // namespace tofud::access
