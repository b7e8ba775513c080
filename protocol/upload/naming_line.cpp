#include "protocol/upload/naming_line.hpp"

#include "protocol/feed/limits.hpp"
#include "protocol/upload/errors.hpp"

#include <boost/json.hpp>

namespace tofud::upload {
text::result<std::optional<create_request>> parse_naming_line(std::string_view line) {
  constexpr std::string_view mark = R"("tofud")";
  const std::string_view head = line.substr(0, 64);
  const auto first = head.find_first_not_of(" \t{");
  if (!line.starts_with('{') || first == std::string_view::npos ||
      !head.substr(first).starts_with(mark)) {
    return std::nullopt;
  }
  boost::json::error_code failed;
  const boost::json::value document =
      boost::json::parse(boost::json::string_view{line.data(), line.size()}, failed);
  if (failed || !document.is_object()) return std::nullopt;
  const auto& object = document.get_object();
  const auto* named = object.if_contains("tofud");
  if (object.size() != 1 || named == nullptr) return std::nullopt;
  if (!named->is_object()) return text::failure{error::bad_naming_line};
  const auto& said = named->get_object();
  create_request request;
  const auto said_text = [&](std::string_view key) {
    const auto* value = said.if_contains(key);
    return value != nullptr && value->is_string() ? std::string{value->get_string()}
                                                  : std::string{};
  };
  request.stack = said_text("stack");
  if (request.stack.size() > limits::stack_bytes) return text::failure{error::long_stack};
  if (const std::string word = said_text("command"); !word.empty()) {
    request.command = feed::parse_run_command(word).value_or(feed::run_command::other);
  }
  if (const auto* labels = said.if_contains("labels"); labels != nullptr && labels->is_object()) {
    for (const auto& [key, value] : labels->get_object()) {
      if (!value.is_string()) return text::failure{error::bad_named_label, std::string_view{key}};
      request.labels.push_back({std::string{key}, std::string{value.get_string()}});
    }
  }
  auto checked = checked_labels(std::move(request.labels));
  if (!checked) return checked.error();
  request.labels = std::move(*checked);
  return std::optional{std::move(request)};
}

}  // namespace tofud::upload
