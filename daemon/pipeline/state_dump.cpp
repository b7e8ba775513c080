#include "daemon/pipeline/state_dump.hpp"

#include "daemon/files/checked_file.hpp"
#include "daemon/files/write_all.hpp"
#include "protocol/json/document.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace tofud::pipeline {
namespace {

json::keep only_state(std::string_view, std::size_t depth, std::string_view key) {
  if (depth > 1) return json::keep::tree;
  return key == "state" ? json::keep::raw : json::keep::skip;
}

}  // namespace

std::optional<std::string> state_in(std::string_view line) {
  json::document_parser parser{only_state};
  const std::size_t begin = line.rfind("{\"@level\":");
  if (begin == std::string_view::npos || parser.parse(line.substr(begin))) return std::nullopt;
  const json::value state = parser.root()["state"];
  if (!state) return std::nullopt;
  return std::string{state.text()};
}

std::string state_dump_path(const std::string& spool_path) {
  std::string path = spool_path;
  if (path.ends_with(".jsonl")) path.resize(path.size() - 6);
  return path + ".state.json";
}

bool write_state(const std::string& path, std::string_view text) {
  const int fd = files::open_checked(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (fd < 0) return false;
  const bool written = files::write_all(fd, text) && files::write_all(fd, "\n");
  return ::close(fd) == 0 && written;
}

std::string keep_state_dump(std::string_view line, const std::string& spool_path) {
  if (spool_path.empty()) return "";
  const auto state = state_in(line);
  if (!state) return "";
  std::string path = state_dump_path(spool_path);
  return write_state(path, *state) ? path : "";
}

void state_keeper::state_dump(correlator::run_state&, std::string_view line) {
  const std::string place = keep_state_dump(line, spool_path_);
  say_(place.empty() ? "OpenTofu could not save the state, and tofud could not write it to a file: "
                       "it is in the stream"
                     : "the state OpenTofu could not save is in " + place);
}

}  // namespace tofud::pipeline
