#include "daemon/operations/log_format.hpp"

#include "protocol/json/quote.hpp"
#include "protocol/ui/timestamp.hpp"

#include <array>
#include <cstdio>
#include <sys/stat.h>
#include <syslog.h>

namespace tofud::operations {
namespace {

struct level_word {
  std::string_view word;
  spdlog::level::level_enum level;
};
constexpr std::array<level_word, 4> levels{{{"debug", spdlog::level::debug},
                                            {"info", spdlog::level::info},
                                            {"warning", spdlog::level::warn},
                                            {"error", spdlog::level::err}}};

void append_hex(std::string& out, unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  out.append("\\x").push_back(digits[byte >> 4U]);
  out.push_back(digits[byte & 0xFU]);
}

/// C0, DEL, and C1 in its UTF-8 form: terminals obey all three.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto after = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if (byte == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      append_hex(out, byte);
    } else if (byte == 0xC2 && after >= 0x80 && after < 0xA0) {
      append_hex(out, byte);
      append_hex(out, static_cast<unsigned char>(after));
      ++i;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

std::string stamp(std::chrono::system_clock::time_point at) {
  std::string text;
  ui::append_timestamp(text, std::chrono::time_point_cast<std::chrono::microseconds>(at));
  return text;
}

std::string left_out_words(std::uint64_t count) {
  return " (" + std::to_string(count) + " more like this were left out)";
}

int priority(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::critical:
      return LOG_CRIT;
    case spdlog::level::err:
      return LOG_ERR;
    case spdlog::level::warn:
      return LOG_WARNING;
    case spdlog::level::info:
      return LOG_INFO;
    default:
      return LOG_DEBUG;
  }
}

}  // namespace

std::optional<log_format> parse_log_format(std::string_view word) {
  if (word == "text") return log_format::text;
  if (word == "json") return log_format::json;
  if (word == "journal") return log_format::journal;
  return std::nullopt;
}

std::optional<spdlog::level::level_enum> parse_log_level(std::string_view word) {
  for (const level_word& each : levels) {
    if (each.word == word) return each.level;
  }
  return std::nullopt;
}

std::string_view name(spdlog::level::level_enum level) {
  for (const level_word& each : levels) {
    if (each.level == level) return each.word;
  }
  return level > spdlog::level::err ? "error" : "debug";
}

log_format format_for(const char* stream, int fd) {
  unsigned long long device = 0;
  unsigned long long inode = 0;
  struct stat is {};
  if (stream == nullptr || std::sscanf(stream, "%llu:%llu", &device, &inode) != 2 ||
      ::fstat(fd, &is) != 0) {
    return log_format::text;
  }
  return is.st_dev == device && is.st_ino == inode ? log_format::journal : log_format::text;
}

std::string as_text(const log_line& line) {
  std::string out = stamp(line.at);
  out.append(" ").append(name(line.level)).append(" ").append(escaped(line.text));
  if (!line.peer.empty()) out.append(" [").append(escaped(line.peer)).append("]");
  if (line.left_out > 0) out += left_out_words(line.left_out);
  out.push_back('\n');
  return out;
}

std::string as_json(const log_line& line) {
  std::string out = "{\"time\":\"" + stamp(line.at) + "\",\"level\":\"";
  out.append(name(line.level)).append("\",\"event\":\"").append(line.kind.name);
  out.append("\",\"message\":");
  json::append_quoted(out, line.text);
  if (!line.run.empty()) json::append_quoted(out.append(",\"run\":"), line.run);
  if (!line.peer.empty()) json::append_quoted(out.append(",\"peer\":"), line.peer);
  if (line.left_out > 0) out.append(",\"left_out\":").append(std::to_string(line.left_out));
  out.append("}\n");
  return out;
}

std::vector<std::string> as_journal_fields(const log_line& line) {
  std::vector<std::string> fields;
  const auto add = [&fields](std::string_view field, std::string_view value) {
    if (!value.empty()) fields.push_back(std::string{field}.append("=").append(value));
  };
  std::string text = escaped(line.text);
  if (line.left_out > 0) text += left_out_words(line.left_out);
  add("MESSAGE", text);
  add("PRIORITY", std::to_string(priority(line.level)));
  add("SYSLOG_IDENTIFIER", "tofud");
  add("MESSAGE_ID", line.kind.message_id);
  add("TOFUD_EVENT", line.kind.name);
  add("TOFUD_RUN", escaped(line.run));
  add("TOFUD_PEER", escaped(line.peer));
  if (line.left_out > 0) add("TOFUD_LEFT_OUT", std::to_string(line.left_out));
  return fields;
}

}  // namespace tofud::operations
