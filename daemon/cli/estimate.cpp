#include "daemon/cli/estimate.hpp"

#include "daemon/cli/order_sources.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/foresight/known_times.hpp"
#include "daemon/foresight/limits.hpp"
#include "daemon/foresight/run_estimator.hpp"
#include "daemon/history/machine_history.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/spool_place.hpp"
#include "daemon/stack/run_facts.hpp"
#include "daemon/stack/stack_name.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/order/foretold.hpp"
#include "protocol/order/planned.hpp"
#include "protocol/order/schedule.hpp"
#include "protocol/ui/resource_address.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::cli {
namespace {

struct estimate_arguments {
  order_files from;
  std::string stack, state_dir;
  std::uint64_t slots = limits::usual_slots;
  bool json = false;
};

std::string stack_of(const estimate_arguments& given) {
  if (!given.stack.empty()) return given.stack;
  if (const char* said = std::getenv("TOFUD_STACK"); said != nullptr && *said != '\0') return said;
  stack::command_place place = stack::place_of(stack::tofu_command{});
  if (!given.from.directory.empty())
    place.directory = std::filesystem::absolute(given.from.directory).lexically_normal();
  return stack::stack_name(place);
}

std::string_view type_of(const std::string& address) {
  const auto parts = ui::parse_address(address);
  return parts ? parts->type : std::string_view{};
}

/// Of each operation; nothing if the memory can't be read, which is said.
std::optional<std::vector<std::optional<feed::usual>>> usual_times_of(const std::string& stack,
                                                                      const std::string& state_dir,
                                                                      const order::order& of) {
  std::vector<history::usual_query> queries;
  for (const order::vertex each : of.operations()) {
    const order::operation& what = *of.at(each);
    queries.push_back({stack, what.address, std::string{type_of(what.address)},
                       std::string{feed::name(foresight::action_of(what))}});
  }
  for (const auto& place : spool::place_candidates(state_dir, spool::process_environment())) {
    auto opened = history::machine_history::open_existing(place.directory);
    if (opened && !*opened) continue;
    if (opened) {
      auto found = (*opened)->find_usual(queries);
      if (found) return std::move(*found);
      spool::notice(found.error().text());
    } else {
      spool::notice(opened.error().text());
    }
    return std::nullopt;
  }
  return std::vector<std::optional<feed::usual>>(queries.size());
}

std::optional<order::foretold_apply> estimate(const estimate_arguments& given) {
  order_sources sources;
  if (!read_sources(given.from, sources)) return std::nullopt;
  const order::order of = order_of(sources);
  const auto usual = usual_times_of(stack_of(given), given.state_dir, of);
  if (!usual) return std::nullopt;
  order::foretold_apply made;
  made.operations = of.operations().size();
  made.slots = given.slots;
  std::vector<order::known_duration> known;
  for (std::size_t i = 0; i < made.operations; ++i) {
    const order::operation& what = *of.at(of.operations()[i]);
    known.push_back(foresight::known_time((*usual)[i] ? &*(*usual)[i] : nullptr,
                                          sources.config.annotated(what.address).expect,
                                          foresight::action_of(what)));
    made.known += known.back().count > 0 ? 1 : 0;
  }
  made.taken = order::taken_away_by(order::planned_in(*sources.plan), sources.known);
  if (made.operations == 0 || 2 * made.known < made.operations) return made;
  const order::duration_model model{known};
  order::schedule plays{of};
  const std::vector<order::operation_now> now(made.operations);
  made.time = plays.remaining(now, model, given.slots, 1);
  for (const order::vertex each : plays.critical(now, model).operations) {
    if (made.path.size() == limits::path_named) break;
    made.path.push_back(of.at(each)->address);
  }
  return made;
}

std::string text_of(const order::foretold_apply& found) {
  const auto counted = [](std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
  };
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
    text += (each.replaced ? "replaces " : "deletes ") + each.address + "; " +
            counted(each.dependents, "resource depends", "resources depend") + " on it";
    if (each.not_planned > 0)
      text += ", " + std::to_string(each.not_planned) + " of them not in this plan";
    text += "\n";
  }
  return terminal::sanitize(text, terminal::colours::strip);
}

int run_estimate(const estimate_arguments& given) {
  const auto found = estimate(given);
  if (!found) return 2;
  const std::string text = given.json ? to_json(*found) : text_of(*found);
  return files::write_all(STDOUT_FILENO, text) ? 0 : 1;
}

}  // namespace

std::optional<feed::run_estimate> estimate_of(const correlator::run_state& run, ui::time_point at,
                                              const std::string& state_dir) {
  const order::order* known = run.causes().order();
  if (known == nullptr) return std::nullopt;
  const auto usual = usual_times_of(run.identity().stack, state_dir, *known);
  if (!usual) return std::nullopt;
  std::map<std::pair<std::string_view, feed::step_action>, const feed::usual*> found;
  for (std::size_t i = 0; i < usual->size(); ++i) {
    const order::operation& what = *known->at(known->operations()[i]);
    if ((*usual)[i]) found[{what.address, foresight::action_of(what)}] = &*(*usual)[i];
  }
  foresight::run_estimator estimator{run};
  return estimator.make(
      [&](std::string_view addr, feed::step_action action) {
        const auto one = found.find({addr, action});
        return one == found.end() ? nullptr : one->second;
      },
      at);
}

void add_estimate(command& line) {
  auto given = std::make_shared<estimate_arguments>();
  command& words = line.add_command("estimate",
                                    "Say how long an apply will take, what holds its end back, and "
                                    "what depends on what it takes away");
  words.add_option("PLAN", given->from.plan, "What `tofu show -json PLANFILE` printed").required();
  words
      .add_option("DIR", given->from.directory,
                  "Directory of the root module (default: the current one)")
      .value("");
  words.add_option("--state", given->from.state, "The state file before the apply").value("FILE");
  words
      .add_option("--stack", given->stack,
                  "Whose earlier runs tell (default: that of the directory)")
      .value("STACK");
  words
      .add_option("--parallelism", given->slots,
                  "Operations at once, as tofu apply takes it (default: 10)")
      .value("N")
      .check([](const std::string& text) {
        return text.find_first_not_of('0') == text.npos ? "at least one operation runs at a time"
                                                        : "";
      });
  words.add_flag("--json", given->json, "Print JSON, for programs");
  add_state_dir(words, given->state_dir);
  words.run = [given] {
    ends_with_its_reader();
    return run_estimate(*given);
  };
}

}  // namespace tofud::cli
