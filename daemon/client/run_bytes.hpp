// The stream of a run at a daemon, as its journal has it: redacted, else as it was printed.
#pragma once

#include "daemon/client/limits.hpp"
#include "daemon/client/place.hpp"

#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace tofud::client {

/// Whether to go on until the run is over, or to stop at what there is.
enum class until : std::uint8_t { now, the_end };

/// Remembers how far it was read: a connection that breaks is made again from there, for at most
/// limits::remote_absence after the last byte, since a daemon may be started again.
class run_bytes {
 public:
  run_bytes(place from, std::string run, until end);
  run_bytes(run_bytes&&) noexcept;
  run_bytes& operator=(run_bytes&&) noexcept;
  ~run_bytes();

  /// What is there at once; 0: nothing for now, or nothing any more (`over`).
  boost::system::result<std::size_t, failure> read(std::span<char> room);
  bool over() const;
  /// Until there may be something to read, for at most that long.
  void wait(std::chrono::milliseconds most) const;

 private:
  class answer_on_the_way;
  using clock = std::chrono::steady_clock;

  /// Lets go of the connection, to make another one later. The failure, if that is too late.
  boost::system::result<std::size_t, failure> lose(const failure& why);

  place from_;
  std::string run_;
  until end_;
  std::uint64_t had_ = 0;
  bool over_ = false;
  std::unique_ptr<answer_on_the_way> answer_;  // null: there is no connection
  clock::time_point last_, try_at_;
};

}  // namespace tofud::client
