#include "daemon/operations/exposition.hpp"

#include <array>
#include <charconv>

namespace tofud::operations {
namespace {

void append_escaped(std::string& out, std::string_view value) {
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
}

/// The shortest text that reads back as the same number; without an exponent where people would
/// write none.
std::string text_of(double value) {
  constexpr double small = 1e-4;
  constexpr double large = 1e15;
  const bool plain = value == 0 || (value >= small && value < large);
  const auto form = plain ? std::chars_format::fixed : std::chars_format::general;
  std::array<char, 48> room;
  return {room.data(), std::to_chars(room.data(), room.data() + room.size(), value, form).ptr};
}

}  // namespace

void exposition::counter(std::string_view name, std::string_view help) {
  family(name, help, "counter");
}

void exposition::gauge(std::string_view name, std::string_view help) {
  family(name, help, "gauge");
}

void exposition::family(std::string_view name, std::string_view help, std::string_view type) {
  name_ = name;
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
  text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void exposition::sample(labels of, double value) { line("", of, value); }

void exposition::line(std::string_view suffix, labels of, double value) {
  text_.append(name_).append(suffix);
  char before = '{';
  for (const label& each : of) {
    text_.push_back(before);
    text_.append(each.name).append("=\"");
    append_escaped(text_, each.value);
    text_.push_back('"');
    before = ',';
  }
  if (before == ',') text_.push_back('}');
  text_.append(" ").append(text_of(value)).append("\n");
}

void exposition::histogram(std::string_view name, std::string_view help,
                           const tofud::text::histogram& counted) {
  family(name, help, "histogram");
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < counted.bounds().size(); ++i) {
    below += counted.at(i);
    const std::string bound = text_of(counted.bounds()[i]);
    line("_bucket", {{"le", bound}}, static_cast<double>(below));
  }
  line("_bucket", {{"le", "+Inf"}}, static_cast<double>(counted.count()));
  line("_sum", {}, counted.sum());
  line("_count", {}, static_cast<double>(counted.count()));
}

}  // namespace tofud::operations
