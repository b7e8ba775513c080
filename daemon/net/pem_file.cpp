#include "daemon/net/pem_file.hpp"

#include "daemon/net/limits.hpp"
#include "daemon/net/tls_session.hpp"
#include "protocol/text/sizes.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tofud::net {
namespace {

struct contents {
  std::string bytes;
  mode_t mode = 0;
};

text::result<contents> read_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return text::failure{error::unreadable, path, std::strerror(errno)};
  contents found;
  struct stat facts {};
  std::optional<text::failure> wrong;
  if (::fstat(fd, &facts) != 0) {
    wrong = text::failure{error::unreadable, path, std::strerror(errno)};
  } else if (!S_ISREG(facts.st_mode)) {
    wrong = text::failure{error::no_file, path};
  } else if (static_cast<std::uint64_t>(facts.st_size) > limits::tls_file_bytes) {
    wrong = text::failure{error::too_large, path, limits::tls_file_bytes};
  }
  found.mode = facts.st_mode;
  std::array<char, 16 * limits::kib> buffer;
  while (!wrong) {
    const auto size = ::read(fd, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) wrong = text::failure{error::unreadable, path, std::strerror(errno)};
    if (size <= 0 || found.bytes.size() > limits::tls_file_bytes) break;
    found.bytes.append(buffer.data(), static_cast<std::size_t>(size));
  }
  ::close(fd);
  if (wrong) return *wrong;
  return found;
}

struct bio_free {
  void operator()(BIO* one) const { BIO_free(one); }
};
std::unique_ptr<BIO, bio_free> reading(const std::string& bytes) {
  return std::unique_ptr<BIO, bio_free>{
      BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size()))};
}

/// There is nobody to ask: it is only remembered that there was a question.
int was_asked(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

}  // namespace

text::result<std::vector<certificate>> read_certificates(const std::string& path) {
  const auto file = read_file(path);
  if (!file) return file.error();
  const auto bio = reading(file->bytes);
  std::vector<certificate> found;
  bool asked = false;
  ERR_clear_error();
  while (certificate one{PEM_read_bio_X509(bio.get(), nullptr, was_asked, &asked)}) {
    found.push_back(std::move(one));
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string complaint = openssl_complaint();
  if (!at_end) return text::failure{error::bad_certificate, path, complaint};
  if (found.empty()) return text::failure{error::no_certificate, path};
  return found;
}

text::result<read_key> read_private_key(const std::string& path) {
  const auto file = read_file(path);
  if (!file) return file.error();
  const auto bio = reading(file->bytes);
  read_key found;
  bool asked = false;
  ERR_clear_error();
  found.key.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, was_asked, &asked));
  const bool none = file->bytes.find("PRIVATE KEY-----") == std::string::npos;
  const std::string complaint = openssl_complaint();
  if (asked) return text::failure{error::encrypted_key, path, path};
  if (!found.key && none) return text::failure{error::no_key, path};
  if (!found.key) return text::failure{error::bad_key, path, complaint};
  found.others_may_read = (file->mode & S_IROTH) != 0;
  return found;
}

std::string date_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return "an unknown day";
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
  return text.data();
}

}  // namespace tofud::net
