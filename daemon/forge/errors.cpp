#include "daemon/forge/errors.hpp"

namespace tofud::forge {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_forge,
       "this is no job of GitHub, GitLab or Gitea; name the forge with --forge, --api and "
       "--project"},
      {error::no_project, "no project is known; name it with --project"},
      {error::bad_api, "the address of the forge's API is no https address; --api names it"},
      {error::bad_number, "{} is no number of a pull request"},
      {error::bad_commit, "{} is no id of a commit: 40 or 64 hexadecimal digits"},
      {error::no_token, "there is no token for {}; the job has to set {}"},
      {error::bad_token, "the token for {} has characters that no token has"},
      {error::unreadable_token, "{} can't be read, which should hold a token"},
      {error::no_pull_request, "no pull request belongs to this job; --pull-request names one"},
      {error::no_commit, "no commit is known for a status; --commit names it"},
      {error::unanswered, "the forge did not answer: {}"},
      {error::refused,
       "the forge refuses the token (status {}); the job needs the right to write {}"},
      {error::limited, "the forge asks to wait longer than tofud does: {} seconds"},
      {error::bad_status, "the forge answered {} with status {}"},
      {error::bad_answer, "the forge answered {} with something that tofud does not understand"},
      {error::contended,
       "other jobs changed the comment each time, and it lacks what this job has to say"},
      {error::no_room, "the comment has no room for another stack; it names {} already"},
  });
  return sentences[what];
}

}  // namespace tofud::forge
