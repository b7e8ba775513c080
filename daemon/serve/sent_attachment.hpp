// A document that somebody attaches to a run of this daemon, made into what is kept with it.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/redact/finder.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::serve {

/// Of one that can't be kept: a status and a sentence that names no value.
struct bad_attachment {
  int status = 400;
  std::string sentence;
};

struct made_attachment {
  /// To be kept under these names. Schemas come with the plan, masked by them as well.
  std::vector<std::pair<std::string, std::string>> files;
  bad_attachment wrong;  // if there are no files
};

/// `body` as it came, compressed or not. `kept_plan`: what is kept of the run's plan, for schemas.
/// `rules`: null where the sender has redacted. Takes seconds and hundreds of megabytes for the
/// largest; no state, so any thread may.
made_attachment make_attachment(feed::attachment part, std::string_view body,
                                std::string_view kept_plan,
                                const std::shared_ptr<const redact::ready_rules>& rules);

}  // namespace tofud::serve
