#include "daemon/spool/spool_place.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <system_error>

namespace tofud::spool {
namespace {

std::string error_text(int error) { return std::generic_category().message(error); }

/// mkdir -p, with 0700 for what is made. Errors show when the directory is opened.
void make_directories(const std::string& path) {
  for (std::size_t slash = 1; slash != std::string::npos; ++slash) {
    slash = path.find('/', slash);
    ::mkdir(path.substr(0, slash).c_str(), 0700);
    if (slash == std::string::npos) break;
  }
}

}  // namespace

environment process_environment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

std::vector<place_candidate> place_candidates(const std::string& state_dir,
                                              const environment& env) {
  std::vector<place_candidate> places;
  if (!state_dir.empty()) {
    std::error_code ignored;
    const auto absolute = std::filesystem::absolute(state_dir, ignored).string();
    places.push_back({absolute.empty() ? state_dir : absolute});
  }
  const auto add = [&](const char* name, const std::string& below, place_trust trust) {
    auto value = env(name).value_or("");
    if (!value.starts_with('/')) return false;
    places.push_back({value + below, trust});
    return true;
  };
  if (add("STATE_DIRECTORY", "", place_trust::ours)) {  // systemd: a list, if the unit has several
    auto& list = places.back().directory;
    list = list.substr(0, list.find(':'));
  }
  add("XDG_STATE_HOME", "/tofud", place_trust::ours);
  add("HOME", "/.local/state/tofud", place_trust::ours);
  const auto own = "/tofud-" + std::to_string(::geteuid());
  if (!add("TMPDIR", own, place_trust::shared)) {
    places.push_back({"/tmp" + own, place_trust::shared});
  }
  return places;
}

entered_place enter_place(const place_candidate& candidate) {
  const bool shared = candidate.trust == place_trust::shared;
  if (shared) {
    ::mkdir(candidate.directory.c_str(), 0700);
  } else {
    make_directories(candidate.directory);
  }
  const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (shared ? O_NOFOLLOW : 0);
  files::descriptor fd{::open(candidate.directory.c_str(), flags)};
  if (!fd) return {std::nullopt, error_text(errno)};

  struct statfs filesystem {};
  if (::fstatfs(fd.get(), &filesystem) != 0) return {std::nullopt, error_text(errno)};
  if (is_network_filesystem(static_cast<unsigned long>(filesystem.f_type))) {
    return {std::nullopt, "is on a network filesystem"};
  }
  struct stat facts {};
  if (::fstat(fd.get(), &facts) != 0) return {std::nullopt, error_text(errno)};
  if (shared && (facts.st_uid != ::geteuid() || (facts.st_mode & 077) != 0)) {
    return {std::nullopt, "is writable by other users"};
  }
  return {spool_place{candidate.directory, std::move(fd)}, ""};
}

bool is_network_filesystem(unsigned long magic) {
  constexpr std::array<unsigned long, 12> network = {
      0x6969,      // NFS
      0x517b,      // SMB
      0xff534d42,  // CIFS
      0xfe534d42,  // SMB2
      0x01021997,  // 9P
      0x5346414f,  // AFS (OpenAFS)
      0x6b414653,  // AFS (the kernel's)
      0x73757245,  // CODA
      0x00c36400,  // CEPH
      0x0bd00bd0,  // LUSTRE
      0x65735546,  // FUSE, behind which sshfs, s3fs and virtiofs hide
      0x47504653,  // GPFS
  };
  return std::find(network.begin(), network.end(), magic & 0xffffffff) != network.end();
}

}  // namespace tofud::spool
