#include "daemon/operations/freed_memory.hpp"

#include "daemon/operations/limits.hpp"

#include <malloc.h>

namespace tofud::operations {

void keep_freed_memory() noexcept {
#ifdef M_TRIM_THRESHOLD
  ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(limits::kept_freed_bytes));
  ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(limits::returned_block_bytes));
#endif
}

}  // namespace tofud::operations
