// What this machine has of a run whose log all share.
#pragma once

#include "daemon/cluster/record.hpp"
#include "daemon/journal/kept_run.hpp"
#include "daemon/net/task.hpp"
#include "protocol/text/failure.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tofud::cluster {

/// Used on the loop; kept alive by whoever waits.
class copy {
 public:
  virtual ~copy() = default;

  virtual const journal::run_header& copied_header() const = 0;
  virtual std::uint64_t copied_bytes() const = 0;
  virtual const std::vector<journal::kept_event>& copied_events() const = 0;
  virtual bool is_copied_whole() const = 0;
  /// Its sender sends it to this process, once: what he sends is stored here before NATS has it,
  /// since he may be an apply, which is not to wait for NATS.
  virtual bool is_sent_here() const = 0;

  /// When nobody else adds to it; null: somebody did for too long. Given back when it is destroyed.
  virtual net::task<std::shared_ptr<const void>> alone_to_copy() = 0;
  /// A record that comes next, from another daemon or from before. What is there already is passed
  /// over. The failure: it can't be kept here now.
  virtual net::task<text::failure> take(record what) = 0;

 protected:
  copy() = default;
  copy(const copy&) = default;
  copy& operator=(const copy&) = default;
};

}  // namespace tofud::cluster
