#include "protocol/config/lock_file.hpp"

#include "protocol/config/native_body.hpp"

#include <utility>

namespace tofud::config {
namespace {

/// What stands between the quotes of a text that is written without escapes.
std::string_view unquoted(std::string_view expression) {
  if (expression.size() < 2 || expression.front() != '"' || expression.back() != '"') return {};
  const std::string_view text = expression.substr(1, expression.size() - 2);
  return text.find_first_of("\"\\$%") == std::string_view::npos ? text : std::string_view{};
}

}  // namespace

std::vector<locked_provider> read_lock_file(std::string_view text) {
  std::vector<locked_provider> found;
  const native_file file = read_native(text);
  for (const native_block& each : file.body.blocks) {
    if (each.type != "provider" || each.labels.size() != 1) continue;
    locked_provider made;
    made.source = each.labels.front();
    for (const native_argument& argument : each.body.arguments) {
      if (argument.name == "version") made.version = unquoted(argument.expression);
    }
    if (!made.version.empty()) found.push_back(std::move(made));
  }
  return found;
}

}  // namespace tofud::config
