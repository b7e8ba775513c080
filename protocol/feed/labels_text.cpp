#include "protocol/feed/labels_text.hpp"

#include <algorithm>
#include <utility>

namespace tofud::feed {

std::string labels_text(std::vector<label> labels) {
  std::sort(labels.begin(), labels.end(),
            [](const label& a, const label& b) { return a.key < b.key; });
  std::string text;
  for (const label& each : labels) text += each.key + "=" + each.value + "\n";
  return text;
}

std::vector<label> parse_labels_text(std::string_view text) {
  std::vector<label> labels;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (auto read = parse_label(line)) labels.push_back(std::move(*read));
  }
  return labels;
}

}  // namespace tofud::feed
