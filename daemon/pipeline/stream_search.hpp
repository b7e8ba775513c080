// What is found by folding a stream once more.
#pragma once

#include <string>

namespace tofud::pipeline {

class stream_search {
 public:
  virtual ~stream_search() = default;
  /// Appends what the next piece of the stream, or of what was found, gives; false when there is no
  /// more.
  virtual bool next(std::string& out) = 0;
  /// It can't go on before somebody has answered.
  virtual bool waits() const { return false; }

 protected:
  stream_search() = default;
  stream_search(const stream_search&) = default;
  stream_search& operator=(const stream_search&) = default;
};

}  // namespace tofud::pipeline
