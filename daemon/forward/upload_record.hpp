// What stands in ID.upload beside a spool: under which name the run is at which daemon, and whether
// all of it is there.
#pragma once

#include "daemon/forward/upload.hpp"
#include "protocol/text/failure.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tofud::forward {

/// One JSON object, readable by its owner only: who has the secret can write into the run.
struct upload_record {
  std::string server;         // as server_address writes it
  std::string upload_id;      // 128 random bits, the run's name among all uploads
  std::string upload_secret;  // 256 random bits, that we are the one who began it
  std::string rules;          // digest of the redaction, since the daemon compares it
  std::string started_at;     // of the run, RFC 3339
  std::string run, url;       // at the daemon; empty: it has not taken the run yet
  bool complete = false;
  std::optional<upload_stop> stopped;
  bool operator==(const upload_record&) const = default;

  /// Whether the daemon still lacks something that it would take: then the spool is to stay.
  bool owes() const {
    return !complete && (!stopped || stopped->again == upload_stop::until::asked);
  }
};

/// With a fresh id and secret. Throws std::system_error where the system has no randomness.
upload_record new_upload();

std::string to_text(const upload_record& record);
/// Nothing for what is no such file.
std::optional<upload_record> parse_record(std::string_view text);

/// Nothing if there is none, or it can't be read.
std::optional<upload_record> load_record(const std::string& path);
/// Whole or not at all, and on the disk when this returns. Empty, else what failed, as a sentence
/// without a full stop.
text::failure save_record(const std::string& path, const upload_record& record);

}  // namespace tofud::forward
