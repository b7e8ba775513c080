#include "daemon/operations/oom_score.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/files/write_all.hpp"

#include <fcntl.h>
#include <string>

namespace tofud::operations {

void offer_to_the_oom_killer(int score) noexcept {
  const files::descriptor file{::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)};
  if (file) files::write_all(file.get(), std::to_string(score));
}

}  // namespace tofud::operations
