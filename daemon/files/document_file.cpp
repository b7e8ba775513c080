#include "daemon/files/document_file.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/files/gunzip.hpp"
#include "daemon/files/limits.hpp"
#include "protocol/text/sizes.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace tofud::files {

std::string name_of_file(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_pieces(const std::string& path, const piece_sink& to) {
  const std::string name = name_of_file(path);
  const descriptor file{path == "-" ? ::dup(STDIN_FILENO)
                                    : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return "can't read " + name + ": " + std::strerror(errno);
  bool wanted = true;
  gunzip unpacked{[&](std::string_view bytes) { wanted = wanted && to(bytes); }};
  std::vector<char> room(limits::read_bytes);
  while (wanted) {
    const ssize_t count = ::read(file.get(), room.data(), room.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EISDIR) return name + " is a directory; name a file in it";
    if (count < 0) return "can't read " + name + ": " + std::strerror(errno);
    if (count == 0) break;
    const std::string wrong = unpacked.feed({room.data(), static_cast<std::size_t>(count)});
    if (!wrong.empty()) return std::string{name}.append(" ").append(wrong);
  }
  if (!wanted) return "";
  const std::string missing = unpacked.end();
  return missing.empty() ? "" : name + " " + missing;
}

document_text read_document(const std::string& path, std::size_t most) {
  document_text read;
  bool fits = true;
  read.failure = read_pieces(path, [&](std::string_view bytes) {
    fits = bytes.size() <= most - read.text.size();
    if (fits) read.text.append(bytes);
    return fits;
  });
  if (!fits) {
    read.failure = name_of_file(path) + " has more than " + std::to_string(most / limits::mib) +
                   " MiB, which is the most that is read of a document";
  }
  if (!read.failure.empty()) read.text.clear();
  return read;
}

}  // namespace tofud::files
