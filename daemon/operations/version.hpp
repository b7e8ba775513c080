// What this program calls itself.
#pragma once

namespace tofud::operations {

extern const char* const version;
/// Changes with every build that could differ: pages of another build load themselves anew.
extern const char* const build_id;

}  // namespace tofud::operations
