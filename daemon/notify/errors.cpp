#include "daemon/notify/errors.hpp"

namespace tofud::notify {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::bad_report, "the stored message can't be read"},
      {error::no_url, "the rule {} has no url_file"},
      {error::bad_url, "the rule {}: {} holds no https address in its first line"},
      {error::bad_secret,
       "the rule {}: {} holds no secret of a webhook (whsec_ and base64, 24 to 64 bytes)"},
      {error::unreadable, "the rule {}: {}"},
      {error::empty_file, "the rule {}: {} has nothing in its first line"},
      {error::no_recipient, "the rule {} says in `to` to nobody"},
      {error::no_command, "the rule {} has no command"},
      {error::same_name, "two rules have the name {}; give each its own"},
      {error::not_opened, "the outbox can't be opened: {}"},
      {error::database, "the outbox can't be written: {}"},
      {error::no_rule, "there is no rule {}; `tofud notify ls` lists them"},
      {error::no_message, "no message that waits or was given up has that id"},
      {error::bad_status, "the target answered with status {}"},
      {error::gone,
       "the target says that it is gone (410); the rule is off until the configuration "
       "is loaded again"},
      {error::redirect, "the target leads elsewhere (status {}); tofud does not follow"},
      {error::unanswered, "{}"},
      {error::not_started, "the command can't be started: {}"},
      {error::command_failed, "the command ended with status {}"},
      {error::command_late, "the command took more than {} seconds and was killed"},
  });
  return sentences[what];
}

}  // namespace tofud::notify
