#include "daemon/cli/foretold_text.hpp"

#include "daemon/cli/limits.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/text/markdown.hpp"

#include <algorithm>
#include <cstddef>

namespace tofud::cli {
namespace {

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string dependents_of(const order::taken_away& what) {
  std::string text =
      "; " + counted(what.dependents, "resource depends", "resources depend") + " on it";
  if (what.not_planned > 0)
    text += ", " + std::to_string(what.not_planned) + " of them not in this plan";
  return text;
}

std::string more_of(std::size_t all) {
  if (all <= limits::foretold_named) return "";
  return "- … and " + std::to_string(all - limits::foretold_named) + " more\n";
}

}  // namespace

std::string text_of(const order::foretold_apply& found) {
  std::string text = counted(found.operations, "operation", "operations");
  if (found.operations == 0) {
    text += ": nothing is to be done\n";
  } else if (!found.time) {
    text += ". How long they take is known of " + std::to_string(found.known) +
            ": too few to say when they are over. `tofud history import DIR` reads old streams\n";
  } else {
    text += ", " + std::to_string(found.slots) +
            " at once: " + feed::range_text(found.time->p50, found.time->p80) +
            ". How long they take is known of " + std::to_string(found.known) +
            "\ncritical path:\n";
    for (const std::string& each : found.path) text += "  " + each + "\n";
  }
  for (const order::taken_away& each : found.taken) {
    text += (each.replaced ? "replaces " : "deletes ") + each.address + dependents_of(each) + "\n";
  }
  return terminal::sanitize(text, terminal::colours::strip);
}

std::string markdown_of(const order::foretold_apply& found) {
  std::string text;
  for (std::size_t i = 0; i < std::min(found.taken.size(), limits::foretold_named); ++i) {
    const order::taken_away& each = found.taken[i];
    text += (each.replaced ? "- replaces " : "- destroys ") + text::markdown_code(each.address) +
            dependents_of(each) + "\n";
  }
  text += more_of(found.taken.size());
  if (!found.time) return text.empty() ? text : text + "\n";
  if (!text.empty()) text += "\n";
  text += "Expected to take **" + feed::range_text(found.time->p50, found.time->p80) + "**, " +
          std::to_string(found.slots) + " operations at once; how long they take is known of " +
          std::to_string(found.known) + " of " + std::to_string(found.operations) + ".\n\n";
  text +=
      "<details><summary>Critical path: " + counted(found.path.size(), "operation", "operations") +
      "</summary>\n\n";
  for (std::size_t i = 0; i < std::min(found.path.size(), limits::foretold_named); ++i)
    text += "- " + text::markdown_code(found.path[i]) + "\n";
  return text + more_of(found.path.size()) + "\n</details>\n\n";
}

}  // namespace tofud::cli
