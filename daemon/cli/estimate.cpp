#include "daemon/cli/estimate.hpp"

#include "daemon/cli/foretelling.hpp"
#include "daemon/cli/foretold_text.hpp"
#include "daemon/cli/order_sources.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/foresight/known_times.hpp"
#include "daemon/foresight/limits.hpp"
#include "daemon/foresight/run_estimator.hpp"
#include "protocol/order/foretold.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tofud::cli {
namespace {

struct estimate_arguments {
  order_files from;
  memory_source memory;
  std::uint64_t slots = limits::usual_slots;
  bool json = false;
};

int run_estimate(const estimate_arguments& given) {
  order_sources sources;
  if (!read_sources(given.from, sources)) return 2;
  const auto found = foretell(sources, given.memory, given.from.directory, given.slots);
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
  add_memory_source(words, given->memory);
  words
      .add_option("--parallelism", given->slots,
                  "Operations at once, as tofu apply takes it (default: 10)")
      .value("N")
      .check([](const std::string& text) {
        return text.find_first_not_of('0') == text.npos ? "at least one operation runs at a time"
                                                        : "";
      });
  words.add_flag("--json", given->json, "Print JSON, for programs");
  words.run = [given] {
    ends_with_its_reader();
    return run_estimate(*given);
  };
}

}  // namespace tofud::cli
