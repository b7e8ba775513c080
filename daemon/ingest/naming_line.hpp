// Has moved.
#pragma once

#include "protocol/upload/naming_line.hpp"

namespace tofud {
namespace ingest = upload;
}
