#include "protocol/recover/recovery_text.hpp"

#include "protocol/json/quote.hpp"

#include <string_view>

namespace tofud::recover {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  json::append_quoted(out, text);
  return out;
}

// An id is an expression, in JSON syntax a template.
std::string as_template(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (text[i] == '$' || text[i] == '%') && text.substr(i + 1).starts_with('{');
    if (begins) out.push_back(text[i]);
    out.push_back(text[i]);
  }
  return out;
}

void append_list(std::string& out, const std::vector<statement>& said, std::string_view indent) {
  out += "[";
  bool first = true;
  for (const statement& each : said) {
    out.append(first ? "\n" : ",\n")
        .append(indent)
        .append("  ")
        .append(json_string(to_string(each)));
    first = false;
  }
  if (!first) out.append("\n").append(indent);
  out += "]";
}

void append_origin(std::string& out, const provenance& from) {
  out += "    \"tofud\": {";
  bool first = true;
  const auto member = [&](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    out.append(first ? "\n" : ",\n").append("      ").append(json_string(name)).append(": ");
    out.append(json_string(value));
    first = false;
  };
  member("run", from.run);
  member("stream_sha256", from.stream_sha256);
  member("state", from.state);
  member("lineage", from.lineage);
  member("serial", from.serial);
  out.append(first ? "}" : "\n    }");
}

void append_block(std::string& out, const finding& about) {
  out += "    {\n      \"//\": ";
  append_list(out, statements_of(about), "      ");
  out += ",\n      \"to\": " + json_string(about.row->addr);
  out += ",\n      \"id\": " + json_string(as_template(about.id_value)) + "\n    }";
}

}  // namespace

std::string recovery_text(const recovery& found, const provenance& from,
                          const std::vector<statement>& said) {
  std::string out = "{\n  \"//\": {\n";
  append_origin(out, from);
  out += ",\n    \"said\": ";
  append_list(out, said, "    ");
  out += "\n  }";
  bool first = true;
  for (const finding& each : found.findings) {
    if (!gets_block(each.what)) continue;
    out += first ? ",\n  \"import\": [\n" : ",\n";
    append_block(out, each);
    first = false;
  }
  out += first ? "\n}\n" : "\n  ]\n}\n";
  return out;
}

}  // namespace tofud::recover
