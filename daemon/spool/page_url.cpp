#include "daemon/spool/page_url.hpp"

#include "daemon/files/checked_file.hpp"
#include "daemon/files/descriptor.hpp"
#include "daemon/spool/stream_file.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace tofud::spool {
namespace {

std::string file_of(const std::string& spool_path) { return beside(spool_path, ".url"); }

}  // namespace

void write_page_url(const std::string& spool_path, const std::string& url) {
  if (spool_path.empty()) return;  // in memory
  const std::string path = file_of(spool_path);
  const std::string made = path + "." + std::to_string(::getpid());
  const int fd = files::open_checked(made, O_WRONLY | O_CREAT | O_TRUNC);
  if (fd < 0) return;
  const std::string line = url + "\n";
  const bool written = ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (::close(fd) != 0 || !written || std::rename(made.c_str(), path.c_str()) != 0) {
    std::remove(made.c_str());
  }
}

void remove_page_url(const std::string& spool_path) {
  if (!spool_path.empty()) std::remove(file_of(spool_path).c_str());
}

std::string read_page_url(const std::string& spool_path) {
  const files::descriptor file{files::open_checked(file_of(spool_path), O_RDONLY)};
  std::array<char, 4096> room;
  const ssize_t n = file ? ::read(file.get(), room.data(), room.size()) : 0;
  std::string url{room.data(), static_cast<std::size_t>(n > 0 ? n : 0)};
  url.resize(std::min(url.find('\n'), url.size()));
  // Only what write_page_url may have written goes to a browser.
  if (!url.starts_with("http://")) return "";
  for (const char c : url) {
    if (c <= ' ' || c == '"' || c == '\'' || c == 0x7f) return "";
  }
  return url;
}

}  // namespace tofud::spool
