// Keeps a worker running while the stream lasts, and gets the exit status out of one at its end.
#pragma once

#include "daemon/files/descriptor.hpp"
#include "daemon/keeper/limits.hpp"
#include "daemon/keeper/shared_page.hpp"
#include "daemon/keeper/terminal_state.hpp"
#include "daemon/keeper/wakeup.hpp"
#include "daemon/keeper/worker_process.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tofud::keeper {

struct worker_command {
  std::string executable = "/proc/self/exe";
  std::vector<std::string> argv;  // the program's name first
  files::descriptor told;         // a document that every worker reads; may be none
  std::string erase;              // takes from a terminal what a dead worker has left there
  int restarts = limits::worker_restarts;
  std::chrono::milliseconds stall = limits::worker_stall;
  bool infers = true;  // false: somebody else knows the exit status
};

class supervisor {
 public:
  /// `where` is the spool's place, for sentences. What is passed by reference must outlive it.
  supervisor(const worker_command& command, const shared_page& page, const worker_files& files,
             const wakeup& worker, const wakeup& keeper, std::string where);

  /// Returns after the stream's end, with the exit status. Never before, whatever becomes of
  /// workers.
  int run();

 private:
  using clock = std::chrono::steady_clock;

  bool over() const { return page_->eof != 0; }
  void start(const std::vector<std::string>& argv);
  /// Plans the next start, as often as it is worth it.
  void note_death(const std::string& how);
  void clear_worker();
  void note_stop();
  void watch_until_over();
  void outlast_worker();
  int conclude();
  /// Until something happens, or so long.
  void pause(std::optional<std::chrono::milliseconds> at_most) const;

  const worker_command& command_;
  const shared_page& page_;
  worker_files files_;
  const wakeup& worker_bell_;
  const wakeup& keeper_bell_;
  std::string where_;
  terminal_state terminal_;
  std::optional<worker_process> worker_;
  std::optional<clock::time_point> next_start_;
  int deaths_ = 0;
  bool stop_told_ = false;
};

}  // namespace tofud::keeper
