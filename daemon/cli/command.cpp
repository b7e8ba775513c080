#include "daemon/cli/command.hpp"

#include <algorithm>
#include <csignal>
#include <sys/stat.h>
#include <utility>

namespace tofud::cli {

option::option(std::string_view names, target into, std::string help)
    : spelled_{names}, help_{std::move(help)}, into_{std::move(into)} {
  if (!names.starts_with('-')) {
    operand_ = names;
    return;
  }
  for (std::string_view rest = names; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    names_.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::stable_partition(names_.begin(), names_.end(),
                        [](const std::string& name) { return name.starts_with("--"); });
}

option& option::value(std::string name) {
  value_ = std::move(name);
  value_is_named_ = true;
  return *this;
}

option& option::one_of(std::vector<std::string> words) {
  words_ = std::move(words);
  return *this;
}

option& option::told_words(std::vector<std::string> words) {
  words_are_checked_ = false;
  return one_of(std::move(words));
}

option& option::check(std::function<std::string(const std::string&)> wrong) {
  wrong_ = std::move(wrong);
  return *this;
}

option& option::variable(std::string name) {
  variable_ = std::move(name);
  return *this;
}

option& option::required() {
  is_required_ = true;
  return *this;
}

option& option::one_each() {
  one_each_ = true;
  return *this;
}

option& option::excludes(option& other) {
  excluded_.push_back(&other);
  return *this;
}

option& option::group(std::string heading) {
  group_ = std::move(heading);
  return *this;
}

bool option::is_flag() const {
  return std::holds_alternative<bool*>(into_) || std::holds_alternative<read_flag>(into_);
}

command& command::add_command(std::string name, std::string description) {
  return commands_.emplace_back(std::move(name), std::move(description));
}

option& command::add_option(std::string_view names, std::string& into, std::string help) {
  return options_.emplace_back(names, &into, std::move(help));
}

option& command::add_option(std::string_view names, std::vector<std::string>& into,
                            std::string help) {
  return options_.emplace_back(names, &into, std::move(help));
}

option& command::add_option(std::string_view names, std::uint64_t& into, std::string help) {
  return options_.emplace_back(names, &into, std::move(help));
}

option& command::read_option(std::string_view names, option::read_text read, std::string help) {
  return options_.emplace_back(names, std::move(read), std::move(help));
}

option& command::read_options(std::string_view names, option::read_texts read, std::string help) {
  return options_.emplace_back(names, std::move(read), std::move(help));
}

option& command::read_number(std::string_view names, option::read_number read, std::string help) {
  return options_.emplace_back(names, std::move(read), std::move(help));
}

option& command::add_flag(std::string_view names, bool& into, std::string help) {
  return options_.emplace_back(names, &into, std::move(help));
}

option& command::read_flag(std::string_view names, option::read_flag read, std::string help) {
  return options_.emplace_back(names, std::move(read), std::move(help));
}

void ends_with_its_reader() { std::signal(SIGPIPE, SIG_DFL); }

std::string existing_file(const std::string& path) {
  struct stat there {};
  if (::stat(path.c_str(), &there) != 0) return "there is no file " + path;
  return S_ISDIR(there.st_mode) ? path + " is a directory" : "";
}

}  // namespace tofud::cli
