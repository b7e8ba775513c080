#include "daemon/spool/recording.hpp"

#include "daemon/files/errors.hpp"
#include "daemon/files/gunzip.hpp"
#include "protocol/ui/parse_message.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tofud::spool {
namespace {

using std::chrono::microseconds;

std::string without_ending(std::string name, std::string_view ending) {
  if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

}  // namespace

text::result<recording> recording::open(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed))
    return text::failure{files::error::stream_directory, path};
  // zlib reads plain files as they are.
  gzFile file = gzopen(path.c_str(), "rbe");
  if (file == nullptr) return text::failure{files::error::unreadable, path, std::strerror(errno)};
  recording found;
  std::array<char, 65536> piece{};
  int count = 0;
  while ((count = gzread(file, piece.data(), piece.size())) > 0) {
    found.bytes_.insert(found.bytes_.end(), piece.data(), piece.data() + count);
  }
  int code = Z_OK;
  const std::string why = gzerror(file, &code);
  gzclose(file);
  if (count < 0 || (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)) {
    return text::failure{files::error::unreadable, path,
                         code == Z_ERRNO ? std::string{std::strerror(errno)} : why};
  }
  if (code == Z_BUF_ERROR) return text::failure{files::error::torn, path};
  const std::string plain = without_ending(path, ".gz");
  const std::filesystem::path stem = std::filesystem::path{plain}.replace_extension();
  found.id_ = stem.filename().string();
  found.cut_lines();
  if (!found.take_timing(stem.string() + ".timing")) found.take_stamps();
  std::ifstream events{stem.string() + ".events", std::ios::binary};
  found.events_.assign(std::istreambuf_iterator<char>{events}, {});
  return found;
}

recording recording::of(std::string id, std::string_view bytes) {
  recording made;
  made.id_ = std::move(id);
  files::gunzip unpacked{[&](std::string_view piece) {
    made.bytes_.insert(made.bytes_.end(), piece.begin(), piece.end());
  }};
  unpacked.feed(bytes);
  unpacked.end();
  made.cut_lines();
  made.take_stamps();
  return made;
}

void recording::cut_lines() {
  std::string_view rest = bytes();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    lines_.push_back({rest.substr(0, end), {}});
    rest.remove_prefix(end);
  }
}

bool recording::take_timing(const std::string& path) {
  std::ifstream file{path};
  if (!file) return false;
  double seconds = 0;
  std::optional<double> first;
  microseconds latest{0};
  for (recorded_line& line : lines_) {
    if (file >> seconds) {
      if (!first) first = seconds;
      latest = std::max(latest, microseconds{static_cast<std::int64_t>((seconds - *first) * 1e6)});
    }
    line.at = latest;
  }
  return first.has_value();
}

void recording::take_stamps() {
  ui::message_parser parser;
  std::optional<ui::time_point> first;
  microseconds latest{0};
  for (recorded_line& line : lines_) {
    const auto& parsed = parser.parse(line.bytes);
    if (parsed.head && parsed.head->at) {
      if (!first) first = parsed.head->at;
      latest = std::max(latest, *parsed.head->at - *first);
    }
    line.at = latest;
  }
}

}  // namespace tofud::spool
