#include "protocol/attachments/config_facts.hpp"

#include "protocol/attachments/errors.hpp"
#include "protocol/config/limits.hpp"
#include "protocol/json/document.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/ui/resource_address.hpp"

#include <algorithm>
#include <utility>

namespace tofud::attachments {
namespace {

using json::kind;
using json::value;

constexpr std::string_view format = "tofud.config.v2", format_before = "tofud.config.v1";

std::uint32_t number(value from) {
  const auto read = from.integer().value_or(0);
  return read > 0 && read <= UINT32_MAX ? static_cast<std::uint32_t>(read) : 0;
}

// What `annotate` does not take is passed over: it comes from others, and the page makes links of
// it.
config::annotation read_annotations(value from) {
  config::annotation said;
  for (const std::string_view key : {"owner", "runbook"}) {
    if (const auto text = from[key].string()) config::annotate(said, key, *text);
  }
  const std::chrono::seconds expect{number(from["expect_s"])};
  if (expect.count() > 0 && expect <= limits::expected_longest) said.expect = expect;
  return said;
}

/// Nothing, or what is wrong with it.
std::optional<config_error> read_block(value from, std::string& address, declared_block& into) {
  const auto text = [&](std::string_view name) { return from[name].string(); };
  if (!text("address")) return config_error::no_address;
  if (!text("file")) return config_error::no_file;
  address = *text("address");
  into.file = *text("file");
  into.line = number(from["line"]);
  into.column = number(from["column"]);
  if (into.line == 0) return config_error::no_line;
  const value first = from["create_before_destroy"];
  if (first.is(kind::boolean_true) || first.is(kind::boolean_false))
    into.create_before_destroy = first.is(kind::boolean_true);
  for (const value each : from["provisioners"]) {
    config::provisioner made;
    made.type = each["type"].string().value_or("");
    if (each["when"].string() == "destroy") made.when = config::provision_time::destroy;
    if (each["on_failure"].string() == "continue") made.failing = config::on_failure::go_on;
    into.provisioners.push_back(std::move(made));
  }
  for (const value each : from["references"]) {
    into.references.push_back({std::string{each["argument"].string().value_or("")},
                               std::string{each["target"].string().value_or("")}});
  }
  into.provider = from["provider"].string().value_or("");
  for (const value each : from["providers"]) {
    into.providers.push_back({std::string{each["name"].string().value_or("")},
                              std::string{each["is"].string().value_or("")}});
  }
  into.said = read_annotations(from["annotations"]);
  return std::nullopt;
}

void append_text(std::string& out, std::string_view name, std::string_view text) {
  out.append("\"").append(name).append("\":");
  json::append_quoted(out, text);
}

void append_provisioner(std::string& out, const config::provisioner& from) {
  out.push_back('{');
  append_text(out, "type", from.type);
  out.append(from.when == config::provision_time::create ? R"(,"when":"create")"
                                                         : R"(,"when":"destroy")");
  if (from.failing == config::on_failure::go_on) out.append(R"(,"on_failure":"continue")");
  out.push_back('}');
}

template <typename Each, typename Append>
void append_list(std::string& out, std::string_view name, const std::vector<Each>& all,
                 const Append& append) {
  if (all.empty()) return;
  out.append(",\"").append(name).append("\":[");
  for (const Each& each : all) {
    if (out.back() != '[') out.push_back(',');
    append(out, each);
  }
  out.push_back(']');
}

void append_annotations(std::string& out, const config::annotation& said) {
  if (said.empty()) return;
  std::string members;
  const auto add = [&](std::string_view name, std::string_view text) {
    if (text.empty()) return;
    if (!members.empty()) members.push_back(',');
    append_text(members, name, text);
  };
  add("owner", said.owner);
  add("runbook", said.runbook);
  if (said.expect) {
    members.append(members.empty() ? "" : ",").append("\"expect_s\":");
    members.append(std::to_string(said.expect->count()));
  }
  out.append(R"(,"annotations":{)").append(members).push_back('}');
}

void append_block(std::string& out, const std::string& address, const config::block& from) {
  out.push_back('{');
  append_text(out, "address", address);
  out.push_back(',');
  append_text(out, "file", from.at.file);
  out.append(",\"line\":").append(std::to_string(from.at.at.line));
  out.append(",\"column\":").append(std::to_string(from.at.at.column));
  append_annotations(out, from.said);
  if (from.create_before_destroy)
    out.append(*from.create_before_destroy ? R"(,"create_before_destroy":true)"
                                           : R"(,"create_before_destroy":false)");
  append_list(out, "provisioners", from.provisioners, append_provisioner);
  if (!from.provider.empty()) {
    out.push_back(',');
    append_text(out, "provider", from.provider);
  }
  append_list(out, "providers", from.providers, [](std::string& to, const auto& each) {
    to.push_back('{');
    append_text(to, "name", each.name);
    to.push_back(',');
    append_text(to, "is", each.is);
    to.push_back('}');
  });
  append_list(out, "references", from.references, [](std::string& to, const auto& each) {
    to.push_back('{');
    append_text(to, "argument", each.argument);
    to.push_back(',');
    append_text(to, "target", each.target);
    to.push_back('}');
  });
  out.push_back('}');
}

}  // namespace

std::uint32_t declared_block::provisioners_at(config::provision_time when) const {
  return static_cast<std::uint32_t>(
      std::count_if(provisioners.begin(), provisioners.end(),
                    [&](const config::provisioner& each) { return each.when == when; }));
}

text::result<config_facts> config_facts::read(std::string_view json) {
  json::document_parser parser{json::keep_everything};
  while (json.ends_with('\n')) json.remove_suffix(1);
  if (const auto wrong = parser.parse(json))
    return text::failure{config_error::no_document, json::describe(*wrong)};
  const value root = parser.root();
  const auto written = root["format"].string();
  if (written != format && written != format_before)
    return text::failure{config_error::other_format, format};
  if (!root["blocks"].is(kind::array)) return text::failure{config_error::no_blocks};
  config_facts made;
  made.has_order_ = written == format;
  std::size_t i = 0;
  for (const value each : root["blocks"]) {
    std::string address;
    declared_block block;
    if (const auto wrong = read_block(each, address, block)) return text::failure{*wrong, i};
    made.blocks_.insert_or_assign(std::move(address), std::move(block));
    ++i;
  }
  for (const value each : root["providers"]) {
    const auto source = each["source"].string(), version = each["version"].string();
    if (source && version) made.providers_.push_back({std::string{*source}, std::string{*version}});
  }
  return made;
}

const config::locked_provider* config_facts::provider(std::string_view name) const {
  const config::locked_provider* found = nullptr;
  for (const config::locked_provider& each : providers_) {
    const std::string_view source = each.source;
    if (source.substr(source.rfind('/') + 1) != name) continue;
    if (found != nullptr) return nullptr;
    found = &each;
  }
  return found;
}

const declared_block* config_facts::find(std::string_view address) const {
  const auto names = ui::without_keys(address);
  if (!names) return nullptr;
  const auto found = blocks_.find(*names);
  return found == blocks_.end() ? nullptr : &found->second;
}

feed::annotations config_facts::annotated(std::string_view address) const {
  feed::annotations found;
  const auto names = ui::without_keys(address);
  if (!names) return found;
  const auto take = [&](std::string_view of) {
    const auto block = blocks_.find(of);
    if (block == blocks_.end()) return;
    const config::annotation& said = block->second.said;
    if (found.owner.empty()) found.owner = said.owner;
    if (found.runbook.empty()) found.runbook = said.runbook;
    if (!found.expect) found.expect = said.expect;
  };
  take(*names);
  // "module.a.module.b" of "module.a.module.b.aws_vpc.main", then "module.a".
  std::string_view module = *names;
  module = module.substr(0, config::module_size(module));
  while (!module.empty()) {
    module.remove_suffix(1);
    take(module);
    module = module.substr(0, module.rfind("module."));
  }
  return found;
}

std::string to_json(const config::configuration& from, order_told order) {
  std::string made = "{";
  append_text(made, "format", order == order_told::yes ? format : format_before);
  made.append(",\"blocks\":[");
  bool first = true;
  for (const auto& [path, module] : from.modules) {
    for (const auto& [name, block] : module->blocks) {
      made.append(first ? "\n" : ",\n");
      first = false;
      std::string address = path;
      if (!address.empty()) address.push_back('.');
      append_block(made, address.append(name), block);
    }
  }
  made.append("\n]");
  append_list(made, "providers", from.providers, [](std::string& to, const auto& each) {
    to.push_back('{');
    append_text(to, "source", each.source);
    to.push_back(',');
    append_text(to, "version", each.version);
    to.push_back('}');
  });
  return made.append("}\n");
}

}  // namespace tofud::attachments
