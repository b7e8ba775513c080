#include "daemon/stack/plan_file.hpp"

#include "protocol/limits.hpp"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace tofud::stack {
namespace {

struct closes {
  int fd;
  explicit closes(int opened) : fd{opened} {}
  ~closes() {
    if (fd >= 0) ::close(fd);
  }
  closes(const closes&) = delete;
  closes& operator=(const closes&) = delete;
};

struct frees_digest {
  void operator()(EVP_MD_CTX* digest) const { EVP_MD_CTX_free(digest); }
};

std::string hex(const unsigned char* bytes, unsigned size) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text.push_back(digits[bytes[i] >> 4U]);
    text.push_back(digits[bytes[i] & 15U]);
  }
  return text;
}

}  // namespace

std::optional<hashed_file> hash_plan_file(const std::filesystem::path& path, std::uint64_t most) {
  const closes file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat facts {};
  if (file.fd < 0 || ::fstat(file.fd, &facts) != 0 || !S_ISREG(facts.st_mode) ||
      static_cast<std::uint64_t>(facts.st_size) > most) {
    return std::nullopt;
  }
  const std::unique_ptr<EVP_MD_CTX, frees_digest> digest{EVP_MD_CTX_new()};
  if (!digest || EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr) != 1) return std::nullopt;
  hashed_file found;
  std::vector<char> room(limits::read_bytes);
  for (;;) {
    const ssize_t n = ::read(file.fd, room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    found.bytes += static_cast<std::uint64_t>(n);
    if (found.bytes > most) return std::nullopt;
    EVP_DigestUpdate(digest.get(), room.data(), static_cast<std::size_t>(n));
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  if (EVP_DigestFinal_ex(digest.get(), bytes.data(), &size) != 1) return std::nullopt;
  found.sha256 = hex(bytes.data(), size);
  return found;
}

}  // namespace tofud::stack
