#include "protocol/diff/attribute_paths.hpp"

#include <algorithm>
#include <string>

namespace tofud::diff {

attribute_paths attribute_paths::of(const std::vector<json::value>& arrays) {
  auto all = std::make_shared<std::vector<path>>();
  for (const json::value each : arrays) {
    if (!each.is(json::kind::array)) continue;
    path& steps = all->emplace_back();
    for (const json::value step : each) steps.push_back(step);
  }
  attribute_paths made;
  for (const path& each : *all) made.at_.push_back({&each, 0});
  made.all_ = std::move(all);
  return made;
}

attribute_paths attribute_paths::everywhere() {
  attribute_paths made;
  made.everywhere_ = true;
  return made;
}

bool attribute_paths::end_here() const {
  return std::any_of(at_.begin(), at_.end(),
                     [](const position& each) { return each.step == each.of->size(); });
}

template <class Fits>
attribute_paths attribute_paths::next(Fits fits) const {
  attribute_paths found;
  found.everywhere_ = everywhere_;
  for (const position& each : at_) {
    // One that ended stays, one step beyond its end: it no longer ends here.
    const bool over = each.step >= each.of->size();
    if (over || fits((*each.of)[each.step])) found.at_.push_back({each.of, each.step + 1});
  }
  if (!found.at_.empty()) found.all_ = all_;
  return found;
}

attribute_paths attribute_paths::child(std::string_view key) const {
  return next([key](json::value step) { return step.string() == key; });
}

attribute_paths attribute_paths::child(std::size_t index) const {
  const std::string digits = std::to_string(index);
  return next([&digits](json::value step) {
    return (step.is(json::kind::number) || step.is(json::kind::string)) && step.text() == digits;
  });
}

}  // namespace tofud::diff
