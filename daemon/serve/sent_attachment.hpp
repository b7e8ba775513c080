// A document that somebody attaches to a run of this daemon, made into what is kept with it.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/redact/finder.hpp"
#include "protocol/schema/schema.hpp"

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

/// What the daemon has beside a document.
struct beside_attachment {
  std::string plan, schemas;  // kept of the run; empty: not attached
  /// The daemon's own specifications; null: none.
  std::shared_ptr<const schema::schemas> own = {};
};

/// `body` as it came, compressed or not. `rules`: null where the sender has redacted. Takes seconds
/// and hundreds of megabytes for the largest; no state, so any thread may.
made_attachment make_attachment(feed::attachment part, std::string_view body,
                                const beside_attachment& beside,
                                const std::shared_ptr<const redact::ready_rules>& rules);

}  // namespace tofud::serve
