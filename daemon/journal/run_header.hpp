// What is known of a run when it is opened: header.json in its directory.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/text/failure.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::journal {

enum class redactor : std::uint8_t { forwarder, daemon };

/// What rows depend on besides the stream, its events and documents: the same for every daemon that
/// folds the run.
struct fold_parameters {
  bool provisioner_output = true, snippet_values = true;  // see correlator::text_policy
  std::string base_path;                                  // see feed::run_path
  bool operator==(const fold_parameters&) const = default;
};

/// Written once, never changed; what becomes known later is an event.
struct run_header {
  std::string id;           // "20261121T0312-7f3a"; also the directory's name
  std::string upload_id;    // empty: no forwarder, nobody can resume it
  std::string secret_hash;  // SHA-256 in hex of the upload secret, which itself is never stored
  std::string rules;        // "sha256:…" of the redaction
  redactor redacted_by = redactor::forwarder;
  std::string
      sender;  // who sent it, as the daemon counts its runs; empty: unknown, or its own user
  std::string sent_as;  // whose token or login it came with ("token ci"); empty: nobody's
  std::string stack;    // empty: unknown
  std::vector<feed::label> labels;  // as the sender said
  /// Null: nobody has verified who sent it.
  std::shared_ptr<const feed::verified_facts> verified = nullptr;
  std::vector<feed::label> granted;  // of its token: these take the place of what the sender says
  std::optional<feed::run_command> command;
  bool may_ask = false;                      // tofu may wait for an approval
  std::uint64_t parallelism = 0;             // operations at once, as the sender said; 0: not
  std::optional<ui::time_point> started_at;  // as the forwarder said
  ui::time_point created_at;                 // by the clock of the daemon that began it
  /// Nothing: as the daemon that folds it is set up. Runs that several daemons share have them.
  std::optional<fold_parameters> fold;
};

/// Whose it is when runs are counted: who sent it by name, else where it came from.
const std::string& owner_of(const run_header& header);

/// What the sender said, but for the keys of what was granted, and that.
std::vector<feed::label> labels_of(const run_header& header);
bool is_granted(const run_header& header, std::string_view key);

/// Whether it can name a directory: 1 to 64 letters, digits, `-`, `_` and `.`, no `.` first.
bool is_safe_id(std::string_view id);

/// One JSON object and a newline.
std::string to_json(const run_header& header);

/// The failure is half a sentence, such as "has no id".
text::result<run_header> parse_header(std::string_view text);

}  // namespace tofud::journal
