#include "daemon/keeper/interrupt_search.hpp"

#include <algorithm>

namespace tofud::keeper {
namespace {

// The message has some 400 bytes; a longer line is another.
constexpr std::size_t longest = 4096;

bool tells(std::string_view line) {
  return line.find("Interrupt received") != std::string_view::npos &&
         line.find(R"("type":"log")") != std::string_view::npos;
}

}  // namespace

void interrupt_search::feed(std::string_view bytes) {
  while (!found_ && !bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (rest_.size() <= longest) rest_ += piece.substr(0, longest + 1 - rest_.size());
    if (end == std::string_view::npos) return;
    found_ = rest_.size() <= longest && tells(rest_);
    rest_.clear();
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace tofud::keeper
