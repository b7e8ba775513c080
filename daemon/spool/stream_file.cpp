#include "daemon/spool/stream_file.hpp"

#include "daemon/files/checked_file.hpp"
#include "daemon/files/descriptor.hpp"
#include "daemon/files/errors.hpp"
#include "protocol/events/known_run.hpp"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace tofud::spool {

void stream_file::closes::operator()(gzFile_s* file) const { ::gzclose(file); }

text::result<stream_file> stream_file::open(const std::string& path) {
  const auto refused = [&] {
    return text::failure{files::error::unreadable, path, std::strerror(errno)};
  };
  stream_file opened;
  opened.path_ = path;
  opened.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened.fd_ < 0) return refused();
  if (::fstat(opened.fd_, &opened.facts_) != 0 || S_ISDIR(opened.facts_.st_mode)) {
    const bool directory = S_ISDIR(opened.facts_.st_mode);
    ::close(opened.fd_);
    return directory ? text::failure{files::error::stream_directory, path} : refused();
  }
  opened.file_.reset(::gzdopen(opened.fd_, "rb"));  // reads plain files as they are
  if (!opened.file_) {
    ::close(opened.fd_);
    return text::failure{files::error::unreadable, path, "not enough memory"};
  }
  return opened;
}

text::result<std::size_t> stream_file::read(std::span<char> room) {
  const int count = ::gzread(file_.get(), room.data(), static_cast<unsigned>(room.size()));
  if (count > 0) return static_cast<std::size_t>(count);
  int code = Z_OK;
  const std::string why = ::gzerror(file_.get(), &code);
  if (code == Z_BUF_ERROR) return text::failure{files::error::torn, path_};
  if (code != Z_OK && code != Z_STREAM_END) {
    return text::failure{files::error::unreadable, path_,
                         code == Z_ERRNO ? std::string{std::strerror(errno)} : why};
  }
  ::gzclearerr(file_.get());  // the end of a file that grows is not the end
  return std::size_t{0};
}

bool stream_file::is_held() {
  if (is_pipe() || !is_locked(fd_, std::chrono::system_clock::now())) return false;
  // The keeper and its worker linger for their subscribers.
  return !events::parse_lines(events_beside(path_)).ended;
}

bool stream_file::is_written() {
  if (is_held()) return true;
  if (is_pipe() || events::parse_lines(events_beside(path_)).ended) return false;
  if (writer_ && still_writes(*writer_, facts_)) return true;
  writer_ = find_writer(facts_);
  return writer_.has_value();
}

std::string beside(const std::string& stream_path, const std::string& ending) {
  std::filesystem::path path{stream_path};
  if (path.extension() == ".gz") path.replace_extension();
  return path.replace_extension().string() + ending;
}

std::string run_id_of(const std::string& stream_path) {
  return std::filesystem::path{beside(stream_path, "")}.filename().string();
}

std::string events_beside(const std::string& stream_path) {
  const files::descriptor events{files::open_checked(beside(stream_path, ".events"), O_RDONLY)};
  std::string text;
  std::array<char, 4096> room;
  while (events) {
    const ssize_t n = ::read(events.get(), room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(room.data(), static_cast<std::size_t>(n));
  }
  return text;
}

}  // namespace tofud::spool
