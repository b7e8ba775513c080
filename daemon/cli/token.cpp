#include "daemon/cli/token.hpp"

#include "daemon/access/errors.hpp"
#include "daemon/access/limits.hpp"
#include "daemon/access/token_file.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/files/acting_as.hpp"
#include "daemon/files/descriptor.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/spool_place.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct token_arguments {
  std::string state_dir;
  std::string name, id;
  access::scopes may{true, false, false};
  std::optional<std::chrono::seconds> lives;
};

access::time now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

/// Makes a directory that belongs to the owner of `directory`, if it is not there; false: errno.
bool make_in(const std::string& directory, const char* name) {
  const files::descriptor inside{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!inside) return false;
  const files::acting_as_owner acting{inside.get()};
  return acting.is_right() && (::mkdirat(inside.get(), name, 0700) == 0 || errno == EEXIST);
}

/// Where the package's service stores: StateDirectory= of systemd/tofud.service.
constexpr const char* state_of_service = "/var/lib/tofud";

/// Root, who names no directory, means the service of this machine if it has ever run.
bool means_service(const spool::environment& variable) {
  const auto is_set = [&](const char* name) { return !variable(name).value_or("").empty(); };
  return ::geteuid() == 0 && !is_set("TOFUD_STATE_DIR") && !is_set("STATE_DIRECTORY") &&
         ::access((std::string{state_of_service} + "/daemon").c_str(), F_OK) == 0;
}

/// As `tofud serve` finds it; made if need be. Empty: there is none, and that is said.
std::string file_in(std::string state_dir) {
  std::string failure;
  if (state_dir.empty() && means_service(spool::process_environment())) {
    state_dir = state_of_service;
  }
  for (const auto& candidate : spool::place_candidates(state_dir, spool::process_environment())) {
    const auto entered = spool::enter_place(candidate);
    if (entered.place) {
      const std::string directory = entered.place->directory + "/daemon";
      if (make_in(entered.place->directory, "daemon")) return access::token_file_in(directory);
      failure = directory + " can't be made: " + std::strerror(errno);
    } else {
      failure = candidate.directory + " " + entered.refusal;
    }
    if (!state_dir.empty()) break;
  }
  spool::notice("no directory is writable for tokens: " + failure);
  return "";
}

int said(const text::failure& failure) {
  if (failure.empty()) return 0;
  spool::notice(failure.text());
  return 1;
}

int create(const token_arguments& given, const std::string& file) {
  std::string text;
  const auto failure = access::change_token_file(file, [&](auto& all) -> text::failure {
    const auto made_at = now();
    const auto expires =
        given.lives ? std::optional{made_at + *given.lives} : std::optional<access::time>{};
    for (;;) {
      auto made = access::make_token(given.name, given.may, made_at, expires);
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
  spool::notice("the token is shown only this once; it may " + to_string(given.may) +
                "; its hash is in " + file);
  return 0;
}

std::string state_of(const access::token& one) {
  if (one.revoked) return "revoked";
  if (one.is_expired(now())) return "expired";
  return one.expires_at ? "until " + access::to_text(*one.expires_at).substr(0, 16) + "Z"
                        : "for ever";
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text + "  ";
}

int list(const token_arguments& /*given*/, const std::string& file) {
  const auto known = access::read_token_file(file);
  if (!known) return said(known.error());
  for (const std::string& refused : known->refused) spool::notice(refused);
  for (const access::token& one : known->all) {
    files::write_all(STDOUT_FILENO, padded(one.id, 8) + padded(to_string(one.may), 15) +
                                        padded(state_of(one), 23) + one.name + "\n");
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
    const std::string file = file_in(given->state_dir);
    return file.empty() ? 1 : act(*given, file);
  };
}

std::string check_name(const std::string& name) {
  if (name.size() > limits::user_bytes) return "a token's name is too long";
  const bool is_text =
      std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  return is_text ? "" : "a token's name can't contain control characters";
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
            const auto read = access::parse_lifetime(text);
            if (!read) throw usage_error{read.error().text()};
            given->lives = *read;
          },
          "Lifetime, such as 90d, 12h or 30m (default: no end)")
      .value("TIME");
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
