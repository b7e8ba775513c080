#include "daemon/cli/notify.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/client/exchange.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/percent.hpp"
#include "protocol/text/readable.hpp"

#include <boost/json/parse.hpp>

#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

namespace bj = boost::json;

struct notify_arguments {
  std::string server, id, rule;
};

int print(const std::string& text) { return files::write_all(STDOUT_FILENO, text) ? 0 : 1; }

/// The answer's object; nothing: it is said why there is none.
std::optional<bj::object> asked(const notify_arguments& given, std::string_view method,
                                const std::string& target) {
  const auto daemon = daemon_for(given.server, false, "");
  if (!daemon) return std::nullopt;
  if (!daemon->service) {
    spool::notice("no daemon was found; name one with --server");
    return std::nullopt;
  }
  const client::place& at = daemon->service->at();
  const auto answer = client::ask(at, method, target);
  if (!answer) {
    spool::notice(answer.error().sentence);
    return std::nullopt;
  }
  if (answer->status / 100 != 2) {
    spool::notice(client::meaning_of(*answer, at).sentence);
    return std::nullopt;
  }
  boost::system::error_code failed;
  const auto body = bj::parse(answer->body, failed);
  if (failed || !body.is_object()) {
    spool::notice("what answers at " + at.shown + " is not a tofud daemon");
    return std::nullopt;
  }
  return body.get_object();
}

std::string with_query(std::string path, std::string_view name, const std::string& value) {
  if (value.empty()) return path;
  path.append("?").append(name).append("=");
  text::append_percent_encoded(path, value);
  return path;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text + "  ";
}

std::string line_of_rule(const bj::object& of) {
  const std::string off = json::text_at(of, "off");
  return padded(json::text_at(of, "name"), 20) + padded(json::text_at(of, "target"), 8) +
         (off.empty() ? "on" : "off: " + off);
}

std::string line_of_message(const bj::object& of) {
  std::string line = json::text_at(of, "id") + "  " + padded(json::text_at(of, "state"), 8) +
                     json::text_at(of, "created_at") + "  " + json::text_at(of, "rule") + ": " +
                     json::text_at(of, "headline");
  if (const std::string last = json::text_at(of, "last"); !last.empty()) line += " (" + last + ")";
  return line;
}

int list(const notify_arguments& given) {
  const auto all = asked(given, "GET", "/v1/notifications");
  if (!all) return 1;
  std::string text;
  for (const auto& [member, line_of] :
       {std::pair{"rules", &line_of_rule}, std::pair{"messages", &line_of_message}}) {
    const auto* found = all->if_contains(member);
    if (found == nullptr || !found->is_array()) continue;
    for (const bj::value& each : found->get_array())
      if (each.is_object()) text += text::readable_line(line_of(each.get_object())) + "\n";
  }
  if (text.empty())
    text = "there are no rules for notifications; [[notify]] in the configuration adds some\n";
  return print(text);
}

int retry(const notify_arguments& given) {
  const auto answer = asked(given, "POST", with_query("/v1/notifications/retry", "id", given.id));
  if (!answer) return 1;
  const auto* count = answer->if_contains("retried");
  const std::int64_t retried = count != nullptr && count->is_int64() ? count->get_int64() : 0;
  return print(std::to_string(retried) + (retried == 1 ? " message is" : " messages are") +
               " sent now\n");
}

int test(const notify_arguments& given) {
  if (!asked(given, "POST", with_query("/v1/notifications/test", "rule", given.rule))) return 1;
  return print("the target of " + given.rule + " took the message\n");
}

}  // namespace

void add_notify(command& line) {
  auto given = std::make_shared<notify_arguments>();
  command& words = line.add_command(
      "notify", "List notifications that were not delivered; retry them, try a rule");
  const auto add_server = [&](command& to) {
    to.add_option("--server", given->server,
                  "The daemon: http://HOST:PORT or unix:PATH (default: $TOFUD_SERVER unless it is "
                  "none, else the daemon at the default socket)")
        .value("SERVER");
  };
  command& listed =
      words.add_command("ls", "List the rules, and messages that wait or were given up");
  add_server(listed);
  listed.run = [given] { return list(*given); };
  command& retried = words.add_command("retry", "Send messages now that wait or were given up");
  retried.add_option("ID", given->id, "Only this one (default: all)");
  add_server(retried);
  retried.run = [given] { return retry(*given); };
  command& tried =
      words.add_command("test", "Send a message of its own by a rule, and say what became of it");
  tried.add_option("RULE", given->rule, "Name of the rule").required();
  add_server(tried);
  tried.run = [given] { return test(*given); };
}

}  // namespace tofud::cli
