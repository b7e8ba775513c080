#include "daemon/journal/attachments.hpp"

#include "daemon/journal/layout.hpp"

#include <cerrno>

namespace tofud::journal {
namespace {

std::string unfinished_in(const std::string& directory, std::string_view name) {
  return inside(directory, name) + std::string{unfinished};
}

}  // namespace

text::failure write_attachment(disk& on, const std::string& run_directory, std::string_view name,
                               std::string_view text) {
  const std::string directory = attachments_in(run_directory);
  if (!on.is_directory(directory)) {
    int error = on.mkdir(directory) == 0 ? 0 : errno;
    if (error == 0) error = sync_directory(on, run_directory);
    if (error != 0) return refused(directory, error::not_made, error);
  }
  const std::string written = unfinished_in(directory, name);
  on.unlink(written);  // of an attempt that failed
  const int error = write_file(on, written, text);
  if (error == 0) return {};
  return refused(written, error::not_written, error);
}

text::failure keep_attachments(disk& on, const std::string& run_directory,
                               const std::vector<std::string>& names) {
  const std::string directory = attachments_in(run_directory);
  for (const std::string& name : names) {
    if (on.rename(unfinished_in(directory, name), inside(directory, name)) != 0)
      return refused(inside(directory, name), error::not_written, errno);
  }
  const int error = sync_directory(on, directory);
  if (error == 0) return {};
  return refused(directory, error::not_on_disk, error);
}

void clear_attachments(disk& on, const std::string& run_directory) {
  const std::string directory = attachments_in(run_directory);
  if (!on.is_directory(directory)) return;
  const auto names = on.names(directory);
  if (!names) return;
  for (const std::string& name : *names) {
    if (std::string_view{name}.ends_with(unfinished)) on.unlink(inside(directory, name));
  }
}

std::uint64_t attached_bytes(disk& on, const std::string& run_directory) {
  const std::string directory = attachments_in(run_directory);
  if (!on.is_directory(directory)) return 0;
  std::uint64_t bytes = 0;
  const auto names = on.names(directory);
  if (!names) return 0;
  for (const std::string& name : *names) bytes += on.size(inside(directory, name)).value_or(0);
  return bytes;
}

}  // namespace tofud::journal
