#include "protocol/feed/annotations.hpp"

namespace tofud::feed {

std::string in_words(const annotations& said) {
  std::string text;
  if (!said.owner.empty()) text.append("owner ").append(said.owner);
  if (!said.runbook.empty())
    text.append(text.empty() ? "" : " · ").append("runbook ").append(said.runbook);
  return text;
}

}  // namespace tofud::feed
