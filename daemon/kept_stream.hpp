// A stream that was kept: its file, and what stands beside it.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "daemon/reader/kept_runs.hpp"
#include "daemon/reader/stream_file.hpp"
#include "protocol/events/run_events.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/result.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud {

/// Read from its beginning, once.
class kept_stream {
 public:
  /// The failure is a sentence.
  static boost::system::result<kept_stream, std::string> open(const std::string& path);

  /// Gives all bytes there are now, in pieces. Returns what failed, or an empty string.
  std::string read_all(const std::function<void(std::string_view)>& piece);

  reader::stream_file& file() { return file_; }
  /// What is said beside the stream at this moment: the end may have come since.
  events::run_events said() const;
  /// What was said of the run when it was live; its file's name is its id if nothing was.
  correlator::run_identity identity() const;

 private:
  explicit kept_stream(reader::stream_file file) : file_{std::move(file)} {}
  reader::stream_file file_;
};

/// Reads a stream to its end, and on while somebody writes it.
class follower {
 public:
  struct listeners {
    std::function<void(std::string_view)> piece;
    std::function<void()> caught_up;                       // once: all there was has been given
    std::function<void(const std::string& failure)> over;  // empty: nobody writes it any more
  };
  /// `stream` outlives the follower.
  follower(boost::asio::io_context& io, kept_stream& stream, listeners told);
  void start();
  void stop();

 private:
  void turn();
  void quiet();

  kept_stream& stream_;
  listeners told_;
  boost::asio::steady_timer pause_;
  std::vector<char> room_;
  bool last_look_ = false;  // nobody writes any more; what came before is still to be read
  bool caught_up_ = false, stopped_ = false;
};

}  // namespace tofud
