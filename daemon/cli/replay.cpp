#include "daemon/cli/replay.hpp"

#include "daemon/cli/speed_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/local/player.hpp"
#include "daemon/pipeline/attached_parts.hpp"
#include "daemon/pipeline/final_rows.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/recording.hpp"
#include "protocol/events/known_run.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tofud::cli {
namespace {

struct replay_arguments {
  view_options view;
  std::string file;
  double speed = 1;  // 0: as fast as it goes
  bool rows = false;
};

// What was said of the run when it was live; what is said now counts more.
correlator::run_identity identity_of(const replay_arguments& given,
                                     const spool::recording& recording,
                                     const events::known_run& said) {
  correlator::run_identity identity;
  identity.id = said.id;
  identity.stack = said.stack;
  identity.labels = said.labels;
  identity.command = said.command;
  if (identity.id.empty()) identity.id = recording.id();
  if (!given.view.stack.empty()) identity.stack = given.view.stack;
  if (!given.view.labels.empty()) identity.labels = given.view.labels;
  return identity;
}

/// What was said beside the stream, what was attached included, and how it ended.
std::vector<events::event> events_of(const spool::recording& recording,
                                     const events::known_run& said,
                                     pipeline::attached_parts& parts) {
  std::vector<events::event> all = parts.news(said);
  if (said.exit_status)
    all.push_back({recording.bytes().size(), events::exit_status{*said.exit_status}});
  return all;
}

int print_rows(pipeline::engine& stream, std::string_view bytes) {
  const pipeline::final_rows rows{stream};
  stream.feed(bytes);
  stream.end();
  const auto print = [](std::string_view text) { return files::write_all(STDOUT_FILENO, text); };
  return rows.write(print) ? 0 : 1;
}

int run_replay(const replay_arguments& given) {
  const auto recording = spool::recording::open(given.file);
  if (!recording) {
    spool::notice(recording.error().text());
    return 2;
  }
  const events::known_run said = events::parse_lines(recording->events());
  auto parts = pipeline::attached_parts::named(given.view.attach, given.file);
  if (!parts) {
    spool::notice(parts.error().text());
    return 2;
  }
  replay_options wanted;
  wanted.identity = identity_of(given, *recording, said);
  wanted.events = events_of(*recording, said, *parts);
  if (given.rows) {
    pipeline::engine stream{wanted.identity, parts->reader()};
    for (const events::event& each : wanted.events) stream.add(each);
    return print_rows(stream, recording->bytes());
  }
  wanted.title = "replay of " + given.file;
  wanted.file = given.file;
  wanted.speed = given.speed;
  wanted.parts = &*parts;
  return replay(*recording, given.view, wanted);
}

}  // namespace

void add_replay(command& line) {
  auto given = std::make_shared<replay_arguments>();
  command& words = line.add_command(
      "replay", "Play a recorded stream (plain or .gz) and serve its page until Ctrl-C");
  add_view_arguments(words, given->view);
  add_attachment_arguments(words, given->view.attach);
  words.add_option("FILE", given->file, "The recorded stream; NAME.timing beside it sets the pace")
      .required();
  add_speed_argument(words, given->speed);
  words.add_flag("--rows", given->rows, "Print only the final rows");
  words.run = [given] { return run_replay(*given); };
}

}  // namespace tofud::cli
