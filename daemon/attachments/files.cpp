#include "daemon/attachments/files.hpp"

namespace tofud::attachments {

std::string file_name(feed::attachment part) { return std::string{feed::name(part)} + ".json"; }

std::string beside_spool(const std::string& spool_path, feed::attachment part) {
  constexpr std::string_view ending = ".jsonl";
  std::string stem = spool_path;
  if (stem.ends_with(ending)) stem.resize(stem.size() - ending.size());
  return stem + "." + file_name(part);
}

}  // namespace tofud::attachments
