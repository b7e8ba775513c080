#include "protocol/feed/run_path.hpp"

#include "protocol/text/percent.hpp"

namespace tofud::feed {

std::string run_path(std::string_view base, std::string_view run) {
  std::string path{base};
  path += "/v1/runs/";
  text::append_percent_encoded(path, run);
  return path;
}

}  // namespace tofud::feed
