// A stream as it is read to recover from its run.
#pragma once

#include "daemon/correlator/row_sink.hpp"
#include "daemon/correlator/stream_fold.hpp"
#include "daemon/pipeline/kept_stream.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace tofud::recovery {

/// Stays where it is made.
class recovered_stream : private correlator::row_sink {
 public:
  recovered_stream() = default;
  recovered_stream(const recovered_stream&) = delete;
  recovered_stream& operator=(const recovered_stream&) = delete;
  ~recovered_stream() override = default;

  /// Reads all there is, and ends the run unless somebody still writes it. Returns what failed, or
  /// an empty string.
  text::failure read(pipeline::kept_stream& from);

  /// After `read`.
  const correlator::stream_fold& fold() const { return rows_->fold(); }
  bool goes_on() const { return goes_on_; }
  /// Of all bytes; empty if OpenSSL refused.
  const std::string& sha256() const { return sha256_; }
  /// The state that this run printed because OpenTofu could save it nowhere; empty: it did not.
  std::string_view dump_of(const correlator::run_state& run) const;

 private:
  void state_dump(correlator::run_state& run, std::string_view line) override;

  std::unique_ptr<pipeline::engine> rows_;
  std::string sha256_;
  std::string dump_;  // the last
  const correlator::run_state* dumped_by_ = nullptr;
  bool goes_on_ = false;
};

/// The run that somebody means: the one named `only`, else the last that changed anything, else the
/// last. Null: there is none.
const correlator::run_state* recovered_run(const correlator::stream_fold& fold,
                                           const std::string& only);

}  // namespace tofud::recovery
