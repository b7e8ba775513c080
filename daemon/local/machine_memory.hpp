// The history of this machine's runs for a loop: asked and written on a thread of its own, since
// other processes have it open, and disks wait.
#pragma once

#include "daemon/history/machine_history.hpp"
#include "daemon/net/worker_thread.hpp"
#include "protocol/text/failure.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/system/result.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tofud {

/// Calls back on the loop. What is asked of a directory without a history is answered by nothing.
class machine_memory {
 public:
  /// `directory` is that of the spools; empty: nothing is remembered.
  machine_memory(boost::asio::io_context& io, std::string directory);
  /// Waits for what is being written.
  ~machine_memory();

  void remember(std::string stream, std::vector<history::run_operations> runs,
                std::function<void(text::failure)> done);
  void find(history::report_query query, std::function<void(text::result<history::report>)> found);
  using usual_answer = std::vector<std::optional<history::usual>>;
  void find_usual(std::vector<history::usual_query> queries,
                  std::function<void(text::result<usual_answer>)> found);

 private:
  struct opened;  // of the thread alone

  template <class T>
  void ask(std::function<text::result<T>(history::machine_history&)> work,
           std::function<void(text::result<T>)> done);

  boost::asio::io_context& io_;
  std::shared_ptr<opened> file_;
  net::worker_thread thread_;  // ends before all else goes
};

}  // namespace tofud
