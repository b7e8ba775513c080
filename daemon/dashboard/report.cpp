#include "daemon/dashboard/report.hpp"

#include <algorithm>
#include <cstdint>

namespace tofud::dashboard {
namespace {

/// Inside JSON a `<` stands in strings alone, and there it may be written like this. Then neither
/// `</script` nor `<!--` can appear.
void append_rows(std::string& out, std::string_view rows) {
  for (std::size_t begin = 0; begin < rows.size();) {
    const std::size_t end = std::min(rows.find('<', begin), rows.size());
    out.append(rows.substr(begin, end - begin));
    if (end < rows.size()) out.append("\\u003c");
    begin = end + 1;
  }
}

void append_attribute(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '&')
      out.append("&amp;");
    else if (c == '"')
      out.append("&quot;");
    else if (c == '<')
      out.append("&lt;");
    else
      out.push_back(c);
  }
}

unsigned value_of(char hex) {
  return static_cast<unsigned>(hex <= '9' ? hex - '0' : hex - 'a' + 10);
}

/// Base64 of what the hexadecimal digits stand for, as a policy writes a hash.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view alphabet{
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"};
  std::string out;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char digit : hex) {
    bits = bits << 4U | value_of(digit);
    count += 4;
    if (count < 6) continue;
    count -= 6;
    out.push_back(alphabet[bits >> count & 63U]);
  }
  if (count > 0) out.push_back(alphabet[bits << (6 - count) & 63U]);
  while (out.size() % 4 != 0) out.push_back('=');
  return out;
}

}  // namespace

std::string report(const asset& script, const asset& style, const report_text& text) {
  std::string out;
  const std::size_t rows = text.rows.size() + (text.plan ? text.plan->rows.size() : 0);
  out.reserve(rows + rows / 64 + text.licences.size() + script.bytes.size() + style.bytes.size() +
              4096);
  out.append(
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'sha256-");
  out.append(base64_of_hex(script.sha256)).append("'; style-src 'sha256-");
  out.append(base64_of_hex(style.sha256));
  out.append(
      "'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for "
      "'script'; trusted-types 'none'\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>tofud</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>");
  out.append(style.bytes);
  out.append(
      "</style>\n<body>\n<div id=\"page\"></div>\n<noscript>This page needs JavaScript; its rows "
      "are in its source.</noscript>\n<script type=\"application/x-ndjson\" id=\"rows\" "
      "data-cut=\"");
  append_attribute(out, text.cut);
  out.append("\" data-server=\"");
  append_attribute(out, text.server);
  out.append("\">\n");
  append_rows(out, text.rows);
  out.append("</script>\n");
  if (text.plan) {
    out.append("<script type=\"application/x-ndjson\" id=\"plan-rows\" data-name=\"");
    append_attribute(out, text.plan->name);
    out.append("\" data-run=\"");
    append_attribute(out, text.plan->run);
    out.append("\">\n");
    append_rows(out, text.plan->rows);
    out.append("</script>\n");
  }
  out.append("<script type=\"text/plain\" id=\"licences\">\n");
  out.append(text.licences);
  out.append("</script>\n<script>");
  out.append(script.bytes);
  out.append("</script>\n");
  return out;
}

}  // namespace tofud::dashboard
