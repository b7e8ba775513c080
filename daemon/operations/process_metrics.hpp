// What Prometheus' own clients say of every process.
#pragma once

#include "daemon/operations/exposition.hpp"

#include <chrono>

namespace tofud::operations {

/// process_cpu_seconds_total, process_resident_memory_bytes, process_virtual_memory_bytes,
/// process_open_fds, process_max_fds and process_start_time_seconds, as far as /proc/self tells.
/// `started`: the kernel's own stamp counts from the boot, whose time a service that sees
/// processes only (ProcSubset=pid) can't read.
void add_process_metrics(exposition& to, std::chrono::system_clock::time_point started);

}  // namespace tofud::operations
