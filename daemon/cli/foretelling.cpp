#include "daemon/cli/foretelling.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/foresight/known_times.hpp"
#include "daemon/foresight/limits.hpp"
#include "daemon/history/machine_history.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/spool_place.hpp"
#include "daemon/stack/run_facts.hpp"
#include "daemon/stack/stack_name.hpp"
#include "protocol/order/planned.hpp"
#include "protocol/order/schedule.hpp"
#include "protocol/ui/resource_address.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

namespace tofud::cli {
namespace {

std::string stack_of(const std::string& stack, const std::string& directory) {
  if (!stack.empty()) return stack;
  if (const char* said = std::getenv("TOFUD_STACK"); said != nullptr && *said != '\0') return said;
  stack::command_place place = stack::place_of(stack::tofu_command{});
  if (!directory.empty()) place.directory = std::filesystem::absolute(directory).lexically_normal();
  return stack::stack_name(place);
}

std::string_view type_of(const std::string& address) {
  const auto parts = ui::parse_address(address);
  return parts ? parts->type : std::string_view{};
}

}  // namespace

void add_memory_source(command& words, memory_source& to) {
  words.add_option("--stack", to.stack, "Whose earlier runs tell (default: that of the directory)")
      .value("STACK");
  add_state_dir(words, to.state_dir);
}

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

std::optional<order::foretold_apply> foretell(const order_sources& from,
                                              const memory_source& memory,
                                              const std::string& directory, std::uint64_t slots) {
  const order::order of = order_of(from);
  const auto usual = usual_times_of(stack_of(memory.stack, directory), memory.state_dir, of);
  if (!usual) return std::nullopt;
  order::foretold_apply made;
  made.operations = of.operations().size();
  made.slots = slots;
  std::vector<order::known_duration> known;
  for (std::size_t i = 0; i < made.operations; ++i) {
    const order::operation& what = *of.at(of.operations()[i]);
    known.push_back(foresight::known_time((*usual)[i] ? &*(*usual)[i] : nullptr,
                                          from.config.annotated(what.address).expect,
                                          foresight::action_of(what)));
    made.known += known.back().count > 0 ? 1 : 0;
  }
  made.taken = order::taken_away_by(order::planned_in(*from.plan), from.known);
  if (made.operations == 0 || 2 * made.known < made.operations) return made;
  const order::duration_model model{known};
  order::schedule plays{of};
  const std::vector<order::operation_now> now(made.operations);
  made.time = plays.remaining(now, model, slots, 1);
  for (const order::vertex each : plays.critical(now, model).operations) {
    if (made.path.size() == limits::path_named) break;
    made.path.push_back(of.at(each)->address);
  }
  return made;
}

}  // namespace tofud::cli
