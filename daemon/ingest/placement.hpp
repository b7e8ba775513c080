// Has moved.
#pragma once

#include "protocol/upload/placement.hpp"

namespace tofud {
namespace ingest = upload;
}
