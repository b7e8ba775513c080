// Who goes first when memory runs out.
#pragma once

namespace tofud::operations {

/// The kernel is to take this process, never the keeper or tofu: `score` of 0 (as all) to 1000 (the
/// first), proc(5), oom_score_adj. Without /proc nothing happens.
void offer_to_the_oom_killer(int score) noexcept;

}  // namespace tofud::operations
