#include "daemon/stack/pipe_peer.hpp"

#include "daemon/stack/process.hpp"
#include "protocol/ui/program.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tofud::stack {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> variable(const std::vector<std::string>& env, std::string_view name) {
  for (const std::string& each : env) {
    if (each.size() > name.size() && each.starts_with(name) && each[name.size()] == '=') {
      return each.substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

bool is_number(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::optional<pipe_peer> find_pipe_peer(std::uint64_t inode, const fs::path& proc) {
  const std::string wanted = "pipe:[" + std::to_string(inode) + "]";
  std::optional<pipe_peer> found;
  std::error_code failed;
  for (fs::directory_iterator each{proc, failed}, end; !failed && each != end;
       each.increment(failed)) {
    if (!is_number(each->path().filename().string())) continue;
    std::error_code hidden;
    if (fs::read_symlink(each->path() / "fd/1", hidden) != wanted || hidden) continue;
    pipe_peer peer;
    peer.argv = words_of(each->path() / "cmdline");
    if (peer.argv.empty()) continue;
    // A script of that name: its interpreter comes first.
    if (peer.argv.size() > 1 && ui::is_tofu(peer.argv[1])) peer.argv.erase(peer.argv.begin());
    peer.directory = fs::read_symlink(each->path() / "cwd", hidden);
    if (hidden) continue;
    const auto env = words_of(each->path() / "environ");
    peer.workspace = variable(env, "TF_WORKSPACE");
    peer.data_dir = variable(env, "TF_DATA_DIR");
    if (ui::is_tofu(peer.argv.front())) return peer;
    found = std::move(peer);
  }
  return found;
}

}  // namespace tofud::stack
