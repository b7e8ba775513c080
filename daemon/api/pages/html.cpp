#include "daemon/api/pages/html.hpp"

#include "protocol/text/percent.hpp"
#include "protocol/text/utf8.hpp"

namespace tofud::pages {

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text::replace_invalid_utf8(text)) {
    switch (c) {
      case '&':
        out.append("&amp;");
        break;
      case '<':
        out.append("&lt;");
        break;
      case '>':
        out.append("&gt;");
        break;
      case '"':
        out.append("&quot;");
        break;
      case '\'':
        out.append("&#39;");
        break;
      case '\n':
      case '\t':
        out.push_back(c);
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out.append("\xEF\xBF\xBD");
        } else {
          out.push_back(c);
        }
    }
  }
}

std::string escaped(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  return out;
}

std::string element(std::string_view name, std::string_view class_name, std::string_view text) {
  std::string out{"<"};
  out.append(name);
  if (!class_name.empty()) out.append(" class=\"").append(class_name).append("\"");
  out.push_back('>');
  append_escaped(out, text);
  return out.append("</").append(name).append(">");
}

std::string page_start(const page_head& head) {
  std::string out{
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"};
  if (head.refresh_s > 0) {
    out.append("<meta http-equiv=\"refresh\" content=\"");
    out.append(std::to_string(head.refresh_s)).append("\">\n");
  }
  if (!head.then.empty())
    out.append("<meta http-equiv=\"refresh\" content=\"0;url=")
        .append(escaped(head.then))
        .append("\">\n");
  out.append(element("title", "", head.title));
  const std::string root = escaped(head.root);
  out.append("\n<link rel=\"stylesheet\" href=\"").append(root).append("plain.css\">\n");
  out.append("<link rel=\"icon\" href=\"data:,\">\n</head>\n");
  if (!head.links) return out.append("<body class=\"alone\">\n<main>\n");
  out.append("<body>\n<nav><strong class=\"home\">tofud</strong> ");
  out.append("<a href=\"").append(root).append("wall\">Wall</a> ");
  out.append("<a href=\"").append(root).append("runs\">Runs</a></nav>\n<main>\n");
  return out;
}

std::string page_end() { return "</main>\n</body>\n</html>\n"; }

std::string_view page_policy() {
  return "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; "
         "base-uri 'none'; frame-ancestors 'none'";
}

std::string href_of_run(std::string_view run, std::string_view root) {
  std::string href{root};
  href.append("?run=");
  text::append_percent_encoded(href, run);
  return escaped(href);
}

}  // namespace tofud::pages
