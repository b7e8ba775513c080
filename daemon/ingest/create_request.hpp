// Has moved.
#pragma once

#include "protocol/upload/create_request.hpp"

namespace tofud {
namespace ingest = upload;
}
