#include "daemon/cli/logs.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/correlator/stream_fold.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/github.hpp"
#include "daemon/terminal/mode.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "daemon/terminal/style.hpp"
#include "protocol/feed/request.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct logs_arguments {
  run_argument run;
  std::string addr;  // empty: all
  bool json = false, follow = false;
  terminal::colour_flag colour = terminal::colour_flag::automatic;
};

/// Prints the lines of the fold as they come; remembers whether there were any.
class log_printer : private correlator::row_sink {
 public:
  log_printer(const logs_arguments& given, const std::string& only,
              correlator::run_identity identity, pipeline::part_reader parts);
  ~log_printer() override = default;

  pipeline::engine& stream() { return stream_; }
  /// Called once nobody reads any more what is printed.
  void on_failed(std::function<void()> told) { told_failed_ = std::move(told); }
  bool printed() const { return printed_; }
  bool knows_address() const;

 private:
  void line(correlator::run_state& run, const feed::line_change& line) override;
  void settled() override;
  void print(const correlator::run_state& run, const feed::line_change& line);
  bool flush();

  const logs_arguments& given_;
  std::string only_;
  terminal::colours colours_;
  terminal::charset charset_;
  const bool on_github_ = terminal::on_github(::getenv);
  bool prefixed_, printed_ = false, failed_ = false;
  std::string text_;
  std::function<void()> told_failed_;
  pipeline::engine stream_;
};

correlator::run_identity with_whole_lines(correlator::run_identity identity) {
  identity.line_limit = feed::cut::no;
  return identity;
}

log_printer::log_printer(const logs_arguments& given, const std::string& only,
                         correlator::run_identity identity, pipeline::part_reader parts)
    : given_{given},
      only_{only},
      colours_{colours_stdout(given.colour) ? terminal::colours::keep : terminal::colours::strip},
      charset_{::isatty(STDOUT_FILENO) != 0 ? terminal::charset_of(::getenv)
                                            : terminal::charset::utf8},
      prefixed_{given.addr.empty() || given.addr.find('*') != std::string::npos},
      stream_{with_whole_lines(std::move(identity)), std::move(parts)} {
  stream_.tell(*this);
}

void log_printer::settled() {
  if (!flush() && told_failed_) told_failed_();
}

bool log_printer::knows_address() const {
  for (const correlator::run_state& run : stream_.fold().runs()) {
    if (!only_.empty() && run.id() != only_) continue;
    const auto& all = run.resources();
    if (std::any_of(all.begin(), all.end(), [&](const auto& each) {
          return feed::glob_matches(given_.addr, each.row.addr);
        })) {
      return true;
    }
  }
  return false;
}

void log_printer::line(correlator::run_state& run, const feed::line_change& line) {
  if (line.kind != feed::row_kind::log || (!only_.empty() && run.id() != only_)) return;
  if (!given_.addr.empty() && (line.subject == feed::no_row ||
                               !feed::glob_matches(given_.addr, run.facts(line.subject).addr))) {
    return;
  }
  printed_ = true;
  if (given_.json)
    text_.append(line.json).push_back('\n');
  else
    print(run, line);
  if (text_.size() >= limits::read_bytes) flush();
}

void log_printer::print(const correlator::run_state& run, const feed::line_change& line) {
  std::string printed;
  const auto cleaned = [&](std::string_view text, terminal::colours wanted) {
    std::string clean = terminal::sanitize(text, wanted);
    std::replace(clean.begin(), clean.end(), '\n', ' ');
    return terminal::in_charset(clean, charset_);
  };
  if (prefixed_ && line.subject != feed::no_row) {
    printed.append(cleaned(run.facts(line.subject).addr, terminal::colours::strip)).append(": ");
  }
  printed.append(cleaned(line.text, colours_));
  if (on_github_) printed = terminal::github::defused(printed);
  text_.append(printed).push_back('\n');
}

bool log_printer::flush() {
  failed_ = failed_ || !files::write_all(STDOUT_FILENO, text_);
  text_.clear();
  return !failed_;
}

int say_if_nothing(const log_printer& printer, const logs_arguments& given) {
  if (printer.printed()) return 0;
  if (given.addr.empty() || printer.knows_address()) {
    spool::notice("no provisioner printed anything" +
                  (given.addr.empty() ? std::string{} : " for " + given.addr));
    return 0;
  }
  spool::notice("the run has no resource " + given.addr +
                (given.addr.find('*') == std::string::npos ? "; `*` matches any text" : ""));
  return 1;
}

int run_logs(const logs_arguments& given) {
  auto opened = open_run(given.run);
  if (!opened) return 2;
  pipeline::kept_stream& stream = opened->stream;
  pipeline::attached_parts parts = parts_beside(stream);
  log_printer printer{given, opened->chosen.only, stream.identity(), parts.reader()};
  text::failure failure;
  if (given.follow) {
    boost::asio::io_context io{1};
    printer.on_failed([&io] { io.stop(); });
    pipeline::follower following{
        io,
        stream,
        parts,
        printer.stream(),
        {nullptr, nullptr, [&failure](const text::failure& why) { failure = why; }}};
    following.start();
    io.run();
  } else {
    failure = feed_all(printer.stream(), stream, parts);
    finish(printer.stream(), stream);
  }
  if (!failure.empty()) {
    spool::notice(failure.text());
    return 2;
  }
  if (!holds(printer.stream().fold(), opened->chosen)) return 2;
  return say_if_nothing(printer, given);
}

}  // namespace

void add_logs(command& line) {
  auto given = std::make_shared<logs_arguments>();
  command& words = line.add_command("logs", "Print the output of a run's provisioners");
  add_run_argument(words, given->run, run_given::always);
  words.add_option("ADDR", given->addr,
                   "Only these resources: an address, where `*` matches any text");
  words.add_flag("--json", given->json, "Print the feed's log rows, one on each line");
  words.add_flag("-f,--follow", given->follow, "Follow until the run ends");
  add_colour_argument(words, given->colour);
  words.run = [given] { return run_logs(*given); };
}

}  // namespace tofud::cli
