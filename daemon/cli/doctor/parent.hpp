// Who started this process.
#pragma once

#include "daemon/cli/doctor/facts.hpp"

namespace tofud::doctor {

/// By /proc; what it does not tell stays empty.
parent_facts parent_of_this_process();

}  // namespace tofud::doctor
