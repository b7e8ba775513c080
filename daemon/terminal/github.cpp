#include "daemon/terminal/github.hpp"

#include "daemon/terminal/limits.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "daemon/terminal/style.hpp"
#include "protocol/feed/annotations.hpp"

#include <filesystem>
#include <utility>

namespace tofud::terminal::github {
namespace {

// Of actions/toolkit, command.ts: escapeData and escapeProperty.
std::string escaped(std::string_view text, std::string_view besides) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || besides.find(c) != std::string_view::npos) {
      constexpr std::string_view digits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      out.push_back('%');
      out.push_back(digits[byte >> 4U]);
      out.push_back(digits[byte & 15U]);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// The older form of commands is looked for anywhere in a line.
std::string unbracketed(std::string text) {
  for (std::size_t at = 0; (at = text.find("##[", at)) != std::string::npos;) {
    text.insert(at + 2, " ");
  }
  return text;
}

std::string escaped_text(std::string_view text) {
  return escaped(unbracketed(std::string{text}), "");
}

std::string escaped_property(std::string_view text) {
  return escaped(unbracketed(std::string{text}), ":,");
}

// No character is cut in two.
std::string beginning(std::string text) {
  if (text.size() <= limits::annotation_bytes) return text;
  std::size_t end = limits::annotation_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return text.substr(0, end) + "…";
}

}  // namespace

std::string group(std::string_view title) { return "::group::" + escaped_text(one_line(title)); }

std::string folder(std::string_view workspace, std::string_view place) {
  while (workspace.ends_with('/')) workspace.remove_suffix(1);
  if (workspace.empty() || !place.starts_with(workspace)) return "";
  place.remove_prefix(workspace.size());
  return std::string{place.starts_with('/') ? place.substr(1) : std::string_view{}};
}

std::string annotation(const feed::diagnostic_row& diagnostic, std::string_view folder,
                       const feed::annotations& said) {
  std::string text = diagnostic.severity == "error" ? "::error " : "::warning ";
  if (diagnostic.range) {
    std::string file = one_line(diagnostic.range->filename);
    if (!folder.empty()) file.insert(0, std::string{folder} + "/");
    // GitHub attaches "net/../mods/main.tf" to no line.
    file = std::filesystem::path{file}.lexically_normal().string();
    text += "file=" + escaped_property(file);
    text += ",line=" + std::to_string(diagnostic.range->start.line);
    if (diagnostic.range->end.line > diagnostic.range->start.line) {
      text += ",endLine=" + std::to_string(diagnostic.range->end.line);
    }
    text += ",";
  }
  text += "title=" + escaped_property(one_line(diagnostic.summary)) + "::";
  std::string body = sanitize(diagnostic.detail, colours::strip);
  if (!diagnostic.address.empty()) {
    body.insert(0, one_line(diagnostic.address) + (body.empty() ? "" : ": "));
  }
  if (body.empty()) body = one_line(diagnostic.summary);
  const std::string words = one_line(feed::in_words(said));
  return text + escaped_text(beginning(std::move(body)) + (words.empty() ? "" : "\n") + words);
}

std::string defused(std::string_view line) {
  std::string out = unbracketed(std::string{line});
  // Whatever might count as white space: controls, blanks, and everything beyond ASCII.
  std::size_t first = 0;
  while (first < out.size()) {
    const auto byte = static_cast<unsigned char>(out[first]);
    if (byte > 0x20 && byte < 0x7f) break;
    ++first;
  }
  if (first < out.size() && out[first] == ':') out.insert(0, "| ");
  return out;
}

std::string defused_json(std::string text) {
  // Outside strings there is no '#', and no line of a document begins with a colon.
  for (std::size_t at = 0; (at = text.find("##[", at)) != std::string::npos;) {
    text.replace(at + 2, 1, "\\u005b");
  }
  return text;
}

std::string defused_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += defused(text.substr(0, end));
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace tofud::terminal::github
