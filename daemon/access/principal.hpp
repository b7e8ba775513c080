// Who asks, and what that allows.
#pragma once

#include "daemon/access/reach.hpp"
#include "daemon/access/scopes.hpp"
#include "daemon/http/message/request.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::access {

struct principal {
  enum class known_by : std::uint8_t {
    nobody,   // what needs no permission is asked for
    owner,    // a process of our user or root's on this machine
    socket,   // the Unix socket's mode let it in
    token,    // a bearer token
    session,  // a cookie
    proxy,    // a header of a proxy that is believed
    issuer,   // a token of an identity provider
    sender,   // the secret of the run that it sends
  };

  known_by how = known_by::nobody;
  std::string who;  // for people: a token's name or id, a user's name
  scopes may;
  /// May remove runs and have the index made again: no token and no proxy's user may.
  bool is_owner = false;
  /// Not empty once it is over, and why; nothing: it lasts as long as the connection.
  std::shared_ptr<const std::string> permit;
  /// The runs for which he may; null: all of them.
  std::shared_ptr<const reach> within = nullptr;
  /// When the token ends by itself by which he is known, or was when he logged in.
  std::optional<std::chrono::sys_seconds> ends_at = std::nullopt;
  /// Of the token that he has, or logged in with; empty: none.
  std::string token_id = {};
  /// What an identity provider says of him; null: none was asked.
  std::shared_ptr<const feed::verified_facts> verified = nullptr;

  /// Whether he may know that there is a run of that stack, to which its daemon gave those labels.
  bool sees(std::string_view stack, const std::vector<feed::label>& granted) const {
    return !within || within->holds(stack, granted);
  }
};

/// The same question for a database: it has a stack and feed::labels_text of what was granted.
/// Null: he sees everything. Lives as long as it is used.
std::function<bool(std::string_view stack, std::string_view granted)> run_filter_of(
    const principal& by);

/// What stays the same of somebody while tokens come and go: "token ci", "user jane", of an
/// identity provider the issuer and the subject. Empty: our own user, whoever the socket's mode
/// lets in, and nobody.
std::string lasting_name(const principal& by);

/// The user whose process this is: whom the local server answers, and in whose name tofud asks
/// itself.
const principal& own_user();
/// Whom the gate has found, else nobody.
const principal& asking(const http::request& asked);

}  // namespace tofud::access
