// How a target knows that a message is this daemon's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::notify {

/// The bytes of a secret of Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. Nothing: it
/// is none.
/// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
std::optional<std::string> webhook_key(std::string_view secret);

/// What goes into `webhook-signature`: "v1,…" of the message's id, its time (seconds since 1970)
/// and its body.
std::string webhook_signature(std::string_view key, std::string_view id, std::int64_t sent_at,
                              std::string_view body);

/// What goes into `X-TFE-Notification-Signature`: HMAC-SHA512 of the body, in hexadecimal digits.
std::string hcp_signature(std::string_view key, std::string_view body);

}  // namespace tofud::notify
