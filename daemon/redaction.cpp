#include "daemon/redaction.hpp"

#include "daemon/secret_names.hpp"
#include "daemon/terminal/writer.hpp"
#include "protocol/limits.hpp"

#include <boost/json/parse.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud {
namespace {

using redact::secret;

constexpr std::size_t salt_bytes = 16;

struct closes {
  int fd;
  explicit closes(int opened) : fd{opened} {}
  ~closes() {
    if (fd >= 0) ::close(fd);
  }
  closes(const closes&) = delete;
  closes& operator=(const closes&) = delete;
};

struct file_text {
  std::string text;
  std::string failure;  // empty: it was read
};

// A regular file of at most `most` bytes; never waits for a FIFO's writer.
file_text read_file(const std::string& path, std::size_t most) {
  const closes file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat facts {};
  if (file.fd < 0 || ::fstat(file.fd, &facts) != 0) return {{}, std::strerror(errno)};
  if (!S_ISREG(facts.st_mode)) return {{}, "it is no regular file; write the values into one"};
  if (static_cast<std::size_t>(facts.st_size) > most) {
    return {{}, "it is larger than " + std::to_string(most / limits::kib) + " KiB"};
  }
  file_text found;
  std::array<char, 4096> room;
  for (;;) {
    const auto n = ::read(file.fd, room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {{}, std::strerror(errno)};
    if (n == 0) return found;
    found.text.append(room.data(), static_cast<std::size_t>(n));
    if (found.text.size() > most) return {{}, "it grows while it is read"};
  }
}

enum class strings { all, of_secret_names };

void collect(const boost::json::value& from, strings which, bool named, const std::string& name,
             std::vector<secret>& found) {
  if (const auto* text = from.if_string()) {
    if (which == strings::all || named) found.push_back({name, std::string{*text}});
  } else if (const auto* members = from.if_object()) {
    for (const auto& [key, value] : *members) {
      collect(value, which, named || is_secret_name(std::string_view{key}), name, found);
    }
  } else if (const auto* elements = from.if_array()) {
    for (const auto& value : *elements) collect(value, which, named, name, found);
  }
}

// The secrets in a value: a document has many, and most of its lines are none.
std::vector<secret> secrets_in(const std::string& name, const std::string& value) {
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  if (first == value.npos) return {};
  std::vector<secret> found;
  if (value[first] == '{' || value[first] == '[') {
    boost::json::error_code failed;
    const auto document = boost::json::parse(value, failed);
    if (!failed) {
      collect(document, strings::of_secret_names, false, name, found);
      if (found.empty()) collect(document, strings::all, false, name, found);
      return found;
    }
  }
  found.push_back({name, value});
  return found;
}

// postgres://user:password@host/db: the password alone is the secret, as it stands and decoded.
std::optional<std::string> password_of_url(std::string_view value) {
  const std::size_t scheme = value.find("://");
  if (scheme == value.npos) return {};
  const std::string_view rest = value.substr(scheme + 3);
  const std::size_t end = std::min(rest.find_first_of("/?# \t\n"), rest.size());
  const std::size_t at = rest.substr(0, end).rfind('@');
  if (at == rest.npos) return {};
  const std::size_t colon = rest.substr(0, at).find(':');
  if (colon == rest.npos || colon + 1 == at) return {};
  return std::string{rest.substr(colon + 1, at - colon - 1)};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string unpercented(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : hex_digit(text[i + 2]);
    if (low < 0) {
      out.push_back(text[i]);
    } else {
      out.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    }
  }
  return out;
}

void add_secrets_of(const std::string& name, const std::string& value, std::vector<secret>& found) {
  if (const auto password = password_of_url(value)) {
    found.push_back({name, *password});
    if (std::string decoded = unpercented(*password); decoded != *password) {
      found.push_back({name, std::move(decoded)});
    }
  }
  const bool is_path = value.starts_with('/');
  // NAME_FILE and NAME_PATH name what NAME would hold.
  std::string_view plain = name;
  for (const std::string_view ending : {"_FILE", "_PATH", "_file", "_path"}) {
    if (plain.ends_with(ending)) plain.remove_suffix(ending.size());
  }
  if (!is_secret_name(is_path ? plain : name)) return;
  if (is_path && value.find('\n') == value.npos) {
    struct stat facts {};
    if (::stat(value.c_str(), &facts) == 0) {
      if (S_ISDIR(facts.st_mode)) return;
      for (secret& each : secrets_in(name, read_file(value, limits::mask_file_bytes).text)) {
        found.push_back(std::move(each));
      }
      return;
    }
  }
  if (plain.size() < name.size() || is_no_secret_value(value)) return;
  for (secret& each : secrets_in(name, value)) found.push_back(std::move(each));
}

bool is_variable_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  if (text.empty() || !is_letter(text.front())) return false;
  for (const char c : text) {
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

std::string_view trimmed(std::string_view text) {
  constexpr const char* blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

}  // namespace

environment_list own_environment() {
  environment_list all;
  for (char** each = ::environ; each != nullptr && *each != nullptr; ++each) {
    all.emplace_back(*each);
  }
  return all;
}

std::vector<secret> secrets_of(const environment_list& environment) {
  std::vector<secret> found;
  for (const std::string& each : environment) {
    const std::size_t equals = each.find('=');
    if (equals == 0 || equals == each.npos) continue;
    add_secrets_of(each.substr(0, equals), each.substr(equals + 1), found);
  }
  std::erase_if(found, [](const secret& each) { return each.value.size() < limits::secret_bytes; });
  return found;
}

boost::system::result<std::vector<secret>, std::string> parse_mask_lines(std::string_view text) {
  std::vector<secret> found;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (line.size() < limits::secret_bytes) {
      return "line " + std::to_string(number) + " has a value of " + std::to_string(line.size()) +
             " characters: one of less than " + std::to_string(limits::secret_bytes) +
             " stands in too much to be masked; take it out";
    }
    const std::size_t equals = line.find('=');
    const std::string_view name = line.substr(0, equals);
    std::string_view value = equals == line.npos ? line : trimmed(line.substr(equals + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
        value.back() == value.front()) {
      value = value.substr(1, value.size() - 2);
    }
    const bool named =
        equals != line.npos && is_variable_name(name) && value.find_first_not_of('=') != value.npos;
    if (!named) {
      found.push_back({"mask-file", std::string{line}});
      continue;
    }
    if (value.size() < limits::secret_bytes) {
      return "line " + std::to_string(number) + ": the value of " + std::string{name} + " has " +
             std::to_string(value.size()) + " characters, and one of less than " +
             std::to_string(limits::secret_bytes) + " stands in too much to be masked; take it out";
    }
    found.push_back({std::string{name}, std::string{value}});
    // A value may look like NAME=value itself.
    found.push_back({"mask-file", std::string{line}});
  }
  return found;
}

namespace {

boost::system::result<std::vector<secret>, std::string> read_mask_file(const std::string& path) {
  const auto [text, failure] = read_file(path, limits::mask_file_bytes);
  if (!failure.empty()) {
    return "the mask file " + path + " can't be used: " + failure;
  }
  auto found = parse_mask_lines(text);
  if (!found) return "the mask file " + path + " can't be used: " + found.error();
  return found;
}

std::string new_salt() {
  std::string salt(salt_bytes, '\0');
  std::size_t filled = 0;
  while (filled < salt.size()) {
    const auto n = ::getrandom(salt.data() + filled, salt.size() - filled, 0);
    if (n > 0) filled += static_cast<std::size_t>(n);
  }
  return salt;
}

}  // namespace

std::string refusal_of_mask_file(const std::string& mask_file) {
  if (mask_file.empty()) return "";
  const auto found = read_mask_file(mask_file);
  return found ? "" : found.error();
}

boost::system::result<redact::rules, std::string> rules_here(const environment_list& environment,
                                                             const std::string& mask_file) {
  redact::rules made;
  made.salt = new_salt();
  made.secrets = secrets_of(environment);
  for (const std::string& each : environment) {
    constexpr std::string_view variable = "TOFUD_PROVISIONER_OUTPUT=";
    if (!each.starts_with(variable)) continue;
    const std::string_view wanted = std::string_view{each}.substr(variable.size());
    if (wanted != "drop" && wanted != "mask" && !wanted.empty()) {
      return "TOFUD_PROVISIONER_OUTPUT is " + std::string{wanted} +
             "; it may be mask (what is printed leaves without its secrets) or drop";
    }
    if (wanted == "drop") made.provisioners = redact::provisioner_output::drop;
  }
  if (mask_file.empty()) return made;
  auto found = read_mask_file(mask_file);
  if (!found) return found.error();
  for (secret& each : *found) made.secrets.push_back(std::move(each));
  return made;
}

std::string frozen_mask_path(const std::string& spool_path) {
  constexpr std::string_view ending = ".jsonl";
  std::string path = spool_path;
  if (path.ends_with(ending)) path.resize(path.size() - ending.size());
  return path + ".mask";
}

boost::system::result<redact::rules, std::string> read_frozen_mask(const std::string& path) {
  // Up to four times as large as what went in: hex, names, and the environment beside the file.
  constexpr std::size_t most = 64 * limits::mib;
  const auto [text, failure] = read_file(path, most);
  if (!failure.empty()) return "the mask " + path + " can't be read: " + failure;
  auto found = redact::parse_mask_file(text);
  if (!found) return path + ": " + found.error();
  return found;
}

boost::system::result<redact::rules, std::string> frozen_rules(const std::string& spool_path,
                                                               const environment_list& environment,
                                                               const std::string& mask_file) {
  const std::string path = frozen_mask_path(spool_path);
  if (::access(path.c_str(), F_OK) == 0) return read_frozen_mask(path);
  auto made = rules_here(environment, mask_file);
  if (!made) return made;
  // Whole under its name or not at all: a torn one would keep the stream here for good.
  const std::string part = path + "." + std::to_string(::getpid()) + ".part";
  const auto failed = [&](int error) {
    ::unlink(part.c_str());
    return "the mask " + path + " can't be written: " + std::strerror(error);
  };
  {
    const closes file{
        ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
    if (file.fd < 0) return failed(errno);
    if (!terminal::write_all(file.fd, redact::to_mask_file(*made))) return failed(errno);
    if (::fsync(file.fd) != 0) return failed(errno);
  }
  // A link refuses what is there already: then another was first, and its rules hold.
  const bool first = ::link(part.c_str(), path.c_str()) == 0;
  const int error = errno;
  if (!first && error != EEXIST) return failed(error);
  ::unlink(part.c_str());
  if (!first) return read_frozen_mask(path);
  return made;
}

}  // namespace tofud
