#include "daemon/cli/access.hpp"

#include "daemon/access/token_file.hpp"
#include "daemon/access/token_use.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/token_place.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::cli {
namespace {

struct access_arguments {
  std::string state_dir, token, stack;
};

/// Why runs of that stack are within reach or not.
std::pair<bool, std::string> reaches(const access::token& one, const std::string& stack) {
  if (one.within.stacks.empty()) return {true, "it reaches every stack"};
  const auto pattern =
      std::find_if(one.within.stacks.begin(), one.within.stacks.end(),
                   [&](const std::string& each) { return access::fits(each, stack); });
  if (pattern != one.within.stacks.end()) return {true, *pattern + " matches this stack"};
  return {false, "it reaches only " + access::to_text(one.within)};
}

std::string answer_for(const access::token& one, access::scope wanted, const std::string& stack) {
  const auto now = time_now();
  if (one.revoked) return "no   the token was revoked";
  if (one.is_expired(now)) return "no   the token has ended";
  if (!one.may.has(wanted)) return "no   it has no scope " + std::string{access::name(wanted)};
  const auto [is_reached, why] = reaches(one, stack);
  if (!is_reached) return "no   " + why;
  if (one.within.labels.empty()) return "yes  " + why;
  if (wanted == access::scope::ingest)
    return "yes  " + why + "; the run gets " + access::to_text(one.within.labels);
  return "yes  " + why + ", but only runs that a token gave " + access::to_text(one.within.labels);
}

int explain(const access_arguments& given) {
  const std::string file = known_token_file(given.state_dir);
  if (file.empty()) {
    spool::notice("there are no tokens that this user may read; give the daemon's --state-dir");
    return 1;
  }
  const auto known = access::read_token_file(file);
  if (!known) {
    spool::notice(known.error().text());
    return 1;
  }
  const auto whole = access::parse_token_text(given.token);
  const std::string wanted = whole ? whole->id : given.token;
  const access::token_uses uses = access::read_token_uses(access::use_file_of(file));
  std::string text;
  for (const access::token& one : known->all) {
    if (one.id != wanted && (one.name.empty() || one.name != wanted)) continue;
    const auto used = uses.find(one.id);
    text += (one.name.empty() ? "token " + one.id : one.name + " (" + one.id + ")") + ", " +
            state_of(one, time_now()) + ", " +
            (used == uses.end() ? "never used" : "used " + minute_of(used->second)) + "\n";
    for (const auto scope : {access::scope::read, access::scope::ingest, access::scope::raw}) {
      std::string name{access::name(scope)};
      name.resize(8, ' ');
      text += "  " + name + answer_for(one, scope, given.stack) + "\n";
    }
  }
  if (text.empty()) {
    spool::notice("no token has that name or id; `tofud token ls` lists them");
    return 1;
  }
  files::write_all(STDOUT_FILENO, text);
  return 0;
}

}  // namespace

void add_access(command& line) {
  auto given = std::make_shared<access_arguments>();
  command& words = line.add_command("access", "Explain who may see and send what");
  command& explained =
      words.add_command("explain", "Say why a token may see and send runs of a stack, or may not");
  explained.add_option("--token", given->token, "Name or id of the token").value("NAME").required();
  explained.add_option("STACK", given->stack, "Name of the stack").required();
  add_state_dir(explained, given->state_dir);
  explained.run = [given] { return explain(*given); };
}

}  // namespace tofud::cli
