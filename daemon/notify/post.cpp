#include "daemon/notify/post.hpp"

#include "daemon/notify/command_run.hpp"
#include "daemon/notify/errors.hpp"
#include "daemon/notify/limits.hpp"
#include "protocol/upload/answer.hpp"

#include <algorithm>
#include <utility>

namespace tofud::notify {

handed_over meaning_of(const client::answered& answer) {
  if (!answer) return {text::failure{error::unanswered, answer.error().sentence}.text(), {}, false};
  const unsigned status = answer->status;
  if (status / 100 == 2) return {};
  const auto after = upload::retry_after_in(answer->first("Retry-After"));
  handed_over made;
  if (after) {
    made.after = std::min<std::chrono::seconds>(std::chrono::ceil<std::chrono::seconds>(*after),
                                                limits::told_retry_after);
  }
  made.is_gone = status == 410;
  made.why = (made.is_gone        ? text::failure{error::gone}
              : status / 100 == 3 ? text::failure{error::redirect, status}
                                  : text::failure{error::bad_status, status})
                 .text();
  return made;
}

client::web_url place_of(const rule& by, std::shared_ptr<const net::tls_client> tls) {
  auto where = client::parse_web_url(by.url, std::move(tls));
  if (!where) return {};
  where->at.public_only = !by.allow_private;
  return std::move(*where);
}

handed_over hand_to_program(const report& of, const rule& by, const std::string& source) {
  const bool is_mail = by.where == target::mail;
  std::vector<std::string> argv{by.command};
  if (is_mail) argv.insert(argv.end(), {"-t", "-i"});
  const auto failed =
      run_command(argv, is_mail ? mail_message(of, by) : cloud_event(of, source) + "\n",
                  {"TOFUD_RULE=" + by.name, "TOFUD_OCCASION=" + std::string{name(of.what)}},
                  limits::command_wait);
  return {failed.text(), {}, false};
}

}  // namespace tofud::notify
