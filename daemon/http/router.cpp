#include "daemon/http/router.hpp"

#include "daemon/http/whole_body.hpp"
#include "daemon/net/limits.hpp"
#include "protocol/text/percent.hpp"

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
    const auto given = text::percent_decoded(next_segment(path));
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
  answer_now("GET", std::move(pattern), std::move(handler));
}

void router::answer_now(std::string method, std::string pattern, answer handler) {
  routes_.push_back({std::move(method), std::move(pattern), std::move(handler), 0});
}

void router::get_stream(std::string pattern, stream handler) {
  routes_.push_back({"GET", std::move(pattern), std::move(handler), 0});
}

void router::answer_later(std::string method, std::string pattern, later handler) {
  routes_.push_back({std::move(method), std::move(pattern), std::move(handler), 0});
}

void router::take(std::string method, std::string pattern, body_rules rules, body_opener open) {
  routes_.push_back({std::move(method), std::move(pattern), body{rules, std::move(open)}, 0});
}

void router::take_whole(std::string method, std::string pattern, std::size_t most_bytes,
                        whole handler) {
  const body_rules rules{most_bytes, body_stalled_after_, limits::body_time};
  take(std::move(method), std::move(pattern), rules, whole_body_opener(std::move(handler)));
}

void router::before(std::function<bool(const request&, when_ready)> prepare) {
  prepare_ = std::move(prepare);
}

router::found router::find(request& asked) {
  if (asked.path.empty()) return {};
  route* chosen = nullptr;
  std::vector<std::string> captures;
  std::vector<std::string_view> methods;
  for (route& one : routes_) {
    if (!matches(one.pattern, asked.path, captures)) continue;
    methods.push_back(one.method);
    const bool exact = one.method == asked.method;
    const bool stands_in = asked.is_head() && one.method == "GET";
    if (!exact && !stands_in) continue;
    // A HEAD route of the path's own comes before the GET route that would stand in for it.
    if (chosen != nullptr && (chosen->method == asked.method || stands_in)) continue;
    chosen = &one;
    asked.captures = captures;
  }
  if (chosen != nullptr) {
    ++chosen->requests;
    return {&chosen->by, {}};
  }
  asked.captures.clear();
  if (std::find(methods.begin(), methods.end(), "GET") != methods.end()) methods.push_back("HEAD");
  std::sort(methods.begin(), methods.end());
  methods.erase(std::unique(methods.begin(), methods.end()), methods.end());
  found nothing;
  for (const auto method : methods) {
    if (!nothing.allow.empty()) nothing.allow += ", ";
    nothing.allow += method;
  }
  return nothing;
}

std::vector<router::counted_route> router::counted() const {
  std::vector<counted_route> all;
  all.reserve(routes_.size());
  for (const route& one : routes_) all.push_back({one.method, one.pattern, one.requests});
  return all;
}

}  // namespace tofud::http
