#include "daemon/cli/access.hpp"

#include "daemon/access/token_file.hpp"
#include "daemon/access/token_use.hpp"
#include "daemon/cli/config_sources.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/token_place.hpp"
#include "daemon/files/regular_file.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/oidc/issuers.hpp"
#include "daemon/oidc/limits.hpp"
#include "daemon/oidc/web_token.hpp"
#include "daemon/settings/identity_providers.hpp"
#include "daemon/spool/notice.hpp"
#include "protocol/text/ascii.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::cli {
namespace {

struct access_arguments {
  std::string state_dir, token, claims, config, stack;
};

/// Why runs of that stack are within reach or not.
std::pair<bool, std::string> reaches(const access::reach& within, const std::string& stack) {
  if (within.stacks.empty()) return {true, "it reaches every stack"};
  for (const std::string& each : within.stacks) {
    const access::reach one{{each}, {}, within.is_case_sensitive};
    if (one.holds(stack)) return {true, each + " matches this stack"};
  }
  return {false, "it reaches only " + access::to_text(within)};
}

std::string answer_for(const access::scopes& may, const access::reach& within, access::scope wanted,
                       const std::string& stack) {
  if (!may.has(wanted)) return "no   it has no scope " + std::string{access::name(wanted)};
  const auto [is_reached, why] = reaches(within, stack);
  if (!is_reached) return "no   " + why;
  if (within.labels.empty()) return "yes  " + why;
  if (wanted == access::scope::ingest)
    return "yes  " + why + "; the run gets " + access::to_text(within.labels);
  return "yes  " + why + ", but only runs that a token gave " + access::to_text(within.labels);
}

/// A line for each scope; `over` is why there is none, if there is none.
std::string answers_for(const access::scopes& may, const access::reach& within,
                        const std::string& over, const std::string& stack) {
  std::string text;
  for (const auto scope : {access::scope::read, access::scope::ingest, access::scope::raw}) {
    std::string name{access::name(scope)};
    name.resize(8, ' ');
    text += "  " + name + (over.empty() ? answer_for(may, within, scope, stack) : "no   " + over) +
            "\n";
  }
  return text;
}

std::string why_over(const access::token& one) {
  if (one.revoked) return "the token was revoked";
  return one.is_expired(time_now()) ? "the token has ended" : "";
}

/// The claims in a file, or in a token that it holds; nobody asks who has signed it.
text::result<oidc::claims> claims_in(const std::string& path) {
  auto text = files::read_regular_file(path, limits::web_token_bytes);
  if (!text) return text.error();
  const std::string_view whole = text::trimmed(*text, " \t\r\n");
  if (!oidc::looks_like_web_token(whole) || whole.starts_with('{')) return oidc::read_claims(whole);
  auto read = oidc::read_web_token(whole);
  if (!read) return read.error();
  return std::move(read->said);
}

int explain_claims(const access_arguments& given) {
  const auto now = understand(read_config(given.config, {}, spool::process_environment()));
  if (!now) return 2;
  const auto said = claims_in(given.claims);
  if (!said) {
    spool::notice(given.claims + ": " + said.error().text());
    return 1;
  }
  const auto providers = settings::identity_providers_in(now->values);
  std::string text;
  for (const std::string& each : oidc::explained(providers.all, *said)) text += each + "\n";
  if (text.empty()) {
    spool::notice("no [[oidc]] section is for the issuer of these claims");
    return 1;
  }
  // Whether it is over is not asked: who explains has an old one, or none.
  auto one = oidc::allowed_by(providers.all, *said, oidc::issued_at(*said));
  if (!one) {
    const auto login =
        oidc::allowed_by(providers.all, *said, oidc::issued_at(*said), oidc::comes_with::login);
    if (login) one = login;
  }
  if (one) {
    text += answers_for(one->by->may, one->within, "", given.stack);
  } else {
    text += answers_for({}, {}, one.error().text(), given.stack);
  }
  files::write_all(STDOUT_FILENO, text);
  return 0;
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
    text += answers_for(one.may, one.within, why_over(one), given.stack);
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
  option& token =
      explained.add_option("--token", given->token, "Name or id of a token of this daemon")
          .value("NAME");
  explained
      .add_option("--claims", given->claims,
                  "File with the claims of a token of an identity provider, as JSON, or with the "
                  "token: say which [[oidc.rules]] fit")
      .value("FILE")
      .excludes(token);
  explained
      .add_option("--config", given->config, "With --claims: read only this file ($TOFUD_CONFIG)")
      .value("FILE");
  explained.add_option("STACK", given->stack, "Name of the stack").required();
  add_state_dir(explained, given->state_dir);
  explained.run = [given] {
    if (!given->claims.empty()) return explain_claims(*given);
    if (!given->token.empty()) return explain(*given);
    spool::notice("--token NAME or --claims FILE is missing");
    return 2;
  };
}

}  // namespace tofud::cli
