#include "daemon/cli/token.hpp"

#include "daemon/access/errors.hpp"
#include "daemon/access/limits.hpp"
#include "daemon/access/token_file.hpp"
#include "daemon/access/token_use.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/token_place.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct token_arguments {
  std::string state_dir;
  std::string name, id;
  access::scopes may{true, false, false};
  access::reach within;
  std::optional<std::chrono::seconds> lives = limits::token_age;  // nothing: for ever
};

int said(const text::failure& failure) {
  if (failure.empty()) return 0;
  spool::notice(failure.text());
  return 1;
}

std::string day_of(access::time when) { return access::to_text(when).substr(0, 10); }

int create(const token_arguments& given, const std::string& file) {
  std::string text;
  const auto failure = access::change_token_file(file, [&](auto& all) -> text::failure {
    const auto made_at = time_now();
    const auto expires =
        given.lives ? std::optional{made_at + *given.lives} : std::optional<access::time>{};
    for (;;) {
      auto made = access::make_token(given.name, given.may, made_at, expires, given.within);
      const bool is_taken = std::any_of(
          all.begin(), all.end(), [&](const access::token& one) { return one.id == made.kept.id; });
      if (is_taken) continue;
      text = std::move(made.text);
      all.push_back(std::move(made.kept));
      return {};
    }
  });
  if (!failure.empty()) return said(failure);
  files::write_all(STDOUT_FILENO, text + "\n");
  const std::string runs =
      given.within.is_everything() ? "" : " runs of " + access::to_text(given.within);
  const std::string ends = given.lives ? "until " + day_of(time_now() + *given.lives) : "for ever";
  spool::notice("the token is shown only this once; it may " + to_string(given.may) + runs + ", " +
                ends + "; its hash is in " + file);
  return 0;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text + "  ";
}

int list(const token_arguments& /*given*/, const std::string& file) {
  const auto known = access::read_token_file(file);
  if (!known) return said(known.error());
  for (const std::string& refused : known->refused) spool::notice(refused);
  const access::token_uses uses = access::read_token_uses(access::use_file_of(file));
  for (const access::token& one : known->all) {
    const auto used = uses.find(one.id);
    const std::string last = used == uses.end() ? "never used" : "used " + minute_of(used->second);
    const std::string runs = one.within.is_everything() ? "" : access::to_text(one.within);
    files::write_all(STDOUT_FILENO, padded(one.id, 8) + padded(to_string(one.may), 15) +
                                        padded(state_of(one, time_now()), 23) + padded(last, 22) +
                                        one.name + (runs.empty() ? "" : "  (" + runs + ")") + "\n");
  }
  return 0;
}

int revoke(const token_arguments& given, const std::string& file) {
  // Who pastes the whole token means it, and has to revoke it all the more.
  const auto whole = access::parse_token_text(given.id);
  const std::string id = whole ? whole->id : given.id;
  return said(access::change_token_file(file, [&](auto& all) -> text::failure {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const access::token& one) { return one.id == id; });
    if (found == all.end()) return access::error::no_such_token;
    found->revoked = true;
    return {};
  }));
}

/// With the file of tokens; status 1 if there is no place for it.
std::function<int()> with_file(const std::shared_ptr<token_arguments>& given,
                               int (*act)(const token_arguments&, const std::string&)) {
  return [given, act] {
    const std::string file = token_file_for(given->state_dir);
    return file.empty() ? 1 : act(*given, file);
  };
}

std::string check_name(const std::string& name) {
  if (name.size() > limits::user_bytes) return "a token's name is too long";
  const bool is_text =
      std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  return is_text ? "" : "a token's name can't contain control characters";
}

void refuse_if(const text::failure& wrong) {
  if (!wrong.empty()) throw usage_error{wrong.text()};
}

}  // namespace

void add_token(command& line) {
  auto given = std::make_shared<token_arguments>();
  command& words = line.add_command(
      "token", "Create, list and revoke tokens for people and programs that use a daemon");
  command& created = words.add_command("create", "Create a token and print it once");
  created.add_option("--name", given->name, "Name of the token, shown in lists and logs")
      .value("NAME")
      .check(check_name);
  created
      .read_option(
          "--scope",
          [given](const std::string& list) {
            const auto read = access::parse_scopes(list);
            if (!read) throw usage_error{read.error().text()};
            given->may = *read;
          },
          "What the token allows: read (rows, pages, feed), ingest (send runs), raw (streams as "
          "printed); default: read")
      .value("LIST");
  created
      .read_option(
          "--expires",
          [given](const std::string& text) {
            if (text == "never") {
              given->lives.reset();
              return;
            }
            const auto read = access::parse_lifetime(text);
            if (!read) throw usage_error{read.error().text()};
            given->lives = *read;
          },
          "Lifetime, such as 90d, 12h or 30m, or never (default: 90d)")
      .value("TIME");
  created
      .read_options(
          "--stack",
          [given](const std::vector<std::string>& patterns) {
            for (const std::string& each : patterns) refuse_if(given->within.add_stack(each));
          },
          "Only runs of stacks that fit this pattern, to see and to send: * stands for any "
          "characters but /, and at the end for all that follows; may be repeated")
      .value("PATTERN")
      .one_each();
  created
      .read_options(
          "--label",
          [given](const std::vector<std::string>& labels) {
            for (const std::string& each : labels) refuse_if(given->within.add_label(each));
          },
          "Give this label to every run that is sent with the token, whatever its sender says, and "
          "show only runs that got it this way; may be repeated")
      .value("KEY=VALUE")
      .one_each();
  command& listed = words.add_command("ls", "List tokens, without their secrets");
  command& revoked = words.add_command("revoke", "Revoke a token and close its connections");
  revoked.add_option("ID", given->id, "Id of the token, as `tofud token ls` shows it").required();
  for (command* each : {&created, &listed, &revoked}) {
    add_state_dir(*each, given->state_dir);
  }
  words.footer(
      "For root, the default directory is that of the service, /var/lib/tofud, if it has run.");
  created.run = with_file(given, create);
  listed.run = with_file(given, list);
  revoked.run = with_file(given, revoke);
}

}  // namespace tofud::cli
