// Bytes, compressed as they come.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tofud::files {

/// Remembers the compressed data so far, and what is still inside.
class gzip {
 public:
  gzip();
  ~gzip();
  gzip(const gzip&) = delete;
  gzip& operator=(const gzip&) = delete;

  void feed(std::string_view bytes);
  /// One whole gzip member of all that was fed, once; empty if zlib had no memory.
  std::string end();

 private:
  struct state;
  void deflate(std::string_view bytes, int flush);

  std::unique_ptr<state> state_;
};

}  // namespace tofud::files
