#include "daemon/cli/demo.hpp"

#include "daemon/cli/demo/recording.hpp"
#include "daemon/cli/speed_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/local/player.hpp"

#include <memory>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct demo_arguments {
  view_options view;
  double speed = 1;
};

int run_demo(const demo_arguments& given) {
  const auto recording = spool::recording::of("demo", demo::recording());
  replay_options wanted;
  wanted.identity.id = recording.id();
  wanted.identity.stack = given.view.stack.empty() ? "shop" : given.view.stack;
  wanted.identity.labels = given.view.labels;
  wanted.events = {{recording.bytes().size(), events::exit_status{demo::exit_status}}};
  wanted.title = "a recorded apply of a small shop";
  wanted.speed = given.speed;
  if (::isatty(STDOUT_FILENO) == 0) wanted.then = after_end::leave;
  wanted.farewell =
      "The page stays until you press Ctrl-C. To follow your own run: tofud run -- tofu apply";
  return replay(recording, given.view, wanted);
}

}  // namespace

void add_demo(command& line) {
  auto given = std::make_shared<demo_arguments>();
  command& words = line.add_command(
      "demo", "Play a built-in recording of an apply; needs no OpenTofu and no cloud");
  add_view_arguments(words, given->view);
  add_speed_argument(words, given->speed);
  words.run = [given] { return run_demo(*given); };
}

}  // namespace tofud::cli
