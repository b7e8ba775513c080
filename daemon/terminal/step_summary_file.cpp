#include "daemon/terminal/step_summary_file.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/terminal/limits.hpp"
#include "daemon/terminal/step_summary.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace tofud::terminal {

std::string append_step_summary(const std::string& path,
                                const std::vector<terminal::finished_run>& runs) {
  return append_step_summary(path, [&runs](std::size_t room) {
    std::string text;
    for (const terminal::finished_run& run : runs)
      text += terminal::step_summary(run, room - text.size());
    return text;
  });
}

std::string append_step_summary(const std::string& path,
                                const std::function<std::string(std::size_t room)>& text) {
  const auto failed = [&] {
    return "the step summary can't be written to " + path + ": " + std::strerror(errno);
  };
  // Not blocking: what is named there might be a pipe that nobody reads.
  const files::descriptor file{::open(
      path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644)};
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0) return failed();
  if (!S_ISREG(facts.st_mode))
    return "the step summary can't be written: " + path + " is not a file";
  const std::size_t room =
      limits::step_summary_bytes -
      std::min<std::size_t>(limits::step_summary_bytes, static_cast<std::size_t>(facts.st_size));
  if (!files::write_all(file.get(), text(room))) return failed();
  return "";
}

}  // namespace tofud::terminal
