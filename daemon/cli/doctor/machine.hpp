// How this program was built, which libraries it has, and what the kernel below it gives.
#pragma once

#include "daemon/cli/doctor/facts.hpp"

namespace tofud::doctor {

build_facts build_of_this_program();
/// Tries each call that tofud makes use of; nothing stays of it.
kernel_facts look_at_kernel();

}  // namespace tofud::doctor
