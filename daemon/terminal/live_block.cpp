#include "daemon/terminal/live_block.hpp"

#include "daemon/terminal/cells.hpp"
#include "daemon/terminal/words.hpp"
#include "protocol/text/duration.hpp"

#include <algorithm>
#include <string_view>

namespace tofud::terminal {
namespace {

constexpr std::size_t age_cells = 7;        // "59m59s "; longer ones push the rest
constexpr std::size_t narrow = 30;          // below it there is room for the address only
constexpr std::size_t most_of_a_name = 40;  // in the bar
constexpr std::size_t least_tail = 10;      // of a provisioner's line; less tells nothing

std::string right(std::string_view text, std::size_t width) {
  const std::size_t taken = cells(text);
  return std::string(width - std::min(width, taken), ' ') + std::string{text};
}

std::string_view sign_of(const running_step& step) {
  return step.replaces ? std::string_view{"-/+"} : words(step.action).sign;
}

hue colour_of(const running_step& step) {
  if (step.replaces) return hue::yellow;
  switch (step.action) {
    case feed::step_action::create:
      return hue::green;
    case feed::step_action::update:
      return hue::yellow;
    case feed::step_action::remove:
      return hue::red;
    default:
      return hue::cyan;
  }
}

std::string age_of(const running_step& step, std::optional<ui::time_point> now) {
  if (!step.started_at || !now) return "";
  return text::duration(*now - *step.started_at);
}

// What people expect is about the work, not about a look at it.
bool is_late(const running_step& step, std::optional<ui::time_point> now) {
  const bool looks =
      step.action == feed::step_action::refresh || step.action == feed::step_action::read;
  return !looks && step.expect && step.started_at && now && *now - *step.started_at > *step.expect;
}

// "   2m10s + module.db.aws_in…b[0]  line of its provisioner"
std::string line_of(const running_step& step, const live_picture& picture, std::size_t width,
                    const style& look) {
  const auto now = picture.now;
  const std::string age =
      width < narrow ? std::string{} : right(age_of(step, now), age_cells) + " ";
  const std::string sign = right(sign_of(step), width < narrow ? 1 : 3) + " ";
  const std::size_t before = cells(age) + cells(sign);
  if (before + 1 >= width) return cut_end(age + sign, width, "");
  const std::size_t room = width - before;

  const std::string addr = in_charset(one_line(step.addr), look.set);
  std::string tail = in_charset(one_line(step.last_line), look.set);
  const auto behind = [&tail](std::string_view words) {
    tail = std::string{words} + (tail.empty() ? "" : ": ") + tail;
  };
  std::optional<std::chrono::microseconds> elapsed;
  if (now && step.started_at) elapsed = *now - *step.started_at;
  const usual_words usual = words_of(picture.usual, step, elapsed);
  if (is_late(step, now)) {
    behind("expected " + text::duration(*step.expect));
  } else if (usual.slower || (tail.empty() && !usual.text.empty())) {
    behind(usual.text);
  }
  if (tail.empty() && sign_of(step) == " ") tail = words(step.action).running;
  const std::size_t wanted = cells(addr);
  // The address gets what it needs, up to half the room where there is something to say besides.
  std::size_t given = std::min(wanted, room);
  if (!tail.empty() && width >= narrow) {
    const std::size_t rest = std::min(cells(tail) + 2, room);
    given = std::min(wanted, std::max(room / 2, room - rest));
  }
  const std::string shown = cut_middle(addr, given, look.cut());
  std::string line = look.paint(hue::dim, age) + look.paint(colour_of(step), sign) + shown;
  const std::size_t used = cells(shown) + 2;
  if (!tail.empty() && width >= narrow && room >= used + std::min(least_tail, cells(tail))) {
    line += "  " + look.paint(hue::dim, cut_end(tail, room - used, look.cut()));
  }
  return line;
}

// "12/41 · 3 running · 1 failed · 2m31s"
std::string bar_of(const live_picture& picture, std::size_t width, const style& look) {
  struct part {
    std::string text;
    hue colour = hue::none;
    bool gives_way = false;  // where not all have room
  };
  std::vector<part> parts;
  const feed::run_view& run = picture.run;
  const auto failed = run.counts[static_cast<std::size_t>(feed::resource_status::failed)];
  const bool planning = run.phase == feed::run_phase::plan;
  if (run.phase == feed::run_phase::approval) {
    parts.push_back({"waiting for approval", hue::yellow});
  } else if (run.progress.total > 0 && !planning) {
    parts.push_back(
        {std::to_string(run.progress.done) + "/" + std::to_string(run.progress.total), hue::bold});
  } else if (run.command == feed::run_command::test) {
    parts.push_back({"testing", hue::bold});
  } else if (planning) {
    parts.push_back({"planning", hue::bold});
    if (picture.refreshed > 0) parts.push_back({std::to_string(picture.refreshed) + " refreshed"});
    if (picture.planned > 0) parts.push_back({std::to_string(picture.planned) + " planned"});
  }
  if (picture.running->size() > 0) {
    parts.push_back({std::to_string(picture.running->size()) + " running"});
  }
  if (const auto waited = picture.running->most_waited_for()) {
    parts.push_back(
        {std::to_string(waited->count) + (waited->count == 1 ? " waits for " : " wait for ") +
             cut_middle(in_charset(one_line(waited->addr), look.set), most_of_a_name, look.cut()),
         hue::none, true});
  }
  if (failed > 0) parts.push_back({std::to_string(failed) + " failed", hue::red});
  if (run.started_at && picture.now) {
    parts.push_back({text::duration(*picture.now - *run.started_at)});
  }
  if (picture.estimate != nullptr && picture.now && !planning)
    parts.push_back({in_charset(feed::eta_text(*picture.estimate, *picture.now), look.set)});
  const auto wide = [&] {
    std::size_t all = 0;
    for (const part& each : parts) all += cells(each.text) + (all == 0 ? 0 : cells(look.dot()));
    return all > width;
  };
  if (wide()) std::erase_if(parts, [](const part& each) { return each.gives_way; });
  std::string line;
  std::size_t used = 0;
  for (const part& each : parts) {
    const std::string_view between = used == 0 ? std::string_view{} : look.dot();
    if (used + cells(between) >= width) break;
    const std::size_t room = width - used - cells(between);
    const std::string text = cut_end(each.text, room, look.cut());
    line.append(between).append(look.paint(each.colour, text));
    used += cells(between) + cells(text);
    if (text != each.text) break;
  }
  return line;
}

}  // namespace

std::vector<std::string> live_lines(const live_picture& picture, screen_size screen,
                                    const style& look) {
  // The last column stays free: some terminals break the line as soon as it is full.
  const std::size_t width = std::max<std::size_t>(screen.width, 2) - 1;
  const std::size_t most = std::max<std::size_t>(screen.height / 3, 1);
  std::vector<std::string> lines;
  const std::size_t count = picture.running->size();
  std::size_t shown = std::min(count, most - 1);
  const bool more = shown < count;
  if (more && shown > 0) --shown;  // the line that says how many
  for (const running_step* step : picture.running->oldest(shown)) {
    lines.push_back(line_of(*step, picture, width, look));
  }
  if (more && most > 1) {
    const std::string text =
        std::string{look.cut()} + " and " + std::to_string(count - shown) + " more";
    const std::size_t indent = width < narrow ? 0 : age_cells + 1;
    lines.push_back(
        look.paint(hue::dim, cut_end(std::string(indent, ' ') + text, width, look.cut())));
  }
  lines.push_back(bar_of(picture, width, look));
  return lines;
}

std::string drawn(const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text.append(i > 0 ? "\r\n" : "").append(lines[i]);
  }
  text += "\r";
  if (lines.size() > 1) text.append("\x1b[").append(std::to_string(lines.size() - 1)).append("A");
  return text;
}

}  // namespace tofud::terminal
