#include "daemon/access/session_text.hpp"

#include "protocol/json/members.hpp"

#include <boost/json.hpp>

#include <array>
#include <utility>

namespace tofud::access {
namespace {

namespace js = boost::json;

constexpr std::array<std::string_view, 8> ways{"nobody",  "owner", "socket", "token",
                                               "session", "proxy", "issuer", "sender"};

constexpr std::string_view no_token = "00000000";

}  // namespace

std::string to_text(const told_session& one) {
  token as;
  as.id = one.by.token_id.empty() ? no_token : one.by.token_id;
  as.secret_hash = std::string(64, '0');  // no text has it
  as.name = one.by.who;
  as.may = one.by.may;
  if (one.by.within) as.within = *one.by.within;
  as.created_at = one.since;
  as.expires_at = one.by.ends_at;
  js::object made{{"v", 1},
                  {"how", ways[static_cast<std::size_t>(one.by.how)]},
                  {"who", js::parse(to_line(as))},
                  {"limited", one.by.within != nullptr},
                  {"ignores_case", one.by.within && !one.by.within->is_case_sensitive},
                  {"ticket", one.is_ticket}};
  if (const auto& said = one.by.verified)
    made["verified"] = js::object{{"issuer", said->issuer},
                                  {"subject", said->subject},
                                  {"repository", said->repository},
                                  {"ref", said->ref},
                                  {"actor", said->actor}};
  return js::serialize(made);
}

std::optional<told_session> parse_session(std::string_view text) {
  const auto from = json::object_in(text);
  const js::value* who = from ? from->if_contains("who") : nullptr;
  if (who == nullptr) return std::nullopt;
  const auto as = parse_token_line(js::serialize(*who));
  if (!as) return std::nullopt;
  const auto is_set = [&](const char* key) { return json::is_true_at(*from, key); };
  told_session read;
  read.since = as->created_at;
  read.is_ticket = is_set("ticket");
  read.by.who = as->name;
  if (as->id != no_token) read.by.token_id = as->id;
  read.by.may = as->may;
  read.by.ends_at = as->expires_at;
  if (is_set("limited")) {
    reach within = as->within;
    within.is_case_sensitive = !is_set("ignores_case");
    read.by.within = std::make_shared<const reach>(std::move(within));
  }
  const std::string how = json::text_at(*from, "how");
  std::size_t way = 0;
  while (way < ways.size() && ways[way] != how) ++way;
  if (way == ways.size()) return std::nullopt;
  read.by.how = static_cast<principal::known_by>(way);
  const js::value* verified = from->if_contains("verified");
  if (verified != nullptr && verified->is_object()) {
    const js::object& said = verified->get_object();
    read.by.verified = std::make_shared<const feed::verified_facts>(
        feed::verified_facts{json::text_at(said, "issuer"), json::text_at(said, "subject"),
                             json::text_at(said, "repository"), json::text_at(said, "ref"),
                             json::text_at(said, "actor")});
  }
  return read;
}

}  // namespace tofud::access
