// What must not leave this machine with a stream, and the file in which that is frozen beside it.
#pragma once

#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tofud::redact {

/// A value that must not be seen. `name` tells people where it came from: the variable's name, or
/// "mask-file".
struct secret {
  std::string name, value;
  bool operator==(const secret&) const = default;
};

/// What becomes of the text that provisioners print: secrets in it are masked, or all of it goes.
/// OpenTofu cuts that text at newlines and after 100 ms of silence, so that a secret cut in two is
/// found by nobody: who needs certainty drops it.
enum class provisioner_output : bool { mask, drop };

/// `salt` is random, so that a mask says nothing about the value to who does not have it.
struct rules {
  std::vector<secret> secrets;
  std::string salt;
  provisioner_output provisioners = provisioner_output::mask;
  bool operator==(const rules&) const = default;
};

/// "sha256:" and 64 hex digits over version, shapes and the secrets' names; never over values,
/// since the hash of a weak secret is the secret.
std::string digest(const rules& what);

/// The rules as one JSON document, secrets in clear: for a file that only its owner reads.
std::string to_mask_file(const rules& what);

/// The rules of such a document; else what is wrong with it.
text::result<rules> parse_mask_file(std::string_view document);

/// What stands in the place of `text`: "(redacted:ab12cd)" with six hex digits of HMAC-SHA256 under
/// the salt. The same text under the same salt has the same mask; of two different ones, one pair
/// in 16,777,216 shares a mask.
std::string mask_of(std::string_view salt, std::string_view text);

}  // namespace tofud::redact
