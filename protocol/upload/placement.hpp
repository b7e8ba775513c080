// Where the bytes of a PATCH go: the upload rules about offsets.
#pragma once

#include <cstdint>

namespace tofud::upload {

/// What the journal has of a stream.
struct upload_state {
  std::uint64_t acknowledged = 0;  // bytes on disk
  bool complete = false;           // the sender said that there are no more
};

enum class verdict : std::uint8_t {
  store,     // `known` bytes are there already and must be equal, the rest is appended
  gap,       // it begins behind what is there: the sender goes back
  complete,  // it would add to a stream that is complete
};

struct placement {
  verdict what = verdict::store;
  std::uint64_t known = 0;
};

/// `size` bytes that the sender says begin at `offset` of the stream.
placement place(const upload_state& state, std::uint64_t offset, std::uint64_t size);

}  // namespace tofud::upload
