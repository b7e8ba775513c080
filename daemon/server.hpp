// What one stream serves: the page, the feed, the reads beside it.
#pragma once

#include "daemon/fanout/hub.hpp"
#include "daemon/http/listener.hpp"
#include "daemon/http/router.hpp"
#include "daemon/old_lines.hpp"
#include "daemon/pipeline.hpp"
#include "daemon/view_options.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <optional>
#include <string>

namespace tofud {

/// Serves the runs of one pipeline, which is given after construction and outlives the server.
class server {
 public:
  server(boost::asio::io_context& io, stream_bytes bytes);

  /// Binds; `port` other than 0 stands for the port of the worker before this one. Returns the
  /// page's address, or a sentence why there is none.
  struct outcome {
    std::string url, failure;
    std::uint16_t port = 0;
  };
  outcome listen(const listening& where, std::uint16_t port);
  /// Answers from here on; `shown` has its first run.
  void start(pipeline& shown);

  void run_began(pipeline::run& run);
  void topic_changed(fanout::topic& topic);
  /// Gives everybody what is left, at most limits::goodbye long, then calls `done`.
  void finish(std::function<void()> done);
  /// Ends what still listens, so that the loop runs out of work.
  void close();

 private:
  void add_routes();
  http::response list_runs() const;
  http::response run_document(const http::request& asked) const;
  http::response one_row(const http::request& asked) const;
  http::response lines(const http::request& asked) const;
  pipeline::run* find(const http::request& asked) const;

  stream_bytes bytes_;
  pipeline* shown_ = nullptr;
  fanout::hub hub_;
  http::router routes_;
  http::listener listener_;
};

/// Writes `$XDG_RUNTIME_DIR/tofud/latest`, which holds the address of the newest local run. Failing
/// is no trouble.
void write_latest(const std::string& url);

}  // namespace tofud
