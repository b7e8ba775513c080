#include "daemon/terminal/gitlab.hpp"

#include <chrono>

namespace tofud::terminal::gitlab {
namespace {

std::string marker(std::string_view kind, std::string_view name, std::optional<ui::time_point> at) {
  using std::chrono::duration_cast, std::chrono::seconds;
  const auto time = at ? duration_cast<seconds>(at->time_since_epoch()).count() : 0;
  std::string text = "\x1b[0K";
  text.append(kind).append(":").append(std::to_string(time)).append(":").append(name);
  return text + "\r\x1b[0K";
}

}  // namespace

std::string section_start(std::string_view name, std::string_view title,
                          std::optional<ui::time_point> at) {
  return marker("section_start", name, at) + std::string{title};
}

std::string section_end(std::string_view name, std::optional<ui::time_point> at) {
  return marker("section_end", name, at);
}

}  // namespace tofud::terminal::gitlab
