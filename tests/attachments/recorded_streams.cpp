#include "tests/attachments/recorded_streams.hpp"

#include "daemon/spool/recording.hpp"
#include "tests/paths.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace tofud::test {

namespace fs = std::filesystem;

std::vector<scenario> recorded_scenarios() {
  std::vector<scenario> found;
  for (const auto& folder : fs::directory_iterator{TEST_RECORDINGS}) {
    if (!folder.is_directory()) continue;
    scenario next{folder.path().filename().string(), folder.path(), {}};
    for (const auto& inside : fs::directory_iterator{folder}) {
      const std::string name = inside.path().filename().string();
      if (inside.is_directory() && name.starts_with("config")) next.configurations.push_back(name);
    }
    std::sort(next.configurations.begin(), next.configurations.end());
    if (!next.configurations.empty()) found.push_back(std::move(next));
  }
  return found;
}

std::vector<recorded_file> files_of(const scenario& of, std::string_view ending) {
  std::vector<recorded_file> found;
  for (const auto& file : fs::directory_iterator{of.folder}) {
    std::string name = file.path().filename().string();
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    if (!name.ends_with(ending)) continue;
    const auto opened = spool::recording::open(file.path().string());
    if (!opened) {
      ADD_FAILURE() << opened.error().text();
      continue;
    }
    found.push_back({std::move(name), std::string{opened->bytes()}});
  }
  return found;
}

std::vector<boost::json::value> messages_of(std::string_view stream) {
  std::vector<boost::json::value> found;
  while (!stream.empty()) {
    const std::string_view line = stream.substr(0, stream.find('\n'));
    stream.remove_prefix(std::min(line.size() + 1, stream.size()));
    boost::system::error_code ec;
    boost::json::value parsed =
        boost::json::parse(boost::json::string_view{line.data(), line.size()}, ec);
    if (!ec && parsed.is_object()) found.push_back(std::move(parsed));
  }
  return found;
}

const boost::json::value& at(const boost::json::value& from,
                             std::initializer_list<std::string_view> path) {
  static const boost::json::value null;
  const boost::json::value* now = &from;
  for (const std::string_view key : path) {
    if (!now->is_object()) return null;
    now = now->as_object().if_contains({key.data(), key.size()});
    if (now == nullptr) return null;
  }
  return *now;
}

std::string text_at(const boost::json::value& from, std::initializer_list<std::string_view> path) {
  const boost::json::value& found = at(from, path);
  return found.is_string() ? std::string{found.as_string()} : std::string{};
}

std::string plain_address(const std::string& address) {
  static const std::regex key{R"re(\[("([^"\\]|\\.)*"|[0-9]+)\])re"};
  return std::regex_replace(address, key, "");
}

}  // namespace tofud::test
