#include "daemon/files/document_file.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/files/errors.hpp"
#include "daemon/files/gunzip.hpp"
#include "daemon/files/limits.hpp"
#include "protocol/text/sizes.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::files {

std::string name_of_file(const std::string& path) { return path == "-" ? "standard input" : path; }

text::failure read_pieces(const std::string& path, const piece_sink& to) {
  const std::string name = name_of_file(path);
  const descriptor file{path == "-" ? ::dup(STDIN_FILENO)
                                    : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return {error::unreadable, name, std::strerror(errno)};
  bool wanted = true;
  gunzip unpacked{[&](std::string_view bytes) { wanted = wanted && to(bytes); }};
  std::vector<char> room(limits::read_bytes);
  while (wanted) {
    const ssize_t count = ::read(file.get(), room.data(), room.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EISDIR) return {error::directory, name};
    if (count < 0) return {error::unreadable, name, std::strerror(errno)};
    if (count == 0) break;
    const std::string wrong = unpacked.feed({room.data(), static_cast<std::size_t>(count)});
    if (!wrong.empty()) return {error::badly_compressed, name, wrong};
  }
  if (wanted && !unpacked.end().empty()) return {error::torn, name};
  return {};
}

text::result<std::string> read_document(const std::string& path, std::size_t most) {
  std::string read;
  bool fits = true;
  auto failure = read_pieces(path, [&](std::string_view bytes) {
    fits = bytes.size() <= most - read.size();
    if (fits) read.append(bytes);
    return fits;
  });
  if (!fits) return text::failure{error::large_document, name_of_file(path), most / limits::mib};
  if (!failure.empty()) return failure;
  return {boost::system::in_place_value, std::move(read)};
}

}  // namespace tofud::files
