// What a run is kept in, as who takes it in sees it: bytes, events and documents, in the order in
// which they were acknowledged, and read again from there. The store of this machine's disk is one;
// a log that several daemons share is another.
#pragma once

#include "daemon/files/stream_bytes.hpp"
#include "daemon/journal/kept_run.hpp"
#include "daemon/journal/writer.hpp"
#include "daemon/net/task.hpp"
#include "protocol/text/failure.hpp"
#include "protocol/ui/timestamp.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tofud::journal {

/// All is called on the loop. What is awaited is done once it is asked for, whoever waits. After a
/// failure nothing of it has happened, and asking again is right.
class run_log {
 public:
  virtual ~run_log() = default;

  /// Appends to the stream. Then all of it is kept; or none of it counts, and `offset` is as
  /// before. One in flight per run. Its result brings the bytes back.
  virtual net::task<append_result> append(const std::string& run, std::string bytes,
                                          ui::time_point arrived) = 0;
  /// Event `n` follows n-1. Its text is kept as as_line() gives it.
  virtual net::task<text::failure> add_event(const std::string& run, kept_event event) = 0;
  /// No more bytes come.
  virtual net::task<text::failure> complete(const std::string& run, ui::time_point at) = 0;

  /// Where the rows of a run are kept that is over: beside its stream, and gone with it.
  virtual std::string rows_path(const std::string& run) const = 0;
  /// Writes them there, on the calling thread, which may be any while this lives. The failure may
  /// be that there is too little room.
  virtual text::failure write_rows(const std::string& run, std::string_view text) const = 0;
  /// They were written: the run takes more of the disk.
  virtual void rows_were_written(const std::string& run) = 0;
  /// Where the document `name` (such as "plan.json") of a run lies once it is kept.
  virtual std::string attachment_path(const std::string& run, std::string_view name) const = 0;
  /// Writes a document beside its place, on the calling thread, which may be any while this lives,
  /// one at a time for each run.
  virtual text::failure write_attachment(const std::string& run, std::string_view name,
                                         std::string_view text) const = 0;
  /// What was written under these names has taken its place; whole, also after a crash. With a
  /// failure some of them may have.
  virtual net::task<text::failure> keep_attachments(const std::string& run,
                                                    std::vector<std::string> names) = 0;
  /// Removes what was written and is not to be kept.
  virtual net::task<bool> clear_attachments(const std::string& run) = 0;

  /// The stream from any offset on; empty: there is no such stream, or it can't be opened. A
  /// description of its own, so it goes on while the run grows, and after it was removed. Reads up
  /// to what is written, which may be beyond what is acknowledged: ask for no more than that. Going
  /// on from where the last read ended is cheap; in a compressed stream going elsewhere unpacks all
  /// before it.
  virtual files::stream_bytes reader(const std::string& run) const = 0;
  /// When its bytes came, oldest first. Reads the whole file on the calling thread.
  virtual std::vector<arrival> arrivals(const std::string& run) const = 0;

 protected:
  run_log() = default;
  run_log(const run_log&) = default;
  run_log& operator=(const run_log&) = default;
};

}  // namespace tofud::journal
