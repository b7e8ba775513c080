#include "tests/protocol/golden_cases.hpp"

#include "protocol/json/ranges.hpp"

#include <zlib.h>

#include <array>

namespace tofud::test {
namespace {

json::keep everything(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

}  // namespace

std::string unpacked(const std::string& path) {
  std::string text;
  const gzFile file = ::gzopen(path.c_str(), "rb");
  if (file == nullptr) return text;
  std::array<char, 65536> room{};
  int count = 0;
  while ((count = ::gzread(file, room.data(), room.size())) > 0)
    text.append(room.data(), static_cast<std::size_t>(count));
  ::gzclose(file);
  return text;
}

json::document_parser whole_document() { return json::document_parser{everything}; }

std::string_view golden_case::raw(std::string_view member) const {
  const auto members = json::members_of(line_);
  if (!members) return {};
  for (const json::range& each : *members)
    if (each.key == member) return each.text;
  return {};
}

std::string golden_case::string(std::string_view member) const {
  auto parser = whole_document();
  const std::string wrapped = "[" + std::string{raw(member)} + "]";
  if (parser.parse(wrapped)) return {};
  for (const json::value each : parser.root()) return std::string{each.text()};
  return {};
}

void for_each_case(const std::string& file, const std::function<void(const golden_case&)>& look) {
  const std::string text = unpacked(file);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    look(golden_case{rest.substr(0, end)});
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

}  // namespace tofud::test
