#include "daemon/cli/token_place.hpp"

#include "daemon/access/token_file.hpp"
#include "daemon/files/acting_as.hpp"
#include "daemon/files/descriptor.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/spool_place.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::cli {
namespace {

/// Makes a directory that belongs to the owner of `directory`, if it is not there; false: errno.
bool make_in(const std::string& directory, const char* name) {
  const files::descriptor inside{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!inside) return false;
  const files::acting_as_owner acting{inside.get()};
  return acting.is_right() && (::mkdirat(inside.get(), name, 0700) == 0 || errno == EEXIST);
}

/// Where the package's service stores: StateDirectory= of systemd/tofud.service.
constexpr const char* state_of_service = "/var/lib/tofud";

/// Root, who names no directory, means the service of this machine if it has ever run.
bool means_service(const spool::environment& variable) {
  const auto is_set = [&](const char* name) { return !variable(name).value_or("").empty(); };
  return ::geteuid() == 0 && !is_set("TOFUD_STATE_DIR") && !is_set("STATE_DIRECTORY") &&
         ::access((std::string{state_of_service} + "/daemon").c_str(), F_OK) == 0;
}

}  // namespace

std::string token_file_for(std::string state_dir) {
  std::string failure;
  if (state_dir.empty() && means_service(spool::process_environment())) {
    state_dir = state_of_service;
  }
  for (const auto& candidate : spool::place_candidates(state_dir, spool::process_environment())) {
    const auto entered = spool::enter_place(candidate);
    if (entered.place) {
      const std::string directory = entered.place->directory + "/daemon";
      if (make_in(entered.place->directory, "daemon")) return access::token_file_in(directory);
      failure = directory + " can't be made: " + std::strerror(errno);
    } else {
      failure = candidate.directory + " " + entered.refusal;
    }
    if (!state_dir.empty()) break;
  }
  spool::notice("no directory is writable for tokens: " + failure);
  return "";
}

namespace {

/// The first that has `name` below its daemon/ and can be read.
std::string known_place_of(const std::string& state_dir, const char* name) {
  std::string chosen = state_dir;
  if (chosen.empty() && means_service(spool::process_environment())) chosen = state_of_service;
  for (const auto& candidate : spool::place_candidates(chosen, spool::process_environment())) {
    std::string directory = candidate.directory + "/daemon";
    if (::access((directory + "/" + name).c_str(), R_OK) == 0) return directory;
    if (!chosen.empty()) break;
  }
  return "";
}

}  // namespace

std::string known_token_file(const std::string& state_dir) {
  const std::string directory = known_place_of(state_dir, "tokens");
  return directory.empty() ? "" : access::token_file_in(directory);
}

std::string known_daemon_directory(const std::string& state_dir) {
  return known_place_of(state_dir, "runs");
}

access::time time_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::string minute_of(access::time when) { return access::to_text(when).substr(0, 16) + "Z"; }

std::string state_of(const access::token& one, access::time now) {
  if (one.revoked) return "revoked";
  if (one.is_expired(now)) return "expired";
  return one.expires_at ? "until " + minute_of(*one.expires_at) : "for ever";
}

}  // namespace tofud::cli
