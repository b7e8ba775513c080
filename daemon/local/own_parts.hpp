// What is attached to the run that a worker shows: made ready while tofu runs.
#pragma once

#include "daemon/attachments/attachments_preparing.hpp"
#include "daemon/attachments/wanted.hpp"
#include "daemon/keeper/worker_link.hpp"
#include "daemon/pipeline/engine.hpp"
#include "protocol/events/event.hpp"
#include "protocol/feed/row.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tofud {

/// Each part is attached once a run, where the rows are when it is ready; the event says so to
/// whoever folds the stream again.
class own_parts {
 public:
  struct listeners {
    std::function<void()> attached;  // one more is
    std::function<void()> over;      // nothing more comes
  };
  /// `link` and `rows` outlive this. `known`: what the worker before this one attached.
  own_parts(const keeper::worker_link& link, pipeline::engine& rows,
            const std::vector<events::placed<events::attachment>>& known);

  /// Makes ready what is wanted and not known. A saved plan is opened before this returns: tofu may
  /// delete it.
  void prepare(boost::asio::io_context& io, attachments::wanted wanted, listeners told);
  /// Whether the end of the stream is to wait for what is being made ready; for so long at most.
  bool waits();
  bool is_waiting() const { return until_.has_value(); }
  /// Nothing is attached from now on.
  void finish() { finishing_ = true; }

 private:
  bool is_known(feed::attachment part) const;
  void attach(feed::attachment part);

  const keeper::worker_link& link_;
  pipeline::engine& rows_;
  std::vector<feed::attachment> known_;
  listeners told_;
  std::unique_ptr<attachments::attachments_preparing> preparing_;  // null: nothing is wanted
  std::optional<std::chrono::steady_clock::time_point> until_;
  bool finishing_ = false;
  bool is_named_ = false;  // somebody typed what is to be attached, and was not told of a failure
};

}  // namespace tofud
