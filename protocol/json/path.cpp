#include "protocol/json/path.hpp"

#include "protocol/json/limits.hpp"
#include "protocol/json/quote.hpp"

#include <algorithm>

namespace tofud::json {
namespace {

bool is_plain(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

}  // namespace

std::string path_of_member(const std::string& above, std::string_view key) {
  if (is_plain(key) && key.size() <= limits::schema_name_bytes) {
    std::string path = above;
    if (!path.empty()) path.push_back('.');
    return path.append(key);
  }
  std::string path = above + "[";
  append_quoted_cut(path, key, limits::schema_name_bytes);
  return path + "]";
}

std::string path_of_element(const std::string& above, std::size_t index) {
  return above + "[" + std::to_string(index) + "]";
}

}  // namespace tofud::json
