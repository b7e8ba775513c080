#include "daemon/http/router.hpp"

#include "protocol/feed/percent.hpp"

#include <algorithm>
#include <utility>

namespace tofud::http {
namespace {

/// Takes the next segment off `path`, which starts with `/`.
std::string_view next_segment(std::string_view& path) {
  path.remove_prefix(1);
  const auto segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

bool matches(std::string_view pattern, std::string_view path, std::vector<std::string>& captures) {
  captures.clear();
  while (!pattern.empty() && !path.empty()) {
    const auto wanted = next_segment(pattern);
    const auto given = feed::percent_decoded(next_segment(path));
    if (!given) return false;
    if (wanted == "*" && !given->empty()) {
      captures.push_back(*given);
    } else if (wanted != *given) {
      return false;
    }
  }
  return pattern.empty() && path.empty();
}

}  // namespace

void router::get(std::string pattern, answer handler) {
  routes_.push_back({std::move(pattern), std::move(handler), nullptr});
}

void router::get_stream(std::string pattern, stream handler) {
  routes_.push_back({std::move(pattern), nullptr, std::move(handler)});
}

router::found router::find(request& asked) const {
  if (asked.path.empty()) return {};
  for (const auto& one : routes_) {
    if (!matches(one.pattern, asked.path, asked.captures)) continue;
    return {one.plain ? &one.plain : nullptr, one.streaming ? &one.streaming : nullptr};
  }
  return {};
}

}  // namespace tofud::http
