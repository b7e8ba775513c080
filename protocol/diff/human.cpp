#include "protocol/diff/human.hpp"

#include "protocol/diff/drawer.hpp"

namespace tofud::diff {

std::string draw(const change& change, const text::ink& pen, const text_filter& filter) {
  return drawer{pen, filter, {}}.draw(change, 0, {});
}

}  // namespace tofud::diff
