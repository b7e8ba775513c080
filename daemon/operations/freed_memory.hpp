// What becomes of memory that nobody uses for a moment.
#pragma once

namespace tofud::operations {

/// From now on this process keeps up to limits::kept_freed_bytes of what it frees for what comes
/// next, instead of giving it back to the kernel and asking for it again, page by page, with each
/// piece of a stream (glibc, mallopt(3); elsewhere nothing happens).
void keep_freed_memory() noexcept;

}  // namespace tofud::operations
