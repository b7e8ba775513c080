// What must not leave this machine, found where tofud runs, and frozen beside a spool.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "daemon/redaction/environment_secrets.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/redact/rules.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::redaction {

/// The values in the text of a mask file: one a line, or NAME=value; `#` begins a comment, blank
/// lines are passed over. The failure names the line.
text::result<std::vector<redact::secret>> parse_mask_lines(std::string_view text);

/// The rules that hold here: of the environment and of the file (empty: none), with new salt. With
/// TOFUD_PROVISIONER_OUTPUT=drop in the environment what provisioners print does not leave at all.
text::result<redact::rules> rules_here(const environment_list& environment,
                                       const std::string& mask_file);

/// Empty, or why that mask file can't be used; for who asks before anything starts.
std::string refusal_of_mask_file(const std::string& mask_file);

/// ID.mask beside the spool ID.jsonl.
std::string frozen_mask_path(const std::string& spool_path);

/// The rules under which that spool leaves the machine: what ID.mask says; only where there is none
/// are they found here, and written there (0600). So a process that goes on where another died
/// makes the same bytes.
text::result<redact::rules> frozen_rules(const std::string& spool_path,
                                         const environment_list& environment,
                                         const std::string& mask_file);

/// The rules under which documents of a stream leave the machine: those that are frozen beside it
/// (`stream_path` empty: it lies nowhere), else those that hold here and now, `variables` among the
/// environment. Writes nothing.
text::result<redact::rules> rules_of_stream(const std::string& stream_path,
                                            const std::string& mask_file,
                                            const environment_list& variables = {});

/// Names and labels leave the machine as well.
std::string redacted(const std::string& text, const redact::rules& by);
using text_redactor = std::function<std::string(const std::string&)>;
void redact_labels(std::vector<feed::label>& labels, const text_redactor& redacted);
void redact_labels(std::vector<feed::label>& labels, const redact::rules& by);
correlator::run_identity redacted(correlator::run_identity identity, const redact::rules& by);

/// What such a file says.
text::result<redact::rules> read_frozen_mask(const std::string& path);

/// Of log lines, refusals and audit entries: tokens, and the values that are masked in streams, are
/// masked in them as well.
std::function<std::string(std::string_view)> of_texts(const redact::rules& rules);

}  // namespace tofud::redaction
