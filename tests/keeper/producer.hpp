// A process that prints lines as tofu does, and would die as tofu would if nobody read them.
#pragma once

#include "tests/keeper/kept_pipe.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <sys/types.h>

namespace tofud::keeper {

/// A child that writes so many stream_line()s without ever blocking (it polls), then leaves with a
/// status of its own.
class producer {
 public:
  static constexpr int own_status = 42;
  static constexpr std::array signals = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                         SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2};

  enum class last_line { at_once, held_back, after_all_signals };

  explicit producer(std::size_t lines);
  ~producer();
  producer(const producer&) = delete;
  producer& operator=(const producer&) = delete;

  /// In the keeper's process group; from then on the child alone holds the pipe's writing end.
  void start(kept_pipe& pipe, last_line when = last_line::at_once);
  void release_last_line() { shared_->release = 1; }
  bool ready_for_signals() const { return shared_->waiting_for_signals != 0; }
  /// How often the pipe was full.
  int full_pipe_seen() const { return shared_->full_pipe; }
  int wait();

 private:
  struct shared_words {  // with the child
    std::atomic<int> release;
    std::atomic<int> waiting_for_signals;
    std::atomic<int> full_pipe;
  };

  [[noreturn]] void run(int out, last_line when);
  void print(int out, std::size_t number);

  std::size_t lines_;
  shared_words* shared_;
  pid_t child_ = -1;
};

}  // namespace tofud::keeper
