#include "protocol/upload/create_request.hpp"

#include "protocol/feed/limits.hpp"
#include "protocol/upload/errors.hpp"
#include "protocol/upload/limits.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace tofud::upload {
namespace {

using boost::json::object;

struct bad_field {
  text::failure why;
};

/// A text of at most `most` bytes; empty if it is not there or null.
std::string text_field(const object& from, std::string_view name, std::size_t most) {
  const auto* value = from.if_contains(name);
  if (value == nullptr || value->is_null()) return "";
  if (!value->is_string()) throw bad_field{{error::no_text, name}};
  const auto& text = value->get_string();
  if (text.size() > most) {
    throw bad_field{{error::too_long, name, most}};
  }
  return {text.data(), text.size()};
}

std::string needed_field(const object& from, std::string_view name) {
  std::string text = text_field(from, name, limits::given_word_bytes);
  if (text.empty()) throw bad_field{{error::missing, name}};
  return text;
}

std::vector<feed::label> labels_field(const object& from) {
  const auto* value = from.if_contains("labels");
  if (value == nullptr || value->is_null()) return {};
  if (!value->is_object()) throw bad_field{{error::bad_labels}};
  std::vector<feed::label> labels;
  for (const auto& [key, text] : value->get_object()) {
    if (!text.is_string()) throw bad_field{{error::bad_label, std::string_view{key}}};
    labels.push_back({std::string{key}, std::string{text.get_string()}});
  }
  auto checked = checked_labels(std::move(labels));
  if (!checked) throw bad_field{checked.error()};
  return *checked;
}

create_request read(const object& from) {
  create_request request;
  if (const std::string protocol = text_field(from, "protocol", limits::given_word_bytes);
      !protocol.empty() && !protocol.starts_with("1.")) {
    throw bad_field{{error::other_protocol, protocol}};
  }
  request.id = text_field(from, "id", limits::given_word_bytes);
  request.upload_id = needed_field(from, "upload_id");
  request.upload_secret = needed_field(from, "upload_secret");
  request.rules = needed_field(from, "rules");
  request.stack = text_field(from, "stack", limits::stack_bytes);
  request.labels = labels_field(from);
  if (const std::string word = text_field(from, "argv_command", limits::given_word_bytes);
      !word.empty()) {
    // A command that is not known here is none that has to be: init, import, …
    request.command = feed::parse_run_command(word).value_or(feed::run_command::other);
  }
  if (const auto* asks = from.if_contains("may_ask"); asks != nullptr && asks->is_bool()) {
    request.may_ask = asks->get_bool();
  }
  // What is no number of operations tells nothing.
  if (const auto* said = from.if_contains("parallelism"); said != nullptr && said->is_int64())
    request.parallelism = static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(said->get_int64(), 0, limits::parallelism));
  if (const std::string at = text_field(from, "started_at", limits::given_word_bytes);
      !at.empty()) {
    request.started_at = ui::parse_timestamp(at);
    if (!request.started_at) throw bad_field{{error::bad_time, at}};
  }
  return request;
}

}  // namespace

text::result<std::vector<feed::label>> checked_labels(std::vector<feed::label> labels) {
  std::vector<feed::label> kept;
  for (feed::label& label : labels) {
    if (label.key.empty()) return text::failure{error::unnamed_label};
    if (label.key.size() > limits::given_word_bytes ||
        label.value.size() > limits::given_word_bytes) {
      return text::failure{error::long_label, label.key.substr(0, 40), limits::given_word_bytes};
    }
    std::erase_if(kept, [&](const feed::label& one) { return one.key == label.key; });
    kept.push_back(std::move(label));
  }
  if (kept.size() > limits::labels) return text::failure{error::too_many_labels, limits::labels};
  return kept;
}

std::string to_json(const create_request& request) {
  object asks;
  asks["protocol"] = "1.0";
  asks["upload_id"] = request.upload_id;
  asks["upload_secret"] = request.upload_secret;
  asks["rules"] = request.rules;
  if (!request.id.empty()) asks["id"] = request.id;
  asks["stack"] = nullptr;
  if (!request.stack.empty()) asks["stack"] = request.stack;
  object labels;
  for (const feed::label& label : request.labels) labels[label.key] = label.value;
  asks["labels"] = std::move(labels);
  asks["argv_command"] = nullptr;
  if (request.command) asks["argv_command"] = feed::name(*request.command);
  asks["may_ask"] = request.may_ask;
  if (request.parallelism > 0) asks["parallelism"] = request.parallelism;
  asks["started_at"] = nullptr;
  if (request.started_at) {
    std::string at;
    ui::append_timestamp(at, *request.started_at);
    constexpr std::string_view no_fraction = ".000000Z";  // a whole second is written as one
    if (at.ends_with(no_fraction)) at.replace(at.size() - no_fraction.size(), at.npos, "Z");
    asks["started_at"] = at;
  }
  return boost::json::serialize(asks);
}

text::result<create_request> parse_create_request(std::string_view body) {
  boost::json::error_code failed;
  boost::json::parse_options strict;
  strict.max_depth = 8;
  const boost::json::value document =
      boost::json::parse(boost::json::string_view{body.data(), body.size()}, failed, {}, strict);
  if (failed) return text::failure{error::no_json, failed.message()};
  if (!document.is_object()) return text::failure{error::no_object};
  try {
    return read(document.get_object());
  } catch (const bad_field& bad) {
    return bad.why;
  }
}

}  // namespace tofud::upload
