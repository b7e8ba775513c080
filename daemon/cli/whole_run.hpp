// A run that is kept, here or at a daemon, read from its first byte to its last.
#pragma once

#include "daemon/attachments/wanted.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/exports/exported_document.hpp"
#include "daemon/pipeline/attached_parts.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/final_rows.hpp"
#include "protocol/redact/rules.hpp"

#include <memory>
#include <optional>
#include <string>

namespace tofud::cli {

class whole_run {
 public:
  /// Reads it. Of a run that goes on: what there is, which is said on stderr. A run that is kept
  /// here is redacted by its own rules and what `mask_file` adds. Null if it can't be read, which
  /// is said on stderr: exit status 2.
  static std::unique_ptr<whole_run> read(const run_argument& given,
                                         const attachments::wanted& attach,
                                         const std::string& mask_file);

  const opened_run& opened() const { return opened_; }
  const correlator::stream_fold& fold() const { return stream_->fold(); }
  const pipeline::engine& stream() const { return *stream_; }
  const pipeline::final_rows& rows() const { return *rows_; }
  /// Of a run that is kept here; nothing: it was redacted when it was sent.
  const std::optional<redact::rules>& rules() const { return rules_; }
  /// The run that was asked for among those of its stream; empty: all.
  const std::string& only() const { return opened_.chosen.only; }
  /// Draws what its attached plan changes, here or at the daemon; what is in the way is said on
  /// stderr. Good as long as this.
  exports::plan_writer plan() const;

 private:
  explicit whole_run(opened_run opened) : opened_{std::move(opened)} {}

  opened_run opened_;
  std::optional<pipeline::attached_parts> parts_;
  std::optional<redact::rules> rules_;
  std::unique_ptr<pipeline::engine> stream_;
  std::unique_ptr<pipeline::final_rows> rows_;
};

}  // namespace tofud::cli
