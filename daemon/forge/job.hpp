// Where a job is told from: the forge that has the repository, and the pull request it is about.
#pragma once

#include "daemon/stack/environment.hpp"
#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::forge {

/// A forge holds a repository and its pull requests (GitLab: merge requests).
enum class kind : std::uint8_t { github, gitlab, gitea };

std::string_view name(kind of);

/// What a user says himself; empty: the job's environment says it.
struct wishes {
  std::string forge = {};         // "github", "gitlab", "gitea"
  std::string api = {};           // such as "https://api.github.com"
  std::string project = {};       // "acme/infra"; of GitLab the number is good too
  std::string pull_request = {};  // its number
  std::string commit = {};
  std::string author = {};
};

struct job {
  kind at = kind::github;
  bool is_own = false;  // the job is one of this forge's, not one that a user named
  std::string api;      // https, without a slash at its end
  std::string project;
  std::string pull_request;      // a number; empty: to be asked for by the commit
  std::string commit;            // the last of the pull request's branch; empty: unknown
  std::string author;            // whose comments are this job's, where the forge does not say
  bool author_is_given = false;  // by the user, whatever the forge says
  std::string page;              // of the job; empty: none
  std::string step_summary;      // a file that the forge shows with the job; empty: none
};

/// By the variables of GitHub Actions, of Gitea's and Forgejo's (which set GitHub's too), and of
/// GitLab CI:
/// https://docs.github.com/actions/reference/workflows-and-actions/variables
/// https://docs.gitlab.com/ci/variables/predefined_variables/
text::result<job> job_in(const stack::environment& env, const wishes& given);

/// The first line of `file`, else the variable that holds one for this forge. The failure does not
/// hold the token.
text::result<std::string> token_for(const job& of, const stack::environment& env,
                                    const std::string& file);

}  // namespace tofud::forge
