// What is served of the runs here: the page, the feed, the reads beside it.
#pragma once

#include "daemon/api/run_reads.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/fanout/limits.hpp"
#include "daemon/fanout/wall.hpp"
#include "daemon/files/stream_bytes.hpp"
#include "daemon/http/listener.hpp"
#include "daemon/http/router.hpp"
#include "daemon/local/machine_memory.hpp"
#include "daemon/local/view_options.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "daemon/registry/run_registry.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tofud {

/// Serves runs, of one pipeline or of several. They are never taken back, and outlive the server.
class server {
 public:
  /// `mask_file`: values that `stream.jsonl` masks beside those in the environment; empty: none.
  /// `memory` outlives it. `tick`: of `listening`.
  server(boost::asio::io_context& io, machine_memory& memory, std::string mask_file = {},
         std::uint64_t tick = listening{}.tick);
  ~server();
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  /// Binds; `port` other than 0 stands for the port of the worker before this one. Returns the
  /// page's address, or a sentence why there is none.
  struct outcome {
    std::string url, failure;
    std::uint16_t port = 0;
  };
  outcome listen(const listening& where, std::uint16_t port);
  /// Answers from here on; there is a run.
  void start();

  /// `bytes` are those of its stream. The newest run by `began` is the latest one.
  void run_began(pipeline::run& run, files::stream_bytes bytes,
                 std::chrono::system_clock::time_point began = {});
  void run_changed(const pipeline::run& run);

  enum class last_words {
    run_over,   // nothing more will come
    come_back,  // at once, to another process at the same address
  };
  /// Gives everybody what is left, at most limits::goodbye long, then calls `done`.
  void finish(last_words said, std::function<void()> done);
  /// Ends what still listens, so that the loop runs out of work.
  void close();

 private:
  void add_routes();
  http::response list_runs(const http::request& asked) const;
  http::response runs_page(const http::request& asked) const;
  http::response stack_page_of(const http::request& asked) const;
  struct stream;

  machine_memory& memory_;
  std::string mask_file_;
  std::deque<stream> streams_;
  fanout::wall wall_;
  fanout::hub hub_;
  registry::run_rows rows_;
  registry::run_registry runs_;
  long_reads reads_;
  http::router routes_;
  http::listener listener_;
};

/// Writes `$XDG_RUNTIME_DIR/tofud/latest`, which holds the address of the newest local run. Failing
/// is no trouble.
void write_latest(const std::string& url);

}  // namespace tofud
