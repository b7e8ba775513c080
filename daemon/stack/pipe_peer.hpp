// Who writes into the pipe that is our stdin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tofud::stack {

struct pipe_peer {
  std::vector<std::string> argv;
  std::filesystem::path directory;
  std::optional<std::string> workspace;  // TF_WORKSPACE
  std::optional<std::string> data_dir;   // TF_DATA_DIR
};

/// The process whose stdout is the pipe with that inode, by /proc: one of ours that still runs.
/// Several may write there (a shell and its commands); `tofu` or `terraform` is preferred. `proc`
/// is
/// "/proc".
std::optional<pipe_peer> find_pipe_peer(std::uint64_t inode,
                                        const std::filesystem::path& proc = "/proc");

}  // namespace tofud::stack
