// The process that makes attachments ready, and what it says.
#pragma once

#include "daemon/attachments/wanted.hpp"
#include "protocol/feed/row.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <string>

namespace tofud::attachments {

/// The argument that makes this program a child that prepares; attachments::to_words follow. It
/// says on stdout what there is: lines `plan`, `schemas`, `config` when that part's file is whole,
/// and `note SENTENCE` for what failed.
inline constexpr const char* attach_argument = "attachments-of-a-run";

/// Reading a plan of a hundred megabytes takes seconds and gigabytes, and a saved one starts
/// providers: not in the process that shows the run. A child at the lowest priority, the first to
/// be killed when memory runs out, writes the files beside the spool.
class attachments_preparing {
 public:
  struct listeners {
    /// That part lies beside the spool (attachments::beside_spool), whole. Each part once at most:
    /// the configuration, then the plan, then its schemas.
    std::function<void(feed::attachment part)> done;
    /// Something can't be attached: a sentence without a full stop, with no values of the run.
    std::function<void(const std::string& sentence)> note;
    /// Nothing more comes. Told once, if this still lives.
    std::function<void()> over;
  };

  /// Starts the child at once; listeners are called by `io`, never from here, and may not destroy
  /// this. A saved plan is opened here, so that whoever deletes it later takes nothing away; one
  /// that is no regular file is left to tofu. Reports stop, and the child and all it started are
  /// killed, when this goes; nobody waits.
  attachments_preparing(boost::asio::io_context& io, const attachments::wanted& what,
                        listeners told);
  ~attachments_preparing();
  attachments_preparing(const attachments_preparing&) = delete;
  attachments_preparing& operator=(const attachments_preparing&) = delete;

  bool over() const;

 private:
  class child;
  std::shared_ptr<child> child_;
};

}  // namespace tofud::attachments
