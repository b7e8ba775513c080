#include "daemon/attachments/background_process.hpp"

#include "daemon/files/write_all.hpp"
#include "daemon/operations/oom_score.hpp"

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tofud::attachments {
namespace {

constexpr int least_priority = 19;

// linux/ioprio.h, which not all libcs have.
constexpr int who_process = 1;
constexpr int idle_class = 3 << 13;

void kill_group(int /*number*/) { ::kill(0, SIGKILL); }

}  // namespace

void become_background(std::chrono::seconds at_most) {
  sigset_t none;
  ::sigemptyset(&none);
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setpgid(0, 0);
  // Else the group would be somebody else's, too.
  if (::getpgrp() == ::getpid()) {
    std::signal(SIGTERM, kill_group);
    std::signal(SIGALRM, kill_group);
  }
  ::alarm(static_cast<unsigned>(at_most.count()));
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::setpriority(PRIO_PROCESS, 0, least_priority);
  ::syscall(SYS_ioprio_set, who_process, 0, idle_class);
  operations::offer_to_the_oom_killer(1000);
}

void end_background_children() {
  if (::getpgrp() != ::getpid()) return;
  std::signal(SIGTERM, SIG_IGN);
  ::kill(0, SIGTERM);
}

}  // namespace tofud::attachments
