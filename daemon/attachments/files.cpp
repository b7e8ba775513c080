#include "daemon/attachments/files.hpp"

namespace tofud::attachments {

std::string file_name(feed::attachment part) { return std::string{feed::name(part)} + ".json"; }

namespace {

std::string stem_of(const std::string& spool_path) {
  constexpr std::string_view ending = ".jsonl";
  std::string stem = spool_path;
  if (stem.ends_with(ending)) stem.resize(stem.size() - ending.size());
  return stem;
}

}  // namespace

std::string beside_spool(const std::string& spool_path, feed::attachment part) {
  return stem_of(spool_path) + "." + file_name(part);
}

std::string hidden_beside_spool(const std::string& spool_path) {
  return stem_of(spool_path) + ".hidden";
}

}  // namespace tofud::attachments
