// What tofud writes to a terminal up to a moment of a recording: with no clock but the recording's,
// so that it is the same every time.
//
//     moment FILE SECONDS [PLAN CONFIG]      (standard output is the terminal)
//
// With a plan and a configuration it says what waits and when it is over, as if three runs before
// had taken exactly as long.
#include "daemon/foresight/known_times.hpp"
#include "daemon/foresight/run_estimator.hpp"
#include "daemon/history/operations_of_run.hpp"
#include "daemon/pipeline/attached_parts.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/spool/recording.hpp"
#include "daemon/terminal/stdout_view.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <thread>

namespace {

using namespace tofud;

/// What is usual of each operation of the recording.
std::map<std::pair<std::string, std::string>, feed::usual> usual_of(
    const spool::recording& recording) {
  pipeline::engine stream{correlator::run_identity{}};
  stream.feed(recording.bytes());
  stream.end();
  const auto all = history::all_operations_of(stream.fold().runs().front());
  std::map<std::pair<std::string, std::string>, feed::usual> made;
  for (const history::operation& each : all) {
    feed::usual& usual = made[{each.addr, each.action}];
    usual.p50 = usual.p80 = each.seconds;
    usual.count = 3;
    usual.at = feed::rung::address;
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace std::chrono_literals;
  if (argc != 3 && argc != 5) return 2;
  const auto recording = spool::recording::open(argv[1]);
  if (!recording) {
    std::fprintf(stderr, "%s\n", recording.error().text().c_str());
    return 2;
  }
  attachments::wanted attached;
  if (argc == 5) {
    attached.plan = argv[3];
    attached.config = argv[4];
  }
  auto parts = pipeline::attached_parts::named(attached, "");
  if (!parts) {
    std::fprintf(stderr, "%s\n", parts.error().text().c_str());
    return 2;
  }
  correlator::run_identity identity;
  identity.id = recording->id();
  pipeline::engine stream{std::move(identity), parts->reader()};
  for (const auto& each : parts->news({})) stream.add(each);

  const auto usual = usual_of(*recording);
  std::unique_ptr<foresight::run_estimator> estimator;
  std::optional<feed::run_estimate> estimate;
  terminal::stdout_options options;
  options.mode = terminal::progress_mode::tty;
  options.env = ::getenv;
  options.estimate = [&] { return estimate ? &*estimate : nullptr; };
  terminal::stdout_view view{std::move(options)};
  stream.tell(view);
  view.begin("tofud", "http://127.0.0.1:8638/");

  const terminal::stdout_view::clock::time_point start{1h};
  const auto until = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::duration<double>{std::strtod(argv[2], nullptr)});
  std::chrono::microseconds last{0};
  for (const auto& line : recording->lines()) {
    if (line.at > until) break;
    last = line.at;
    view.heard(start + line.at);
    stream.feed(line.bytes);
  }
  const correlator::run_state& run = stream.fold().runs().front();
  if (const auto at = run.view().last_line_at; at && argc == 5) {
    estimator = std::make_unique<foresight::run_estimator>(run);
    estimate = estimator->make(
        [&](std::string_view addr, feed::step_action action) -> const feed::usual* {
          const auto found = usual.find({std::string{addr}, std::string{feed::name(action)}});
          return found == usual.end() ? nullptr : &found->second;
        },
        *at + (until - last));
  }
  view.tick(start + until);
  while (!view.drained()) std::this_thread::yield();
  return 0;
}
