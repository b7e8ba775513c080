// What a worker is told by the process that started its keeper, as one document.
#pragma once

#include "daemon/local/view_options.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>

namespace tofud {

/// JSON, for a worker of this very program: its members are those of view_options.
std::string to_document(const view_options& view);

/// An empty text stands for the defaults: there was no room for a document.
text::result<view_options> read_view_document(std::string_view text);

}  // namespace tofud
