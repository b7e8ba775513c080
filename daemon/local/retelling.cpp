#include "daemon/local/retelling.hpp"

#include "daemon/local/limits.hpp"

#include <chrono>
#include <cstdlib>
#include <unistd.h>

namespace tofud {
namespace {

text::ink::colours colours_of(terminal::colour_flag flag) {
  return terminal::wants_colour(flag, ::isatty(STDOUT_FILENO) != 0, ::getenv)
             ? text::ink::colours::yes
             : text::ink::colours::no;
}

}  // namespace

retelling::retelling(keeper::stream_page& page, terminal::colour_flag colour)
    : told_before_{page.passed_on},
      teller_{STDOUT_FILENO, [&page, before = told_before_](
                                 std::uint64_t lines) { page.passed_on = before + lines; }},
      text_{[this](std::string_view line) {
              if (told_++ >= told_before_) teller_.write(line);
            },
            colours_of(colour)} {}

void retelling::end() {
  using clock = std::chrono::steady_clock;
  text_.end();
  const auto end = clock::now() + limits::first_line_wait;
  while (!teller_.drained() && clock::now() < end) ::usleep(1000);
}

}  // namespace tofud
