#include "protocol/diagnostics/consolidated.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tofud::diagnostics {
namespace {

constexpr std::string_view warning = "warning";
constexpr std::string_view of_check = "Check block assertion failed";

bool stands_before(const feed::diagnostic_row& left, const feed::diagnostic_row& right) {
  if (left.severity != right.severity) return left.severity == warning;
  if (left.range.has_value() != right.range.has_value()) return !left.range;
  if (!left.range) return false;
  const auto& [left_file, left_start, left_end] = *left.range;
  const auto& [right_file, right_start, right_end] = *right.range;
  if (left_file != right_file) {
    const auto depth = [](const std::string& path) {
      return std::count(path.begin(), path.end(), '/');
    };
    const auto left_depth = depth(left_file);
    const auto right_depth = depth(right_file);
    return left_depth != right_depth ? left_depth < right_depth : left_file < right_file;
  }
  if (left_start.byte != right_start.byte) return left_start.byte < right_start.byte;
  return left_end.byte < right_end.byte;
}

}  // namespace

std::vector<feed::diagnostic_row> consolidated(std::vector<feed::diagnostic_row> diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(), stands_before);
  std::vector<feed::diagnostic_row> kept;
  struct group {
    std::size_t first = 0;  // in `kept`
    std::size_t more = 0;
  };
  std::unordered_map<std::string, group> groups;
  for (feed::diagnostic_row& each : diagnostics) {
    const bool joins = each.severity == warning && each.range && each.summary != of_check;
    if (joins) {
      const auto [found, is_first] = groups.try_emplace(each.summary, group{kept.size(), 0});
      if (!is_first) {
        ++found->second.more;
        continue;
      }
    }
    kept.push_back(std::move(each));
  }
  for (const auto& [summary, found] : groups) {
    if (found.more == 0) continue;
    std::string& detail = kept[found.first].detail;
    if (!detail.empty()) detail += "\n\n";
    detail += found.more == 1
                  ? "(and one more similar warning elsewhere)"
                  : "(and " + std::to_string(found.more) + " more similar warnings elsewhere)";
  }
  return kept;
}

}  // namespace tofud::diagnostics
