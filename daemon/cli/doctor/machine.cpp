#include "daemon/cli/doctor/machine.hpp"

#include "daemon/operations/version.hpp"

#include <boost/version.hpp>
#include <openssl/crypto.h>
#include <spdlog/version.h>
#include <utf8proc.h>
#include <zlib.h>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <fmt/core.h>
#include <gnu/libc-version.h>
#include <sqlite3.h>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace tofud::doctor {
namespace {

/// "12.11.0" of a number such as 121100.
std::string version_text(long number, long each) {
  return std::to_string(number / each / each) + "." + std::to_string(number / each % each) + "." +
         std::to_string(number % each);
}

std::string boost_version() {
  constexpr long major = BOOST_VERSION / 100'000, minor = BOOST_VERSION / 100 % 1000;
  return std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(BOOST_VERSION % 100);
}

bool gives(int fd) {
  if (fd < 0) return false;
  ::close(fd);
  return true;
}

}  // namespace

build_facts build_of_this_program() {
  build_facts found;
  found.version = operations::version;
  found.compiler = "GCC " __VERSION__;
#if defined(__clang__)
  found.compiler = "Clang " __VERSION__;
#endif
#if defined(__aarch64__)
  found.machine = "arm64";
#elif defined(__x86_64__)
  found.machine = "amd64";
#else
  found.machine = "another machine";
#endif
#if defined(TOFUD_PORTABLE)
  found.is_portable = true;
#endif
  found.libraries = {
      {"glibc", ::gnu_get_libc_version()},
      {"Boost", boost_version()},
      {"OpenSSL", ::OpenSSL_version(OPENSSL_VERSION_STRING)},
      {"SQLite", ::sqlite3_libversion()},
      {"zlib", ::zlibVersion()},
      {"utf8proc", ::utf8proc_version()},
      {"spdlog", version_text(SPDLOG_VERSION, 100)},
      {"fmt", version_text(FMT_VERSION, 100)},
  };
  return found;
}

kernel_facts look_at_kernel() {
  kernel_facts found;
  utsname about{};
  if (::uname(&about) == 0) found.release = about.release;
  const auto miss = [&found](bool there, const char* call, const char* effect) {
    if (!there) found.missing.push_back({call, effect});
  };
  sigset_t none{};
  sigemptyset(&none);
  miss(gives(::memfd_create("tofud-doctor", MFD_CLOEXEC)), "memfd_create",
       "a pipe needs a disk that it can write to, and a plan of Terraform is not followed");
  miss(gives(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0))), "pidfd_open",
       "the end of a command is seen up to 50 ms later");
  miss(gives(::eventfd(0, EFD_CLOEXEC)), "eventfd", "a live view cannot be drawn");
  miss(gives(::signalfd(-1, &none, SFD_CLOEXEC)), "signalfd",
       "signals to tofud alone are not forwarded");
  miss(gives(::inotify_init1(IN_CLOEXEC)), "inotify", "new lines are seen up to 50 ms later");
  miss(::access("/proc/self/fd", X_OK) == 0, "/proc",
       "the command at the other end of a pipe is not known");
  return found;
}

}  // namespace tofud::doctor
