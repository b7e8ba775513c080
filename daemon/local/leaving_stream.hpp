// A stream as it may leave this machine: what files for other people are made of.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "daemon/local/view_options.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "protocol/redact/finder.hpp"

#include <memory>
#include <string>

namespace tofud {

/// Folds the stream once more, by its redacted bytes.
class leaving_stream {
 public:
  /// `spool` is where the stream is kept, and a frozen mask beside it. `variables`: of
  /// begun_run. Null if the rules can't be
  /// found, which is said.
  static std::unique_ptr<leaving_stream> begin(correlator::run_identity identity,
                                               const std::string& spool,
                                               const std::string& mask_file,
                                               const std::vector<std::string>& variables,
                                               pipeline::part_reader parts);

  pipeline::engine& rows() { return rows_; }
  /// Once the stream is over: the files that are wanted.
  void write_files(const view_options& wanted);

 private:
  leaving_stream(correlator::run_identity identity, const redact::rules& rules,
                 pipeline::part_reader parts);

  std::shared_ptr<const redact::ready_rules> rules_;
  pipeline::engine rows_;
  pipeline::run_topics topics_;
};

/// Whether any file is made of such a stream.
bool wants_files(const view_options& wanted, bool summarizes_step);

}  // namespace tofud
