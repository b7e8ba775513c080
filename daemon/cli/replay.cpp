#include "daemon/cli/replay.hpp"

#include "daemon/cli/estimate.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/speed_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/local/player.hpp"
#include "daemon/pipeline/attached_parts.hpp"
#include "daemon/pipeline/final_rows.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/recording.hpp"
#include "protocol/events/known_run.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/ui/moment.hpp"

#include <memory>
#include <optional>
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
  std::optional<ui::moment> at;  // nothing: at its end
  std::string state_dir;
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

bool print_piece(std::string_view text) { return files::write_all(STDOUT_FILENO, text); }

int print_rows(pipeline::engine& stream, std::string_view bytes) {
  const pipeline::final_rows rows{stream};
  stream.feed(bytes);
  stream.end();
  return rows.write(print_piece) ? 0 : 1;
}

/// As it stood at a moment, with what was expected then as far as this machine remembers earlier
/// runs.
int print_rows_at(pipeline::engine& stream, std::string_view bytes, const ui::moment& when,
                  const std::string& state_dir) {
  const pipeline::final_rows rows{stream};
  const ui::stream_prefix prefix = ui::prefix_at(bytes, when);
  stream.feed(bytes.substr(0, prefix.bytes));
  if (prefix.bytes == bytes.size()) stream.end();
  std::string all;
  if (!rows.write(print_piece)) return 1;
  const correlator::run_state& run = stream.fold().runs().back();
  const auto estimate = prefix.at ? estimate_of(run, *prefix.at, state_dir) : std::nullopt;
  if (!estimate) return 0;
  feed::encode(all, run.id(), &*estimate);
  return print_piece(all.append("\n")) ? 0 : 1;
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
  if (given.rows || given.at) {
    pipeline::engine stream{wanted.identity, parts->reader()};
    for (const events::event& each : wanted.events) stream.add(each);
    if (given.at) return print_rows_at(stream, recording->bytes(), *given.at, given.state_dir);
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
  words
      .read_option(
          "--at",
          [given](const std::string& text) {
            given->at = ui::parse_moment(text);
            if (given->at) return;
            throw usage_error(
                "--at takes seconds since the first message, such as 72.5, or a time such as "
                "2026-11-21T03:12:05Z, not " +
                text);
          },
          "Print the rows as they stood at that moment: seconds since the first message, or a time "
          "(RFC 3339)")
      .value("TIME");
  add_state_dir(words, given->state_dir);
  words.run = [given] { return run_replay(*given); };
}

}  // namespace tofud::cli
