#include "daemon/cli/replay.hpp"

#include "daemon/cli/speed_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/local/player.hpp"
#include "daemon/pipeline/held_rows.hpp"
#include "daemon/pipeline/played_attachments.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/recording.hpp"
#include "protocol/events/run_events.hpp"

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
                                     const events::run_events& said) {
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

int print_rows(const replay_arguments& given, const spool::recording& recording,
               const events::run_events& said, played_attachments& attached) {
  held_rows rows{identity_of(given, recording, said)};
  rows.feed(recording.bytes(), attached);
  if (said.exit_status) rows.exit_status(*said.exit_status);
  rows.end();
  return rows.write([](std::string_view bytes) { return files::write_all(STDOUT_FILENO, bytes); })
             ? 0
             : 1;
}

int run_replay(const replay_arguments& given) {
  const auto recording = spool::recording::open(given.file);
  if (!recording) {
    spool::notice(recording.error());
    return 2;
  }
  const events::run_events said = events::parse_events(recording->events());
  auto attached = played_attachments::read(given.view.attach, given.file, said);
  if (!attached) {
    spool::notice(attached.error());
    return 2;
  }
  if (given.rows) return print_rows(given, *recording, said, *attached);
  performance wanted;
  wanted.identity = identity_of(given, *recording, said);
  wanted.exit_status = said.exit_status;
  wanted.title = "replay of " + given.file;
  wanted.file = given.file;
  wanted.speed = given.speed;
  wanted.attached = std::make_shared<played_attachments>(std::move(*attached));
  return play(*recording, given.view, wanted);
}

}  // namespace

void add_replay(command& line) {
  auto given = std::make_shared<replay_arguments>();
  command& words =
      line.add_command("replay", "Play a recorded stream (plain or .gz) and serve it until Ctrl-C");
  add_view_arguments(words, given->view);
  add_attachment_arguments(words, given->view.attach);
  words.add_option("FILE", given->file, "The recorded stream; NAME.timing beside it gives the pace")
      .required();
  add_speed_argument(words, given->speed);
  words.add_flag("--rows", given->rows, "Print the final rows and nothing else");
  words.run = [given] { return run_replay(*given); };
}

}  // namespace tofud::cli
