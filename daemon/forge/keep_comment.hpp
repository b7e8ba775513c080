// Puts what a job has to say into the comment that all jobs of a pull request share.
#pragma once

#include "daemon/forge/api.hpp"
#include "daemon/forge/asker.hpp"
#include "daemon/forge/comment.hpp"
#include "daemon/forge/job.hpp"

#include <string>

namespace tofud::forge {

struct contribution {
  std::string stack;
  of_run what = of_run::plan;
  part said;
};

/// The number of the pull request: the job's own, else that of its commit. A failure if there is
/// none.
text::result<std::string> pull_request_of(asker& at, const api& by, const job& of);

/// Writes the comment, and looks whether another job has overwritten it meanwhile: a forge has no
/// way to change only what one has read. Of two comments one is left. Only comments of the token's
/// own author count: anybody can write the mark. Gives the comment's page, empty if the forge does
/// not say.
text::result<std::string> keep_comment(asker& at, const api& by, const job& of,
                                       const std::string& pull, const contribution& what);

/// Puts a status beside the job's commit.
text::failure keep_status(asker& at, const api& by, const job& of, const commit_status& what);

}  // namespace tofud::forge
