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

table_shape oidc_shape() {
  using type = option_type;
  option ca_file = field("oidc.ca_file", type::path, "FILE",
                         "Authorities, in PEM format, that the provider's certificate is verified "
                         "by; nothing: those of the system.");
  ca_file.words = {""};
  option secret_file = field("oidc.client_secret_file", type::path, "FILE",
                             "File with the client's secret in its first line; nothing: a public "
                             "client.");
  secret_file.words = {""};
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
  return {
      "oidc",
      "An identity provider whose tokens the daemon takes, beside its own: of jobs in "
      "continuous integration above all, which need no stored secret then.",
      {{field("oidc.issuer", type::text, "URL",
              "The issuer as it stands in its tokens; its keys are found from there "
              "(OpenID Connect Discovery).",
              check_issuer),
        true, R"("https://token.actions.githubusercontent.com")"},
       {field("oidc.audience", type::text, "TEXT",
              "The audience that its tokens have to name; tofud asks GitHub for one for the "
              "address of "
              "the daemon, such as https://tofud.example.com. Nothing: no tokens of jobs are "
              "taken.",
              check_word),
        false, R"("https://tofud.example.com")"},
       {field("oidc.algorithms", type::list, "NAME",
              "Algorithms that its tokens may be signed with; nothing: RS256 and ES256.",
              check_algorithm),
        false, R"(["RS256"])"},
       {field("oidc.client_id", type::text, "ID",
              "By which people log in at the provider, on the page to log in; its redirect URI "
              "is the daemon's address and v1/session/oidc/callback.",
              check_word),
        false, R"("tofud")"},
       {std::move(secret_file), false, R"("/etc/tofud/client-secret")"},
       {field("oidc.name", type::text, "TEXT",
              "What the page to log in calls the provider; nothing: its host.", check_word),
        false, R"("Company account")"},
       {field("oidc.login_scopes", type::text, "SCOPES",
              "What the provider is asked for at a login, openid among it.", check_login_scopes),
        false, R"("openid profile email groups")"},
       {std::move(ca_file), false, R"("/etc/ssl/certs/internal.pem")"}},
      {std::move(rules)}};
}

table_shape notify_shape() {
  using type = option_type;
  const auto file = [](std::string_view key, std::string_view help) {
    option made = field(key, type::path, "FILE", help);
    made.words = {""};
    return made;
  };
  option target =
      field("notify.target", type::text, "KIND",
            "Where it is sent: webhook (CloudEvents, signed as Standard Webhooks), slack "
            "(an incoming webhook), teams (a workflow), hcp (a receiver of HCP "
            "Terraform's notifications), mail, or command.");
  target.words = {"webhook", "slack", "teams", "hcp", "mail", "command"};
  return {
      "notify",
      "A rule that notifies somebody of something, within seconds. A notification is stored on "
      "disk until it was delivered.",
      {{field("notify.name", type::text, "NAME", "Name of the rule, of which there is one.",
              check_word),
        true, R"("net-oncall")"},
       {field("notify.on", type::list, "OCCASION",
              "Of what: failed, recovered (a success after a failure), lost (no contact with the "
              "run), waiting (for an approval, since half an hour), overrun (it takes more than "
              "twice "
              "as long as usual), drift, destroy (a plan destroys something).",
              check_occasion),
        true, R"(["failed", "recovered", "lost"])"},
       {field(
            "notify.stacks", type::list, "PATTERN",
            "Of which stacks; * stands for any characters but /, at the end for all that follows. "
            "Nothing: of all.",
            check_stack_pattern),
        false, R"(["net/*"])"},
       {field("notify.labels", type::list, "KEY=VALUE",
              "Only of runs that have all these labels, also claimed ones.", check_label),
        false, R"(["env=prod"])"},
       {std::move(target), true, R"("webhook")"},
       {file("notify.url_file",
             "File with the address (https) that it is sent to, in its first line."),
        false, R"("/etc/tofud/net-oncall.url")"},
       {file(
            "notify.secret_file",
            "File with the secret that messages of a webhook or hcp are signed with; nothing: they "
            "are not."),
        false, R"("/etc/tofud/net-oncall.secret")"},
       {file("notify.ca_file",
             "Authorities, in PEM format, that the target's certificate is verified by; nothing: "
             "those of the system."),
        false, R"("/etc/ssl/certs/internal.pem")"},
       {field("notify.allow_private", type::boolean, "YES",
              "The target may have an address of this machine or of a private network."),
        false, "false"},
       {field("notify.to", type::list, "ADDRESS", "Of mail: who gets it.", check_mail_address),
        false, R"(["net-oncall@example.com"])"},
       {field("notify.from", type::text, "ADDRESS", "Of mail: who sends it.", check_mail_address),
        false, R"("tofud@example.com")"},
       {file("notify.command",
             "Of a command: the program, which gets the CloudEvent on its standard input. Of mail: "
             "what takes it as sendmail does; nothing: /usr/sbin/sendmail."),
        false, R"("/usr/local/bin/tell")"}},
      {}};
}

std::vector<table_shape> make_shapes() { return {oidc_shape(), notify_shape()}; }

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
