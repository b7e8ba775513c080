#include "daemon/journal/appended_file.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <utility>

namespace tofud::journal {
namespace {

/// The kernel writes back in pages; one that holds acknowledged bytes as well was lost with them.
constexpr std::uint64_t page = 4096;

}  // namespace

appended_file::appended_file(disk& on, std::string path, std::uint64_t acknowledged)
    : disk_{on}, path_{std::move(path)}, acknowledged_{acknowledged}, pending_{acknowledged} {}

void appended_file::write(std::string_view bytes) {
  if (!failure_.empty()) return;
  if (text::failure failure = suspect_ ? repair() : open(); !failure.empty()) {
    failure_ = std::move(failure);
    return;
  }
  if (const int error = write_all(disk_, file_.fd(), bytes, pending_); error != 0) {
    abandon();
    failure_ = refused(path_, error::not_written, error);
    return;
  }
  pending_ += bytes.size();
}

void appended_file::start_sync() {
  if (failure_.empty() && pending_ != acknowledged_) disk_.start_writing(file_.fd());
}

text::failure appended_file::sync() {
  if (failure_.empty() && pending_ != acknowledged_ && disk_.fdatasync(file_.fd()) != 0) {
    failure_ = refused(path_, error::not_on_disk, errno);
    // The kernel reports this once and may have dropped the pages: a second fdatasync would
    // succeed and mean nothing. Hence the repair before the next write.
    suspect_ = true;
    abandon();
  }
  return std::exchange(failure_, {});
}

void appended_file::abandon() {
  pending_ = acknowledged_;
  if (disk_.ftruncate(file_.fd(), acknowledged_) != 0) suspect_ = true;
}

text::failure appended_file::open() {
  if (file_) return {};
  file_ = open_file{disk_, disk_.open(path_, O_RDWR)};
  if (file_) return {};
  return refused(path_, error::unopenable, errno);
}

/// Opens the file anew, cuts what is not acknowledged, and writes the last page again, so that an
/// fdatasync has to bring it to disk.
text::failure appended_file::repair() {
  file_.close();
  if (text::failure failure = open(); !failure.empty()) return failure;
  const auto size = disk_.size(file_.fd());
  if (!size || *size < acknowledged_) return {error::lost_bytes, path_};
  if (disk_.ftruncate(file_.fd(), acknowledged_) != 0)
    return refused(path_, error::not_cut_back, errno);
  std::array<char, page> room{};
  const auto begin = acknowledged_ / page * page;
  const auto last = std::span{room}.first(acknowledged_ - begin);
  if (!last.empty()) {
    const ssize_t n = disk_.pread(file_.fd(), last, begin);
    if (n != static_cast<ssize_t>(last.size()))
      return refused(path_, error::not_read_back, n < 0 ? errno : EIO);
    if (const int error = write_all(disk_, file_.fd(), {last.data(), last.size()}, begin))
      return refused(path_, error::not_written_again, error);
  }
  if (disk_.fdatasync(file_.fd()) != 0) return refused(path_, error::not_on_disk, errno);
  suspect_ = false;
  return {};
}

}  // namespace tofud::journal
