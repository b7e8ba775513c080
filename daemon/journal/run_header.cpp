#include "daemon/journal/run_header.hpp"

#include "daemon/journal/errors.hpp"
#include "protocol/json/members.hpp"

#include <boost/json/parse.hpp>
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

using parsed = text::result<run_header>;

}  // namespace

bool is_safe_id(std::string_view id) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.';
  };
  return !id.empty() && id.size() <= 64 && id.front() != '.' &&
         std::all_of(id.begin(), id.end(), fits);
}

std::string to_json(const run_header& header) {
  json::object labels;
  for (const auto& label : header.labels) labels[label.key] = label.value;
  json::object object;
  object["version"] = version;
  object["id"] = header.id;
  object["upload_id"] = header.upload_id;
  object["secret_hash"] = header.secret_hash;
  object["rules"] = header.rules;
  object["redacted_by"] = header.redacted_by == redactor::daemon ? "daemon" : "forwarder";
  object["sender"] = header.sender;
  object["stack"] = header.stack;
  object["labels"] = std::move(labels);
  object["command"] = nullptr;
  if (header.command) object["command"] = json::string{feed::name(*header.command)};
  object["may_ask"] = header.may_ask;
  if (header.parallelism > 0) object["parallelism"] = header.parallelism;
  object["started_at"] = time_value(header.started_at);
  object["created_at"] = time_value(header.created_at);
  return json::serialize(object) + "\n";
}

parsed parse_header(std::string_view text) {
  json::error_code failed;
  const json::value value = json::parse(json::string_view{text.data(), text.size()}, failed);
  if (failed || !value.is_object()) return text::failure{error::header_no_object};
  const json::object& object = value.get_object();
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
  if (const json::value* labels = object.if_contains("labels"); labels && labels->is_object()) {
    for (const auto& [key, each] : labels->get_object()) {
      if (each.is_string())
        header.labels.push_back({std::string{key}, std::string{each.get_string()}});
    }
  }
  header.command = feed::parse_run_command(tofud::json::text_at(object, "command"));
  const json::value* may_ask = object.if_contains("may_ask");
  header.may_ask = may_ask != nullptr && *may_ask == json::value(true);
  if (const json::value* said = object.if_contains("parallelism"); said && said->is_int64())
    header.parallelism = static_cast<std::uint64_t>(std::max<std::int64_t>(said->get_int64(), 0));
  header.started_at = time_at(object, "started_at");
  return header;
}

}  // namespace tofud::journal
