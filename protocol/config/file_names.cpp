#include "protocol/config/file_names.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace tofud::config {
namespace {

struct suffix {
  std::string_view text;
  file_syntax syntax;
  std::string_view hidden_by;
};

constexpr std::array<suffix, 4> suffixes{{
    {".tofu", file_syntax::native, {}},
    {".tofu.json", file_syntax::json, {}},
    {".tf", file_syntax::native, ".tofu"},
    {".tf.json", file_syntax::json, ".tofu.json"},
}};

const suffix* suffix_of(std::string_view name) {
  const auto found = std::find_if(suffixes.begin(), suffixes.end(),
                                  [&](const suffix& each) { return name.ends_with(each.text); });
  return found == suffixes.end() ? nullptr : found;
}

std::string_view base_of(std::string_view name) {
  const suffix* const end = suffix_of(name);
  return end == nullptr ? name : name.substr(0, name.size() - end->text.size());
}

}  // namespace

file_syntax syntax_of(std::string_view name) {
  if (name.starts_with(".") || name.ends_with("~")) return file_syntax::none;
  const suffix* const end = suffix_of(name);  // "#x.tf#" has none
  return end == nullptr ? file_syntax::none : end->syntax;
}

bool is_override(std::string_view name) {
  const std::string_view base = base_of(name);
  return base == "override" || base.ends_with("_override");
}

std::vector<std::string> module_files(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::string> chosen;
  for (const std::string& name : names) {
    if (syntax_of(name) == file_syntax::none) continue;
    const std::string_view hidden_by = suffix_of(name)->hidden_by;
    const std::string other = std::string{base_of(name)}.append(hidden_by);
    if (!hidden_by.empty() && std::binary_search(names.begin(), names.end(), other)) continue;
    chosen.push_back(name);
  }
  std::stable_partition(chosen.begin(), chosen.end(),
                        [](const std::string& name) { return !is_override(name); });
  return chosen;
}

}  // namespace tofud::config
