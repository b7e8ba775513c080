// The bytes of a stream, wherever they are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace tofud::files {

/// Reads bytes of the stream from an offset; 0: there are no more.
using stream_bytes = std::function<std::size_t(std::uint64_t offset, std::span<char> room)>;

}  // namespace tofud::files
