// What several daemons share of their runs, as the runs of one of them see it.
#pragma once

#include "daemon/history/operation.hpp"
#include "daemon/journal/run_log.hpp"
#include "daemon/journal/store.hpp"
#include "daemon/net/task.hpp"
#include "protocol/text/failure.hpp"

#include <string>
#include <vector>

namespace tofud::serve {

class ingested_run;

/// Used on the loop.
class sharing {
 public:
  virtual ~sharing() = default;

  /// Names positions on the wall that mean the same on every daemon.
  virtual std::string wall_epoch() const = 0;
  /// What senders say goes there.
  virtual journal::run_log& log() = 0;
  /// Nobody else makes a run of that id or upload from here on. Errors: cluster::error
  /// other_writer: there is a run of that id; made_elsewhere: there is one of that upload.
  virtual net::task<text::failure> open(journal::run_header header) = 0;
  /// What lists and walls show of a run that this daemon takes in is new.
  virtual void changed(const ingested_run& run, std::string views) = 0;
  /// What a run did that this daemon takes in.
  virtual void remember(const std::string& run,
                        const std::vector<history::run_operations>& did) = 0;
  /// All that others know of it goes. By a person: also what they have of it.
  virtual net::task<text::failure> remove(std::string run, journal::removed_by whom) = 0;

  /// Takes from the others what this machine lacks of the run.
  virtual net::task<text::failure> bring(std::string run) = 0;
  /// What others append is taken as it comes, while somebody looks at the run.
  virtual void follow(const std::string& run) = 0;
  virtual void leave(const std::string& run) = 0;
  /// The run's log may be another one than this daemon thinks.
  virtual void doubt(const std::string& run) = 0;
  /// This machine has nothing of the run's log any more.
  virtual void forget_log(const std::string& run) = 0;
  /// What is remembered of the run's log goes from memory.
  virtual void forget(const std::string& run) = 0;

  /// Whether the run's log ends where this daemon thinks: it may append.
  virtual bool may_append(const std::string& run) const = 0;
  /// This daemon takes the run in from here on. The failure: it can't now.
  virtual net::task<text::failure> take_over(std::string run) = 0;
  /// Makes a run known here that others have: by its id, or that of its upload. The failure: they
  /// can't be asked.
  virtual net::task<text::failure> find(std::string run) = 0;
  virtual net::task<text::failure> find_upload(std::string upload_id) = 0;

 protected:
  sharing() = default;
  sharing(const sharing&) = default;
  sharing& operator=(const sharing&) = default;
};

}  // namespace tofud::serve
