#include "protocol/upload/placement.hpp"

#include <algorithm>

namespace tofud::upload {

placement place(const upload_state& state, std::uint64_t offset, std::uint64_t size) {
  if (offset > state.acknowledged) return {verdict::gap};
  const std::uint64_t known = std::min(state.acknowledged - offset, size);
  if (state.complete && known < size) return {verdict::complete, known};
  return {verdict::store, known};
}

}  // namespace tofud::upload
