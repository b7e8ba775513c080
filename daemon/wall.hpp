// All runs that are served here, a row each: the topic of whoever names no run.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "daemon/fanout/topic.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

namespace tofud {

/// On the wall a run's view is a row, with a sequence number of the wall's own.
class wall {
 public:
  /// `epoch` names its positions: those of another process's wall are worth nothing here.
  explicit wall(std::string epoch);

  /// `state` outlives the wall.
  feed::row_number add(const correlator::run_state& state);
  void changed(feed::row_number row);
  fanout::topic& topic() { return *topic_; }

 private:
  std::deque<const correlator::run_state*> runs_;
  feed::sequence seq_ = 0;
  std::unique_ptr<fanout::topic> topic_;
};

/// Six random characters: the name of this process's own positions.
std::string random_epoch();

}  // namespace tofud
