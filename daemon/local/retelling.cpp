#include "daemon/local/retelling.hpp"

#include "daemon/local/limits.hpp"

#include <chrono>
#include <cstdlib>
#include <unistd.h>

namespace tofud {
namespace {

using all_text = std::variant<terminal::tofu_text, terminal::plan_telling>;

text::ink::colours colours_of(const view_options& view) {
  const bool coloured =
      view.wrapped->tells_plan
          ? view.wrapped->coloured
          : terminal::wants_colour(view.colour, ::isatty(STDOUT_FILENO) != 0, ::getenv);
  return coloured ? text::ink::colours::yes : text::ink::colours::no;
}

all_text text_for(const view_options& view, terminal::line_sink out, terminal::line_sink err) {
  const auto colours = colours_of(view);
  if (!view.wrapped->tells_plan)
    return all_text{std::in_place_type<terminal::tofu_text>, std::move(out), std::move(err),
                    colours};
  return all_text{std::in_place_type<terminal::plan_telling>,
                  terminal::plan_telling::part::before_plan, std::move(out), std::move(err),
                  colours};
}

}  // namespace

retelling::retelling(keeper::stream_page& page, const view_options& view)
    : page_{page},
      told_before_{page.passed_on},
      out_{STDOUT_FILENO,
           [this](std::uint64_t lines) {
             on_out_ = lines;
             publish();
           }},
      err_{STDERR_FILENO,
           [this](std::uint64_t lines) {
             on_err_ = lines;
             publish();
           }},
      text_{text_for(view, to(out_), to(err_))} {}

terminal::line_sink retelling::to(terminal::line_writer& writer) {
  return [this, &writer](std::string_view line) {
    if (told_++ < told_before_) return;
    ++queued_;
    writer.write(line);
  };
}

// In either writer's thread, or the worker's.
void retelling::publish() {
  const std::uint64_t fed = fed_;
  const std::uint64_t out = on_out_ + on_err_;
  page_.passed_on = told_before_ + out;
  if (out != queued_) return;
  for (std::uint64_t known = page_.retold; known < fed;) {
    if (page_.retold.compare_exchange_weak(known, fed)) return;
  }
}

void retelling::feed(std::string_view bytes) {
  std::visit([&](auto& text) { text.feed(bytes); }, text_);
  fed_ += bytes.size();
  publish();
}

void retelling::end() {
  using clock = std::chrono::steady_clock;
  std::visit([](auto& text) { text.end(); }, text_);
  const auto end = clock::now() + limits::first_line_wait;
  while (!drained() && clock::now() < end) ::usleep(1000);
}

}  // namespace tofud
