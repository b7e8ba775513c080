// Makes the files of what is attached to a run: the work of the child of attachments_preparing.
#pragma once

#include "daemon/attachments/wanted.hpp"
#include "protocol/feed/row.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace tofud::attachments {

struct attachment_listeners {
  std::function<void(feed::attachment part)> done;          // its file is whole
  std::function<void(const std::string& sentence)> failed;  // without a full stop
};

/// The configuration first, which takes no time, then the plan and the schemas of its types. A
/// saved plan is read by its program, which gets until `until`; then whatever there is by then is
/// made. All paths are absolute, and the working directory is `what.found.directory` if there is a
/// saved plan. Blocks; a process with one thread only.
void attach(const attachments::wanted& what, std::chrono::steady_clock::time_point until,
            const attachment_listeners& told);

}  // namespace tofud::attachments
