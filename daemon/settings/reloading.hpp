// New settings for a daemon that runs: all of them, or nothing.
#pragma once

#include "daemon/settings/reload.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tofud::settings {

/// What a part of the daemon would do with new settings: it has looked at all that may fail (files,
/// above all), and changed nothing yet.
struct reload_step {
  std::function<void()> apply;  // does not fail
  std::string refusal;          // not empty: these settings can't be used; a sentence

  static reload_step to(std::function<void()> apply) { return {std::move(apply), {}}; }
  static reload_step refused(std::string why) { return {{}, std::move(why)}; }
};

/// What became of a reload, in sentences.
struct reload_outcome {
  std::vector<std::string> failures;  // not empty: nothing has changed
  std::vector<std::string> changed, needs_restart;
};

/// Settings as they are said now; failures are those of reading them.
struct said_settings {
  sources from;
  std::vector<failure> failures;
};

class reloading {
 public:
  using step = std::function<reload_step(const settings& wanted)>;

  /// `running` is what the daemon was started with; `read` reads flags, environment and files anew.
  reloading(effective running, std::function<said_settings()> read)
      : running_{std::move(running)}, read_{std::move(read)} {}

  /// Another part of the daemon that takes new settings. Asked at each reload, since what is in a
  /// file may have changed though its name has not.
  void add(step prepare) { steps_.push_back(std::move(prepare)); }

  reload_outcome reload();

 private:
  effective running_;
  std::function<said_settings()> read_;
  std::vector<step> steps_;
};

}  // namespace tofud::settings
