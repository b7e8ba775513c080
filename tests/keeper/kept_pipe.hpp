// A pipe with a keeper at its reading end, for tests from outside.
#pragma once

#include "daemon/files/descriptor.hpp"
#include "tests/scratch_directory.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tofud::keeper {

/// Waits until it holds; a generous while later the test fails.
bool eventually(const std::function<bool()>& holds);

/// Lines such as tofu prints, about 420 bytes each.
std::string stream_line(std::size_t number);
std::string stream_lines(std::size_t first, std::size_t end);

struct keeper_setup {
  std::string behaviour{};            // of the worker; empty: does its work
  int status = 7;                     // what the worker infers
  long stall_ms = 60'000;             // tests that mean a stall choose a short one
  std::uint64_t cap = 1'000'000'000;  // of the spool
  std::string worker{};               // empty: stub_worker
  bool memory = false;
  std::string place{};               // for spools; empty: one of its own
  int stdout_fd = -1;                // -1: /dev/null
  std::function<void()> in_child{};  // before the keeper is executed
  int input = -1;                    // -1: a pipe of which the test holds the other end
};

/// Starts a keeper in a process group of its own.
class kept_pipe {
 public:
  explicit kept_pipe(const keeper_setup& setup);
  ~kept_pipe();
  kept_pipe(const kept_pipe&) = delete;
  kept_pipe& operator=(const kept_pipe&) = delete;

  // ---- the stream ----
  void write(const std::string& bytes);
  int write_end() const { return write_end_.get(); }
  void close() { write_end_ = files::descriptor{}; }

  // ---- the keeper ----
  pid_t keeper() const { return keeper_; }
  /// The exit status; 128+n for a signal. At most once.
  int wait();

  // ---- what came of it ----
  std::string spooled() const;         // the spool's bytes
  std::string said() const;            // the keeper's stderr
  std::vector<pid_t> workers() const;  // all that were started so far
  bool worker_stands_still() const;    // the last one, by SIGSTOP
  std::string report() const;          // what the last worker to finish a fold said
  bool orphaned() const;

 private:
  tests::scratch_directory scratch_;
  files::descriptor write_end_;
  pid_t keeper_ = -1;
};

/// What the report of a worker says that folded all of these bytes, and they are the stream.
std::string whole_report(const std::string& bytes);

/// 0 … 255, or 128+n for a signal.
int exit_status(int wait_status);

}  // namespace tofud::keeper
