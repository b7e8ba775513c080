// Sends one kept spool to a daemon, and waits until all of it is there.
#pragma once

#include "daemon/files/descriptor.hpp"
#include "daemon/forward/forwarding.hpp"
#include "daemon/spool/stream_file.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tofud::forward {

/// Follows a spool that is still written. On a terminal stderr shows how far it is.
class spool_sender {
 public:
  struct options {
    std::string server;  // that was asked for; empty: where the run was sent before
    std::string mask_file, token_file;
  };
  spool_sender(std::string path, options given);

  /// The exit status: 0 all of it is there, 1 it is not (a sentence says why), 130 or 143 a signal
  /// came first.
  int run();

 private:
  std::optional<int> settled() const;
  text::failure begin();
  text::failure refusal();
  std::uint64_t size() const;
  void each_beat();
  void show_progress();
  int conclude();

  std::string path_;
  options given_;
  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_{io_, SIGINT, SIGTERM};
  boost::asio::steady_timer beat_{io_};
  files::descriptor file_;
  std::optional<spool::stream_file> stream_;  // asked whether somebody still writes
  std::unique_ptr<forwarding> forwarding_;
  std::string shown_;  // of the progress
  int signal_ = 0;
  bool ended_ = false;
};

}  // namespace tofud::forward
