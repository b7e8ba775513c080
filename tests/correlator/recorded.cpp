#include "tests/correlator/recorded.hpp"

#include "daemon/pipeline/final_rows.hpp"
#include "daemon/spool/recording.hpp"
#include "tests/paths.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace tofud::test {

std::ostream& operator<<(std::ostream& out, const recorded& stream) {
  return out << stream.scenario << "/" << stream.stem;
}

std::vector<recorded> all_recordings() {
  std::vector<recorded> found;
  for (const auto& folder : std::filesystem::directory_iterator{TEST_RECORDINGS}) {
    if (!folder.is_directory()) continue;
    for (const auto& file : std::filesystem::directory_iterator{folder}) {
      std::string name = file.path().filename().string();
      if (name.ends_with(".gz")) name.resize(name.size() - 3);
      if (!name.ends_with(".jsonl")) continue;
      name.resize(name.size() - 6);
      found.push_back({folder.path().filename().string(), name, file.path()});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const recorded& a, const recorded& b) { return a.path < b.path; });
  return found;
}

std::optional<std::string> read_file(const std::filesystem::path& path) {
  for (const std::filesystem::path& each : {path, std::filesystem::path{path.string() + ".gz"}}) {
    if (!std::filesystem::exists(each)) continue;
    const auto file = spool::recording::open(each.string());
    if (file) return std::string{file->bytes()};
  }
  return {};
}

std::optional<int> exit_status(const recorded& stream) {
  const std::string name = stream.stem == "stream" ? "exit.txt" : stream.stem + ".exit.txt";
  std::ifstream file{stream.path.parent_path() / name};
  std::string text;
  if (!std::getline(file, text)) return {};
  if (text.starts_with("signal ")) return 128 + std::stoi(text.substr(7));
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return {};
  return std::stoi(text);
}

std::string rows_of(std::string_view id, std::string_view bytes,
                    const std::function<std::size_t(std::size_t left)>& next_piece,
                    std::size_t settled) {
  correlator::run_identity identity;
  identity.id = id;
  pipeline::engine engine{std::move(identity)};
  const pipeline::final_rows rows{engine};
  while (!bytes.empty()) {
    const std::size_t size = std::min(next_piece(bytes.size()), bytes.size());
    engine.feed(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  while (!engine.end_some(settled)) EXPECT_FALSE(engine.snapshot()) << "of half an end";
  std::string text;
  rows.write([&](std::string_view piece) {
    text.append(piece);
    return true;
  });
  return text;
}

std::string rows_of(std::string_view id, std::string_view bytes) {
  return rows_of(id, bytes, [](std::size_t left) { return left; });
}

std::vector<boost::json::object> parse_rows(std::string_view rows) {
  boost::json::parse_options deep;
  deep.max_depth = 1000;
  std::vector<boost::json::object> found;
  while (!rows.empty()) {
    const std::size_t end = rows.find('\n');
    boost::system::error_code failed;
    const auto value =
        boost::json::parse(boost::json::string_view{rows.data(), end}, failed, {}, deep);
    EXPECT_FALSE(failed) << rows.substr(0, std::min<std::size_t>(end, 200));
    if (value.is_object()) found.push_back(value.get_object());
    rows.remove_prefix(end + 1);
  }
  return found;
}

}  // namespace tofud::test
