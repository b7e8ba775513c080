// What is attached to a kept stream, for who folds it.
#pragma once

#include "daemon/pipeline/kept_stream.hpp"
#include "daemon/pipeline/played_attachments.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace tofud {

/// Passes the bytes of the stream on, and what is attached to it at its places. What is said while
/// the stream is followed is found as well. Of a stream at a daemon nothing is here.
class kept_attachments {
 public:
  struct listeners {
    std::function<void(std::string_view bytes)> feed;
    std::function<void(const std::shared_ptr<const attachments::documents>& known)> attach;
  };
  /// `stream` outlives this.
  kept_attachments(const kept_stream& stream, listeners to);

  /// The bytes that follow those of the last call.
  void pass(std::string_view bytes);

 private:
  const kept_stream& stream_;
  listeners to_;
  played_attachments attached_;
  std::uint64_t offset_ = 0;
};

}  // namespace tofud
