// All runs that are served here, a row each: the topic of whoever names no run.
#pragma once

#include "daemon/fanout/topic.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace tofud::fanout {

/// On the wall what is a view elsewhere is a row, with a sequence number of the wall's own.
class wall {
 public:
  /// Appends the row as it is now.
  using encoder = std::function<void(std::string& out, feed::sequence seq)>;

  /// `epoch` names its positions: those of another process's wall are worth nothing here.
  explicit wall(std::string epoch);

  /// A row, from its first `changed` on. What `encode` refers to outlives the row.
  feed::row_number add(feed::row_kind kind, std::string key, encoder encode);
  void changed(feed::row_number row);
  /// What changes from here on has a greater number than this.
  void go_on_from(feed::sequence least);
  /// Who watches is told that it is gone.
  void remove(feed::row_number row);
  /// Forgets what was removed up to now; to be called once in a while.
  void forget_removed();
  fanout::topic& topic() { return *topic_; }

 private:
  struct entry {
    feed::row_kind kind;
    std::string key;
    encoder encode;
  };
  std::deque<entry> entries_;
  feed::row_number shown_ = 0;  // of the entries, those the topic knows
  feed::sequence seq_ = 0, to_forget_ = 0;
  std::unique_ptr<fanout::topic> topic_;
};

/// Six random characters: the name of this process's own positions.
std::string random_epoch();

}  // namespace tofud::fanout
