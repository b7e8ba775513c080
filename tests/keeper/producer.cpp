#include "tests/keeper/producer.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tofud::keeper {

producer::producer(std::size_t lines) : lines_{lines} {
  void* memory = ::mmap(nullptr, sizeof(shared_words), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  shared_ = new (memory) shared_words{};
}

producer::~producer() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  ::munmap(shared_, sizeof(shared_words));
}

void producer::start(kept_pipe& pipe, last_line when) {
  child_ = ::fork();
  if (child_ == 0) {
    ::setpgid(0, pipe.keeper());
    run(pipe.write_end(), when);
  }
  ::setpgid(child_, pipe.keeper());
  pipe.close();
}

int producer::wait() {
  int status = 0;
  EXPECT_EQ(::waitpid(child_, &status, 0), child_);
  child_ = -1;
  return exit_status(status);
}

void producer::run(int out, last_line when) {
  ::fcntl(out, F_SETFL, O_NONBLOCK);
  sigset_t expected;
  ::sigemptyset(&expected);
  for (const int number : signals) ::sigaddset(&expected, number);
  if (when == last_line::after_all_signals) ::sigprocmask(SIG_BLOCK, &expected, nullptr);

  for (std::size_t n = 0; n + 1 < lines_; ++n) print(out, n);
  if (when == last_line::held_back) {
    while (shared_->release == 0) ::usleep(1000);
  }
  if (when == last_line::after_all_signals) {
    shared_->waiting_for_signals = 1;
    for (std::size_t got = 0; got < signals.size(); ++got) {
      int number = 0;
      ::sigwait(&expected, &number);
    }
  }
  print(out, lines_ - 1);
  ::_exit(own_status);
}

void producer::print(int out, std::size_t number) {
  const auto line = stream_line(number);
  for (std::string_view rest = line; !rest.empty();) {
    const auto n = ::write(out, rest.data(), rest.size());
    if (n > 0) {
      rest.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      ++shared_->full_pipe;
      pollfd room{out, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else {
      ::_exit(1);
    }
  }
}

}  // namespace tofud::keeper
