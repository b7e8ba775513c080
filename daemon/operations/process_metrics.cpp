#include "daemon/operations/process_metrics.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace tofud::operations {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void add_memory(exposition& to) {
  std::uint64_t pages = 0;
  std::uint64_t resident = 0;
  if (!(std::ifstream{"/proc/self/statm"} >> pages >> resident)) return;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  to.gauge("process_virtual_memory_bytes", "Virtual memory of this process in bytes.");
  to.sample(static_cast<double>(pages) * page);
  to.gauge("process_resident_memory_bytes", "Resident memory of this process in bytes.");
  to.sample(static_cast<double>(resident) * page);
}

void add_descriptors(exposition& to) {
  std::error_code failed;
  std::uint64_t open = 0;
  for (std::filesystem::directory_iterator each{"/proc/self/fd", failed}, end;
       !failed && each != end; each.increment(failed)) {
    ++open;
  }
  if (failed || open == 0) return;
  to.gauge("process_open_fds", "Open file descriptors.");
  to.sample(static_cast<double>(open - 1));  // one was for looking
}

}  // namespace

void add_process_metrics(exposition& to, std::chrono::system_clock::time_point started) {
  rusage used{};
  if (::getrusage(RUSAGE_SELF, &used) == 0) {
    to.counter("process_cpu_seconds_total", "User and system processor time in seconds.");
    to.sample(seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
  }
  add_memory(to);
  add_descriptors(to);
  rlimit most{};
  if (::getrlimit(RLIMIT_NOFILE, &most) == 0) {
    to.gauge("process_max_fds", "File descriptors this process may have open.");
    to.sample(static_cast<double>(most.rlim_cur));
  }
  to.gauge("process_start_time_seconds", "Start time of this process in Unix time.");
  to.sample(std::chrono::duration<double>(started.time_since_epoch()).count());
}

}  // namespace tofud::operations
