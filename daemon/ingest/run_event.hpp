// Has moved.
#pragma once

#include "protocol/upload/run_event.hpp"

namespace tofud {
namespace ingest = upload;
}
