#include "daemon/redaction/redaction.hpp"

#include "daemon/files/checked_file.hpp"
#include "daemon/files/descriptor.hpp"
#include "daemon/files/regular_file.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/redaction/errors.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/redact/line_redactor.hpp"
#include "protocol/redact/stream_redactor.hpp"
#include "protocol/text/ascii.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::redaction {
namespace {

using redact::secret;

constexpr std::size_t salt_bytes = 16;

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

}  // namespace

text::result<std::vector<secret>> parse_mask_lines(std::string_view text) {
  std::vector<secret> found;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text::trimmed(text.substr(0, end), " \t\r");
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (line.size() < limits::secret_bytes) {
      return text::failure{error::short_line, number, line.size(), limits::secret_bytes};
    }
    const std::size_t equals = line.find('=');
    const std::string_view name = line.substr(0, equals);
    std::string_view value =
        equals == line.npos ? line : text::trimmed(line.substr(equals + 1), " \t\r");
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
      return text::failure{error::short_value, number, name, value.size(), limits::secret_bytes};
    }
    found.push_back({std::string{name}, std::string{value}});
    // A value may look like NAME=value itself.
    found.push_back({"mask-file", std::string{line}});
  }
  return found;
}

namespace {

text::result<std::vector<secret>> read_mask_file(const std::string& path) {
  const auto text = files::read_regular_file(path, limits::mask_file_bytes);
  if (!text) return text::failure{error::mask_file, text.error()};
  auto found = parse_mask_lines(*text);
  if (!found) return text::failure{error::bad_mask_file, path, found.error()};
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
  return found ? "" : found.error().text();
}

text::result<redact::rules> rules_here(const environment_list& environment,
                                       const std::string& mask_file) {
  redact::rules made;
  made.salt = new_salt();
  made.secrets = secrets_of(environment);
  for (const std::string& each : environment) {
    constexpr std::string_view variable = "TOFUD_PROVISIONER_OUTPUT=";
    if (!each.starts_with(variable)) continue;
    const std::string_view wanted = std::string_view{each}.substr(variable.size());
    if (wanted != "drop" && wanted != "mask" && !wanted.empty()) {
      return text::failure{error::provisioner_output, wanted};
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

text::result<redact::rules> read_frozen_mask(const std::string& path) {
  // Up to four times as large as what went in: hex, names, and the environment beside the file.
  constexpr std::size_t most = 64 * limits::mib;
  const auto text = files::read_regular_file(path, most);
  if (!text) return text::failure{error::unreadable_mask, text.error()};
  auto found = redact::parse_mask_file(*text);
  if (!found) return text::failure{error::bad_mask, path, found.error()};
  return found;
}

text::result<redact::rules> rules_of_stream(const std::string& stream_path,
                                            const std::string& mask_file,
                                            const environment_list& variables) {
  const std::string frozen = stream_path.empty() ? "" : frozen_mask_path(stream_path);
  if (!frozen.empty() && ::access(frozen.c_str(), F_OK) == 0) return read_frozen_mask(frozen);
  return rules_here(environment_with(variables), mask_file);
}

std::string redacted(const std::string& text, const redact::rules& by) {
  std::string out;
  redact::stream_redactor redactor{by};
  redactor.feed(text, out);
  redactor.finish(out);
  return out;
}

// A name for a label is a text like any other: CI systems and scripts put variables into it.
void redact_labels(std::vector<feed::label>& labels, const text_redactor& redacted) {
  for (feed::label& label : labels) {
    label.key = redacted(label.key);
    label.value = redacted(label.value);
    // `secret_key=…` is known by both: what was given as KEY=VALUE is parted at the first sign.
    const std::string given = label.key + "=" + label.value;
    const std::string kept = redacted(given);
    if (kept == given) continue;
    const std::size_t sign = std::min(kept.find('='), kept.size());
    label = {kept.substr(0, sign), kept.substr(std::min(sign + 1, kept.size()))};
  }
}

void redact_labels(std::vector<feed::label>& labels, const redact::rules& by) {
  redact_labels(labels, [&by](const std::string& text) { return redacted(text, by); });
}

correlator::run_identity redacted(correlator::run_identity identity, const redact::rules& by) {
  identity.stack = redacted(identity.stack, by);
  redact_labels(identity.labels, by);
  return identity;
}

text::result<redact::rules> frozen_rules(const std::string& spool_path,
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
    return text::failure{error::unwritable_mask, path, std::strerror(error)};
  };
  {
    const files::descriptor file{files::open_checked(part, O_WRONLY | O_CREAT | O_EXCL)};
    if (!file) return failed(errno);
    if (!files::write_all(file.get(), redact::to_mask_file(*made))) return failed(errno);
    if (::fsync(file.get()) != 0) return failed(errno);
  }
  // A link refuses what is there already: then another was first, and its rules hold.
  const bool first = ::link(part.c_str(), path.c_str()) == 0;
  const int error = errno;
  if (!first && error != EEXIST) return failed(error);
  ::unlink(part.c_str());
  if (!first) return read_frozen_mask(path);
  return made;
}

std::function<std::string(std::string_view)> of_texts(const redact::rules& rules) {
  const auto redactor =
      std::make_shared<redact::line_redactor>(std::make_shared<const redact::ready_rules>(rules));
  return [redactor](std::string_view text) {
    std::string out;
    for (;;) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      redactor->redact(text.substr(0, end), out);
      if (end == text.size()) return out;
      out.push_back('\n');
      text.remove_prefix(end + 1);
    }
  };
}

}  // namespace tofud::redaction
