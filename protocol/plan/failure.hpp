// What is wrong with a plan or state document.
#pragma once

#include "protocol/plan/errors.hpp"
#include "protocol/text/failure.hpp"

namespace tofud::plan {

using text::failure;
using text::result;

}  // namespace tofud::plan
