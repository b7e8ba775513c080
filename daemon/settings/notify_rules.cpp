#include "daemon/settings/notify_rules.hpp"

#include "daemon/notify/errors.hpp"
#include "daemon/notify/limits.hpp"
#include "daemon/settings/table.hpp"
#include "daemon/settings/table_shapes.hpp"

#include <array>
#include <set>
#include <string>
#include <utility>

namespace tofud::settings {
namespace {

using notify::error;
using notify::target;

target target_of(const std::string& word) {
  for (const target each :
       {target::webhook, target::slack, target::teams, target::hcp, target::mail})
    if (notify::name(each) == word) return each;
  return target::command;
}

/// Empty, or what the rule lacks for its target.
text::failure lack_of(const notify::rule& of) {
  switch (of.where) {
    case target::webhook:
    case target::slack:
    case target::teams:
    case target::hcp:
      return of.url_file.empty() ? text::failure{error::no_url, of.name} : text::failure{};
    case target::mail:
      return of.to.empty() ? text::failure{error::no_recipient, of.name} : text::failure{};
    case target::command:
      return of.command.empty() ? text::failure{error::no_command, of.name} : text::failure{};
  }
  return {};
}

notify::rule told_in(const table& from) {
  notify::rule made;
  made.name = from.text("name");
  for (const std::string& each : from.list("on"))
    if (const auto known = notify::parse_occasion(each)) made.on.insert(*known);
  made.stacks = from.list("stacks");
  for (const std::string& each : from.list("labels"))
    if (auto read = feed::parse_label(each)) made.labels.push_back(std::move(*read));
  made.where = target_of(from.text("target"));
  made.url_file = from.text("url_file");
  made.secret_file = from.text("secret_file");
  made.ca_file = from.text("ca_file");
  made.to = from.list("to");
  made.from = from.has("from") ? from.text("from") : "tofud@localhost";
  made.command = from.text("command");
  if (made.where == target::mail && made.command.empty()) made.command = "/usr/sbin/sendmail";
  made.allow_private = from.yes("allow_private");
  return made;
}

}  // namespace

notify_rules notify_rules_in(const settings& from) {
  notify_rules made;
  std::set<std::string> names;
  for (const table& each : from.tables) {
    if (each.of->key != "notify") continue;
    auto rule = told_in(each);
    if (auto lack = lack_of(rule); !lack.empty())
      made.failures.push_back({to_string(each.at), lack.text()});
    if (!names.insert(rule.name).second)
      made.failures.push_back(
          {to_string(each.at), text::failure{error::same_name, rule.name}.text()});
    made.all.push_back(std::move(rule));
  }
  return made;
}

}  // namespace tofud::settings
