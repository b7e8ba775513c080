#include "protocol/text/failure.hpp"

namespace tofud::text {

std::string filled(std::string_view sentence, const std::vector<std::string>& details) {
  std::string out;
  for (const auto& each : details) {
    const auto place = sentence.find("{}");
    if (place == sentence.npos) break;
    out.append(sentence.substr(0, place)).append(each);
    sentence.remove_prefix(place + 2);
  }
  return out.append(sentence);
}

}  // namespace tofud::text
