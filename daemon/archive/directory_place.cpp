#include "daemon/archive/directory_place.hpp"

#include "daemon/archive/errors.hpp"
#include "daemon/journal/copied_file.hpp"
#include "daemon/journal/layout.hpp"

#include <cerrno>
#include <utility>

namespace tofud::archive {

directory_place::directory_place(journal::disk& on, std::string path)
    : on_{on}, root_{std::move(path)} {
  while (root_.size() > 1 && root_.ends_with('/')) root_.pop_back();
}

/// What is mounted may be gone: then its runs would go to the disk below it, and be lost.
text::failure directory_place::begin(used_before before) {
  if (on_.size(journal::inside(root_, about_name))) return {};
  if (errno != ENOENT)
    return journal::refused(journal::inside(root_, about_name), journal::error::unreadable, errno);
  if (before == used_before::yes) return {error::not_mounted, root_};
  return put(std::string{about_name}, content_of(about_text()));
}

/// Of the file `of`, and of the root itself.
text::failure directory_place::make_directories(const std::string& of) {
  const auto make = [this](const std::string& path) {
    return on_.mkdir(path) == 0 || errno == EEXIST
               ? text::failure{}
               : journal::refused(path, journal::error::not_made, errno);
  };
  if (!on_.is_directory(root_)) {
    if (auto wrong = make(root_); !wrong.empty()) return wrong;
  }
  for (auto slash = of.find('/'); slash != of.npos; slash = of.find('/', slash + 1)) {
    const std::string path = journal::inside(root_, of.substr(0, slash));
    if (on_.is_directory(path)) continue;
    if (auto wrong = make(path); !wrong.empty()) return wrong;
    const std::string above = path.substr(0, path.rfind('/'));
    if (const int code = journal::sync_directory(on_, above); code != 0)
      return journal::refused(above, journal::error::not_on_disk, code);
  }
  return {};
}

text::failure directory_place::put(const std::string& path, const content& what) {
  if (given_up_) return {error::given_up};
  if (auto wrong = make_directories(path); !wrong.empty()) return wrong;
  const std::string to = journal::inside(root_, path);
  const auto read = [&](std::uint64_t at, std::span<char> room) -> std::size_t {
    return given_up_ ? 0 : what.read(at, room);
  };
  const auto written = journal::write_copy(on_, to, what.bytes, read);
  if (!written) return written.error();
  if (*written != what.bytes) {
    on_.unlink(to);
    return given_up_ ? text::failure{error::given_up} : text::failure{error::shortened, path};
  }
  const std::string directory = to.substr(0, to.rfind('/'));
  const int code = journal::sync_directory(on_, directory);
  return code == 0 ? text::failure{}
                   : journal::refused(directory, journal::error::not_on_disk, code);
}

text::failure directory_place::remove(const std::string& path) {
  if (given_up_) return {error::given_up};
  // What is not mounted has the file still.
  if (!on_.size(journal::inside(root_, about_name))) return {error::not_mounted, root_};
  const std::string at = journal::inside(root_, path);
  const bool was_there = on_.unlink(at) == 0;
  if (!was_there && errno != ENOENT && errno != ENOTDIR)
    return journal::refused(at, journal::error::not_removed, errno);
  std::string directory = at.substr(0, at.rfind('/'));
  if (was_there) {
    if (const int code = journal::sync_directory(on_, directory); code != 0)
      return journal::refused(directory, journal::error::not_on_disk, code);
  }
  // Directories go with their last file; one that still has some stays.
  while (directory.size() > root_.size() && (on_.rmdir(directory) == 0 || errno == ENOENT))
    directory.erase(directory.rfind('/'));
  return {};
}

void directory_place::give_up() noexcept { given_up_ = true; }

}  // namespace tofud::archive
