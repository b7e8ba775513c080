#include "daemon/journal/run_header.hpp"

#include "daemon/journal/errors.hpp"
#include "protocol/json/members.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <utility>

namespace tofud::journal {
namespace {

namespace json = boost::json;

/// Raised when a field means something else in a later version.
constexpr int version = 1;

json::value time_value(const std::optional<ui::time_point>& at) {
  if (!at) return nullptr;
  std::string text;
  ui::append_timestamp(text, *at);
  return json::string{text};
}

std::optional<ui::time_point> time_at(const json::object& object, const char* key) {
  return ui::parse_timestamp(tofud::json::text_at(object, key));
}

json::object object_of(const std::vector<feed::label>& labels) {
  json::object object;
  for (const auto& label : labels) object[label.key] = label.value;
  return object;
}

std::vector<feed::label> labels_at(const json::object& object, const char* key) {
  std::vector<feed::label> labels;
  const json::value* found = object.if_contains(key);
  if (found == nullptr || !found->is_object()) return labels;
  for (const auto& [name, each] : found->get_object()) {
    if (each.is_string()) labels.push_back({std::string{name}, std::string{each.get_string()}});
  }
  return labels;
}

json::object object_of(const feed::verified_facts& facts) {
  return {{"issuer", facts.issuer},
          {"subject", facts.subject},
          {"repository", facts.repository},
          {"ref", facts.ref},
          {"actor", facts.actor}};
}

std::shared_ptr<const feed::verified_facts> facts_at(const json::object& object, const char* key) {
  const json::value* found = object.if_contains(key);
  if (found == nullptr || !found->is_object()) return nullptr;
  const json::object& facts = found->get_object();
  return std::make_shared<const feed::verified_facts>(feed::verified_facts{
      tofud::json::text_at(facts, "issuer"), tofud::json::text_at(facts, "subject"),
      tofud::json::text_at(facts, "repository"), tofud::json::text_at(facts, "ref"),
      tofud::json::text_at(facts, "actor")});
}

using parsed = text::result<run_header>;

}  // namespace

const std::string& owner_of(const run_header& header) {
  return header.sent_as.empty() ? header.sender : header.sent_as;
}

bool is_granted(const run_header& header, std::string_view key) {
  return std::any_of(header.granted.begin(), header.granted.end(),
                     [&](const feed::label& each) { return each.key == key; });
}

std::vector<feed::label> labels_of(const run_header& header) {
  auto labels = header.labels;
  std::erase_if(labels, [&](const feed::label& each) { return is_granted(header, each.key); });
  labels.insert(labels.end(), header.granted.begin(), header.granted.end());
  return labels;
}

bool is_safe_id(std::string_view id) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.';
  };
  return !id.empty() && id.size() <= 64 && id.front() != '.' &&
         std::all_of(id.begin(), id.end(), fits);
}

std::string to_json(const run_header& header) {
  json::object object;
  object["version"] = version;
  object["id"] = header.id;
  object["upload_id"] = header.upload_id;
  object["secret_hash"] = header.secret_hash;
  object["rules"] = header.rules;
  object["redacted_by"] = header.redacted_by == redactor::daemon ? "daemon" : "forwarder";
  object["sender"] = header.sender;
  object["stack"] = header.stack;
  object["labels"] = object_of(header.labels);
  if (!header.granted.empty()) object["granted"] = object_of(header.granted);
  if (!header.sent_as.empty()) object["sent_as"] = header.sent_as;
  if (header.verified) object["verified"] = object_of(*header.verified);
  object["command"] = nullptr;
  if (header.command) object["command"] = json::string{feed::name(*header.command)};
  object["may_ask"] = header.may_ask;
  if (header.parallelism > 0) object["parallelism"] = header.parallelism;
  object["started_at"] = time_value(header.started_at);
  object["created_at"] = time_value(header.created_at);
  if (header.fold) {
    object["fold"] = json::object{{"provisioner_output", header.fold->provisioner_output},
                                  {"snippet_values", header.fold->snippet_values},
                                  {"base_path", header.fold->base_path}};
  }
  return json::serialize(object) + "\n";
}

parsed parse_header(std::string_view text) {
  const tofud::json::small_document document{text};
  if (document.object() == nullptr) return text::failure{error::header_no_object};
  const json::object& object = *document.object();
  const json::value* written = object.if_contains("version");
  if (written == nullptr || *written != json::value(version))
    return text::failure{error::header_of_another_version};
  run_header header;
  header.id = tofud::json::text_at(object, "id");
  if (!is_safe_id(header.id)) return text::failure{error::header_without_id};
  const auto created = time_at(object, "created_at");
  if (!created) return text::failure{error::header_without_creation};
  header.created_at = *created;
  header.upload_id = tofud::json::text_at(object, "upload_id");
  header.secret_hash = tofud::json::text_at(object, "secret_hash");
  header.rules = tofud::json::text_at(object, "rules");
  header.redacted_by = tofud::json::text_at(object, "redacted_by") == "daemon"
                           ? redactor::daemon
                           : redactor::forwarder;
  header.sender = tofud::json::text_at(object, "sender");
  header.stack = tofud::json::text_at(object, "stack");
  header.labels = labels_at(object, "labels");
  header.granted = labels_at(object, "granted");
  header.sent_as = tofud::json::text_at(object, "sent_as");
  header.verified = facts_at(object, "verified");
  header.command = feed::parse_run_command(tofud::json::text_at(object, "command"));
  const json::value* may_ask = object.if_contains("may_ask");
  header.may_ask = may_ask != nullptr && *may_ask == json::value(true);
  if (const json::value* said = object.if_contains("parallelism"); said && said->is_int64())
    header.parallelism = static_cast<std::uint64_t>(std::max<std::int64_t>(said->get_int64(), 0));
  header.started_at = time_at(object, "started_at");
  if (const json::value* fold = object.if_contains("fold"); fold && fold->is_object()) {
    const json::object& from = fold->get_object();
    const auto is_set = [&](const char* key) {
      const json::value* found = from.if_contains(key);
      return found == nullptr || *found != json::value(false);
    };
    header.fold = fold_parameters{is_set("provisioner_output"), is_set("snippet_values"),
                                  tofud::json::text_at(from, "base_path")};
  }
  return header;
}

}  // namespace tofud::journal
