#include "daemon/access/token_file.hpp"

#include "daemon/access/errors.hpp"
#include "daemon/access/limits.hpp"
#include "daemon/files/acting_as.hpp"
#include "daemon/files/checked_file.hpp"
#include "daemon/files/descriptor.hpp"
#include "daemon/files/write_all.hpp"
#include "protocol/text/sizes.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>

namespace tofud::access {
namespace {

text::failure failed(error what, const std::string& path) {
  return {what, path, std::strerror(errno)};
}

bool passes(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }

/// False: errno says why.
bool read_all(int fd, std::string& text) {
  char room[16 * limits::kib];
  for (;;) {
    const auto n = ::read(fd, &room[0], sizeof room);
    if (n == 0) return true;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.append(&room[0], static_cast<std::size_t>(n));
    if (text.size() > limits::token_file_bytes) {
      errno = EFBIG;
      return false;
    }
  }
}

/// Who writes into it makes tokens.
bool others_may_write(int fd) {
  struct stat facts {};
  return ::fstat(fd, &facts) == 0 && (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

std::string directory_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string name_in(const std::string& path) { return path.substr(path.rfind('/') + 1); }

text::failure replace(int directory, const std::string& path, const std::string& text) {
  const std::string name = name_in(path);
  const std::string made = name + ".new";
  ::unlinkat(directory, made.c_str(), 0);  // of one that was killed
  {
    const files::descriptor file{
        files::open_checked_at(directory, made.c_str(), O_WRONLY | O_CREAT | O_EXCL)};
    const bool is_written = file && ::fchmod(file.get(), 0600) == 0 &&
                            files::write_all(file.get(), text) && ::fsync(file.get()) == 0;
    if (!is_written) return failed(error::not_written, path + ".new");
  }
  if (::renameat(directory, made.c_str(), directory, name.c_str()) != 0)
    return failed(error::not_replaced, path);
  ::fsync(directory);
  return {};
}

/// `file` may be none, with errno.
text::result<read_tokens> read_from(const files::descriptor& file, const std::string& path) {
  if (!file && errno == ENOENT) return read_tokens{};
  if (file && others_may_write(file.get())) {
    return text::failure{error::writable_by_others, path};
  }
  std::string text;
  if (!file || !read_all(file.get(), text)) {
    return failed(passes(errno) ? error::unreadable_for_now : error::unreadable, path);
  }
  read_tokens found;
  std::size_t number = 0;
  for (std::string_view rest{text}; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++number;
    if (line.empty()) continue;
    auto one = parse_token_line(line);
    if (one) {
      found.all.push_back(std::move(*one));
    } else {
      found.refused.push_back(path + ":" + std::to_string(number) +
                              " is not a token: " + one.error().text());
    }
  }
  return found;
}

}  // namespace

std::string token_file_in(const std::string& directory) { return directory + "/tokens"; }

text::result<read_tokens> read_token_file(const std::string& path) {
  const files::descriptor file{files::open_checked(path, O_RDONLY)};
  return read_from(file, path);
}

text::failure change_token_file(const std::string& path,
                                const std::function<text::failure(std::vector<token>&)>& change) {
  const std::string lock_path = path + ".lock";
  const files::descriptor directory{
      ::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  if (!directory) return failed(error::not_opened, directory_of(path));
  // The directory is the daemon's user's, and root does not go where his links lead.
  const files::acting_as_owner acting{directory.get()};
  if (!acting.is_right()) return failed(error::not_of_owner, path);
  const files::descriptor lock{
      files::open_checked_at(directory.get(), name_in(lock_path).c_str(), O_RDWR | O_CREAT)};
  if (!lock) return failed(error::not_opened, lock_path);
  if (::flock(lock.get(), LOCK_EX) != 0) return failed(error::not_locked, lock_path);
  const files::descriptor file{
      files::open_checked_at(directory.get(), name_in(path).c_str(), O_RDONLY)};
  auto known = read_from(file, path);
  if (!known) return known.error();
  if (!known->refused.empty()) return {error::bad_lines, known->refused.front()};
  if (auto refusal = change(known->all); !refusal.empty()) return refusal;
  std::string text;
  for (const token& one : known->all) text += to_line(one) + "\n";
  return replace(directory.get(), path, text);
}

}  // namespace tofud::access
