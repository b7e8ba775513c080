#include "daemon/settings/table_shapes.hpp"

#include "daemon/settings/checks.hpp"
#include "daemon/settings/table.hpp"

#include <algorithm>

namespace tofud::settings {
namespace {

std::string_view last_part(std::string_view key) {
  const auto dot = key.rfind('.');
  return dot == key.npos ? key : key.substr(dot + 1);
}

option field(std::string_view key, option_type type, std::string_view shape, std::string_view help,
             std::string (*check)(const std::string&) = nullptr) {
  return {.key = key,
          .type = type,
          .shape = shape,
          .help = help,
          .effect = takes_effect::on_reload,
          .check = check};
}

std::vector<table_shape> make_shapes() {
  using type = option_type;
  option ca_file = field("oidc.ca_file", type::path, "FILE",
                         "Authorities, in PEM format, that the provider's certificate is verified "
                         "by; nothing: those of the system.");
  ca_file.words = {""};
  table_shape rules{
      "oidc.rules",
      "What a token of that provider allows. The first rule whose claims all fit is taken; without "
      "one that fits the token is refused.",
      {{field("oidc.rules.claims", type::list, "CLAIM=PATTERN",
              "What claims of the token have to be; * stands for any characters but /, at the end "
              "for all that follows. One of them has to say whose the token is.",
              check_claim_pattern),
        true, R"(["repository=acme/*", "ref=refs/heads/main"])"},
       {field("oidc.rules.scopes", type::text, "SCOPES",
              "What the token allows: read, ingest and raw, separated by commas.", check_scopes),
        true, R"("ingest")"},
       {field("oidc.rules.stacks", type::list, "PATTERN",
              "The stacks for which it allows that; the name of a claim in braces stands for its "
              "value, and \"*\" for every stack.",
              check_stack_template),
        true, R"(["github.com/{repository}//*"])"},
       {field("oidc.rules.labels", type::list, "KEY=VALUE",
              "Labels that runs sent with such a token get. Who reads with one sees only runs that "
              "have them.",
              check_label),
        false, R"(["team=net"])"}},
      {}};
  return {{"oidc",
           "An identity provider whose tokens the daemon takes, beside its own: of jobs in "
           "continuous integration above all, which need no stored secret then.",
           {{field("oidc.issuer", type::text, "URL",
                   "The issuer as it stands in its tokens; its keys are found from there "
                   "(OpenID Connect Discovery).",
                   check_issuer),
             true, R"("https://token.actions.githubusercontent.com")"},
            {field("oidc.audience", type::text, "TEXT",
                   "Whom its tokens have to be for; tofud asks GitHub for tokens for the address of "
                   "the daemon, such as https://tofud.example.com.",
                   check_word),
             true, R"("https://tofud.example.com")"},
            {field("oidc.algorithms", type::list, "NAME",
                   "Algorithms that its tokens may be signed with; nothing: RS256 and ES256.",
                   check_algorithm),
             false, R"(["RS256"])"},
            {std::move(ca_file), false, R"("/etc/ssl/certs/internal.pem")"}},
           {std::move(rules)}}};
}

}  // namespace

const std::vector<table_shape>& table_shapes() {
  static const std::vector<table_shape> all = make_shapes();
  return all;
}

std::string_view name_of(const table_shape& of) { return last_part(of.key); }

std::string_view field_name(const option& of) { return last_part(of.key); }

const table_shape* find_shape(const std::vector<table_shape>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const table_shape& each) { return name_of(each) == name; });
  return found == all.end() ? nullptr : &*found;
}

const value* table::find(std::string_view name) const {
  for (const auto& [of, given] : values)
    if (field_name(*of) == name) return &given;
  return nullptr;
}

const std::string& table::text(std::string_view name) const {
  static const std::string none;
  const value* given = find(name);
  return given == nullptr ? none : std::get<std::string>(*given);
}

const std::vector<std::string>& table::list(std::string_view name) const {
  static const std::vector<std::string> none;
  const value* given = find(name);
  return given == nullptr ? none : std::get<std::vector<std::string>>(*given);
}

bool table::yes(std::string_view name) const {
  const value* given = find(name);
  return given != nullptr && std::get<bool>(*given);
}

std::vector<const table*> table::tables(std::string_view name) const {
  std::vector<const table*> all;
  for (const table& each : within)
    if (name_of(*each.of) == name) all.push_back(&each);
  return all;
}

}  // namespace tofud::settings
