// Bytes that may be compressed, as they come.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tofud::files {

/// Passes bytes on as they are, or uncompressed if they begin as gzip does. Remembers where it is
/// in the compressed data, several members one after the other included.
class gunzip {
 public:
  using sink = std::function<void(std::string_view bytes)>;

  explicit gunzip(sink to);
  ~gunzip();
  gunzip(const gunzip&) = delete;
  gunzip& operator=(const gunzip&) = delete;

  /// Passes on what comes of `bytes`. Returns what is wrong with them as half a sentence, or "".
  std::string feed(std::string_view bytes);
  /// No more comes. Returns what is missing as half a sentence, or "".
  std::string end();

 private:
  struct state;
  std::string inflate(std::string_view bytes);

  sink to_;
  std::unique_ptr<state> state_;
};

}  // namespace tofud::files
