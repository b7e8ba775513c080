// What tofud writes to a terminal up to a moment of a recording: with no clock but the recording's,
// so that it is the same every time.
//
//     moment FILE SECONDS      (standard output is the terminal)
#include "daemon/pipeline/engine.hpp"
#include "daemon/spool/recording.hpp"
#include "daemon/terminal/stdout_view.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

int main(int argc, char** argv) {
  using namespace tofud;
  using namespace std::chrono_literals;
  if (argc != 3) return 2;
  const auto recording = spool::recording::open(argv[1]);
  if (!recording) {
    std::fprintf(stderr, "%s\n", recording.error().text().c_str());
    return 2;
  }
  terminal::stdout_options options;
  options.mode = terminal::progress_mode::tty;
  options.env = ::getenv;
  terminal::stdout_view view{std::move(options)};
  correlator::run_identity identity;
  identity.id = recording->id();
  pipeline::engine stream{std::move(identity)};
  stream.tell(view);
  view.begin("tofud", "http://127.0.0.1:8638/");

  const terminal::stdout_view::clock::time_point start{1h};
  const auto until = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::duration<double>{std::strtod(argv[2], nullptr)});
  for (const auto& line : recording->lines()) {
    if (line.at > until) break;
    view.heard(start + line.at);
    stream.feed(line.bytes);
  }
  view.tick(start + until);
  while (!view.drained()) std::this_thread::yield();
  return 0;
}
