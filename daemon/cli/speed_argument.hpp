// The argument that says how fast a recording is played.
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): the name is CLI11's
class App;
}

namespace tofud::commands {

/// `--speed N|max`: reading it sets `speed`, which outlives `words`, to a number above 0, or to 0
/// for max.
void add_speed_argument(CLI::App& words, double& speed);

}  // namespace tofud::commands
