// What is attached to a run, as it may leave this machine: the body of its request.
#pragma once

#include "protocol/redact/document_redactor.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace tofud::forward {

/// Redacts a file line by line and compresses it, a piece at a time: the largest would stop a loop
/// for seconds. The same file by the same rules gives the same bytes.
class attachment_body {
 public:
  attachment_body(const std::string& path, const std::shared_ptr<const redact::ready_rules>& by);
  ~attachment_body();
  attachment_body(const attachment_body&) = delete;
  attachment_body& operator=(const attachment_body&) = delete;

  enum class progress : std::uint8_t { more, done, failed };
  /// Some hundred microseconds of work, but for a longer line.
  progress step();
  /// When it is `done`.
  std::string take();
  /// When it has `failed`, as half a sentence: "can't be read", "is too large to be sent".
  const std::string& failure() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tofud::forward
