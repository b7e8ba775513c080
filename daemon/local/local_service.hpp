// Who serves the runs of this machine: one tofud for all that share a directory of spools.
#pragma once

#include "daemon/local/machine_memory.hpp"
#include "daemon/local/other_local_runs.hpp"
#include "daemon/local/server.hpp"
#include "daemon/local/view_options.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "daemon/spool/serving_lock.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tofud {

/// The first tofud serves, the others' runs are on its page; when it ends, the next one takes the
/// port and viewers come back to it. One that was told an address, or keeps its stream in memory,
/// serves its own run only. Passive: the worker's loop drives it.
class local_service {
 public:
  struct own_run {
    std::string id;
    std::string spool;          // its path; empty: in memory
    std::string mask_file;      // of server
    files::stream_bytes bytes;  // of its stream
  };
  /// `memory` outlives it.
  local_service(boost::asio::io_context& io, machine_memory& memory, const listening& where,
                own_run own);
  ~local_service();

  struct outcome {
    std::string url;      // of the page; empty: there is none
    std::string failure;  // then: why
    std::uint16_t port = 0;
  };
  /// Binds, or finds who serves. `port` other than 0 is that of the worker before this one.
  outcome begin(std::uint16_t port);

  void run_began(pipeline::run& run);
  void run_changed(const pipeline::run& run);
  /// As much of our own stream is folded as a viewer may have seen of it.
  void caught_up();
  /// About ten times a second.
  void beat();
  /// Gives viewers what is left, then calls `done`.
  void finish(std::function<void()> done);

 private:
  outcome bind(std::uint16_t port, bool exactly);
  void take_over();
  void add(pipeline::run& run);
  void start_if_ready();

  boost::asio::io_context& io_;
  machine_memory& memory_;
  listening where_;
  own_run own_;
  std::optional<spool::serving_lock> lock_;  // nothing: we serve alone
  std::deque<pipeline::run*> runs_;
  std::unique_ptr<server> server_;
  std::unique_ptr<other_local_runs> other_runs_;
  bool caught_up_ = false, started_ = false, finishing_ = false;
  int beats_ = 0, tries_ = 0;
};

}  // namespace tofud
