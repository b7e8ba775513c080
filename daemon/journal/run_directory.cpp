#include "daemon/journal/run_directory.hpp"

#include "daemon/journal/layout.hpp"
#include "daemon/journal/limits.hpp"

#include <cerrno>
#include <fcntl.h>

namespace tofud::journal {
namespace {

int make_empty(disk& on, const std::string& path) {
  const open_file file{on, on.open(path, O_WRONLY | O_CREAT | O_EXCL)};
  return file ? 0 : errno;
}

int fill(disk& on, const std::string& directory, const std::string& header) {
  if (on.mkdir(directory) != 0) return errno;
  if (const int error = write_file(on, header_in(directory), header)) return error;
  for (const auto& path : {stream_in(directory), arrivals_in(directory), events_in(directory)}) {
    if (const int error = make_empty(on, path)) return error;
  }
  return sync_directory(on, directory);
}

}  // namespace

text::failure make_run(disk& on, const std::string& root, const run_header& header) {
  if (!is_safe_id(header.id)) return {error::unsafe_id, header.id};
  // What a start can't read is as good as lost.
  const std::string text = to_json(header);
  if (text.size() > limits::journal_header_bytes)
    return {error::long_header, header.id, limits::journal_header_bytes};
  if (const auto again = parse_header(text); !again)
    return {error::bad_header, header.id, again.error()};
  const std::string final = run_in(root, header.id);
  if (on.is_directory(final)) return {error::directory_there_already, final};
  const std::string made = run_being_made(root, header.id);
  if (on.is_directory(made)) clear_removed(on, made);
  int error = fill(on, made, text);
  if (error == 0 && on.rename(made, final) != 0) error = errno;
  if (error == 0) return {};
  clear_removed(on, made);
  return refused(final, error::not_made, error);
}

text::failure mark_complete(disk& on, const std::string& root, const std::string& id,
                            const completion& completion) {
  const std::string directory = run_in(root, id);
  const std::string marker = complete_in(directory);
  const std::string written = marker + std::string{unfinished};
  on.unlink(written);  // of an attempt that failed
  int error = write_file(on, written, to_json(completion));
  if (error == 0 && on.rename(written, marker) != 0) error = errno;
  if (error == 0) error = sync_directory(on, directory);
  if (error == 0) return {};
  return refused(marker, error::not_written, error);
}

text::failure remove_run(disk& on, const std::string& root, const std::string& id) {
  const std::string directory = run_in(root, id);
  const std::string gone = run_being_removed(root, id);
  if (on.is_directory(gone)) clear_removed(on, gone);
  int error = on.rename(directory, gone) == 0 ? 0 : errno;
  if (error == ENOENT) error = 0;  // an earlier attempt came so far
  if (error == 0) error = sync_directory(on, runs_in(root));
  if (error == 0) return {};
  return refused(directory, error::not_removed, error);
}

bool clear_removed(disk& on, const std::string& directory) {
  const auto names = on.names(directory);
  if (!names) return errno == ENOENT;
  bool all = true;
  for (const auto& name : *names) {
    const std::string path = inside(directory, name);
    const bool gone = on.is_directory(path) ? clear_removed(on, path) : on.unlink(path) == 0;
    all = all && gone;
  }
  return all && on.rmdir(directory) == 0;
}

}  // namespace tofud::journal
