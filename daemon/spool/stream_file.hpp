// A stream's file, read from its beginning while it may still grow.
#pragma once

#include "daemon/spool/in_use.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <sys/stat.h>

struct gzFile_s;  // NOLINT(readability-identifier-naming): the name is zlib's

namespace tofud::spool {

/// A spool, a recording (plain or gzip by its first bytes), a file that tofu's -json-into writes,
/// or a pipe. Remembers how far it was read.
class stream_file {
 public:
  /// The failure says what to do. Opening a named pipe waits for its writer.
  static text::result<stream_file> open(const std::string& path);

  /// The next bytes; 0: there are no more for now.
  text::result<std::size_t> read(std::span<char> room);

  /// Whether more bytes may come: somebody holds the lock of the spool or has the file open for
  /// writing, and no end was said beside it (`ID.events`). Ask before the read that finds nothing,
  /// then nothing is missed.
  bool is_written();

  /// The same without looking for writers of unlocked files: for spools, and cheap.
  bool is_held();

  /// No file but a pipe, whose reads wait.
  bool is_pipe() const { return !S_ISREG(facts_.st_mode); }

  const std::string& path() const { return path_; }

 private:
  struct closes {
    void operator()(gzFile_s* file) const;
  };

  std::string path_;
  int fd_ = -1;  // zlib's
  std::unique_ptr<gzFile_s, closes> file_;
  struct stat facts_ {};
  std::optional<file_writer> writer_;
};

/// The id of the run whose stream that file holds: its name without directory and endings.
std::string run_id_of(const std::string& stream_path);

/// What `NAME.events` beside NAME.jsonl holds; "" if there is none.
std::string events_beside(const std::string& stream_path);

/// `NAME` + ending, for what stands beside NAME.jsonl or NAME.jsonl.gz.
std::string beside(const std::string& stream_path, const std::string& ending);

}  // namespace tofud::spool
