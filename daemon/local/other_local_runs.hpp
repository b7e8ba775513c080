// Runs of other tofud on this machine, which this one serves beside its own.
#pragma once

#include "daemon/local/server.hpp"
#include "daemon/pipeline/kept_stream.hpp"
#include "daemon/pipeline/run_topics.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>
#include <unordered_map>

namespace tofud {

/// Finds the spools in a directory that somebody holds, and those that ended a short while ago, and
/// follows them as `tofud watch` would: the spool is the journal, so rows and positions are the
/// same whoever folds it.
class other_local_runs {
 public:
  /// `own` is the path of our own spool. `shown` outlives this.
  other_local_runs(boost::asio::io_context& io, std::string directory, std::string own,
                   server& shown);
  ~other_local_runs();

  /// Looks for new ones; to be called now and then.
  void look();
  /// Whether all that was there when they were found has been folded.
  bool caught_up() const;
  /// Whether a run of somebody else goes on.
  bool any_goes_on() const;
  void stop();

 private:
  struct other_run;

  boost::asio::io_context& io_;
  std::string directory_, own_;
  server& shown_;
  std::unordered_map<std::string, std::unique_ptr<other_run>> known_;  // by path; null: of no use
};

}  // namespace tofud
