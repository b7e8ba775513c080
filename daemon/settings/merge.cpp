#include "daemon/settings/merge.hpp"

#include "daemon/archive/place.hpp"
#include "daemon/settings/file.hpp"
#include "daemon/settings/identity_providers.hpp"
#include "daemon/settings/notify_rules.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tofud::settings {
namespace {

std::size_t index_of(const option& of) { return static_cast<std::size_t>(&of - options().data()); }

void take_files(const std::vector<source_file>& files, merged& into) {
  for (const source_file& each : files) {
    file_content content = parse_file(each.path, each.text);
    for (const assignment& said : content.assigned)
      into.now.set(*said.of, said.to, {to_string(said.at)});
    auto& tables = into.now.values.tables;
    tables.insert(tables.end(), std::make_move_iterator(content.tables.begin()),
                  std::make_move_iterator(content.tables.end()));
    into.failures.insert(into.failures.end(), std::make_move_iterator(content.failures.begin()),
                         std::make_move_iterator(content.failures.end()));
  }
}

void take_text(const option& of, const std::vector<std::string>& texts, const std::string& where,
               merged& into) {
  const auto parsed = parse_value(of, texts, relative_paths::allowed);
  if (parsed) {
    into.now.set(of, *parsed, {where});
  } else {
    into.failures.push_back({where, std::string{of.key} + " " + parsed.error().why});
  }
}

void take_variables(const environment& variables, merged& into) {
  if (!variables) return;
  for (const option& each : options()) {
    const std::string name = variable_of(each);
    const auto text = variables(name.c_str());
    if (!text || text->empty()) continue;
    const bool is_list = each.type == option_type::list;
    take_text(each, is_list ? split_list(*text) : std::vector<std::string>{*text}, name, into);
  }
}

/// What is right alone and wrong together. `given` is where it is said, and `what` a sentence.
void check_together(merged& into) {
  const settings& now = into.now.values;
  const auto fail = [&into](const char* given, const char* what) {
    into.failures.push_back({into.now.origin_of(*find_option(given)).text, what});
  };
  if (now.tls.cert.empty() != now.tls.key.empty()) {
    fail(now.tls.cert.empty() ? "tls.key" : "tls.cert",
         "tls.cert and tls.key must both be set; both may name the same file");
  }
  auto providers = identity_providers_in(now);
  into.warnings = std::move(providers.warnings);
  for (failure& each : providers.failures) into.failures.push_back(std::move(each));
  for (failure& each : notify_rules_in(now).failures) into.failures.push_back(std::move(each));
  if (!now.proxy.allow_groups.empty() && now.proxy.groups_header.empty()) {
    fail("proxy.allow_groups",
         "proxy.allow_groups needs proxy.groups_header; without it no user has groups");
  }
  const bool has_nkey = !now.cluster.nkey.empty(), has_seed = !now.cluster.nkey_seed_file.empty();
  if (has_nkey != has_seed)
    fail(has_nkey ? "cluster.nkey" : "cluster.nkey_seed_file",
         "cluster.nkey and cluster.nkey_seed_file belong together");
  if (has_nkey && !now.cluster.credentials_file.empty())
    fail("cluster.nkey", "cluster.credentials_file has a key already; remove one of the two");
  if (now.cluster.cert_file.empty() != now.cluster.key_file.empty())
    fail(now.cluster.cert_file.empty() ? "cluster.key_file" : "cluster.cert_file",
         "cluster.cert_file and cluster.key_file belong together");
  const bool needs_credentials = archive::is_bucket(now.archive.to);
  if (needs_credentials && now.archive.credentials_file.empty())
    fail("archive.to", "an archive in a bucket needs archive.credentials_file");
  if (!needs_credentials && !now.archive.credentials_file.empty())
    fail("archive.credentials_file",
         "archive.credentials_file is for a bucket; archive.to has to name one, as in s3://BUCKET");
  if (!now.proxy.group_stacks.empty() && now.proxy.groups_header.empty()) {
    fail("proxy.group_stacks",
         "proxy.group_stacks needs proxy.groups_header; without it no user has groups");
  }
}

}  // namespace

effective::effective() : origins(options().size()) {}

void effective::set(const option& of, const value& to, origin from) {
  set_value(values, of, to);
  origins[index_of(of)] = std::move(from);
}

const origin& effective::origin_of(const option& of) const { return origins[index_of(of)]; }

merged merge(const sources& from) {
  merged made;
  take_files(from.files, made);
  take_variables(from.variables, made);
  for (const given_flag& each : from.flags) take_text(*each.of, each.texts, each.flag, made);
  if (made.failures.empty()) check_together(made);
  return made;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::size_t first = text.find_first_not_of(' ', begin);
    if (first < end) {
      const std::size_t last = text.find_last_not_of(' ', end - 1);
      values.push_back(text.substr(first, last + 1 - first));
    }
    begin = end + 1;
  }
  return values;
}

}  // namespace tofud::settings
