#include "daemon/local/worker.hpp"

#include "daemon/attachments/schema_files.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/foresight/usual_times.hpp"
#include "daemon/forward/forwarding.hpp"
#include "daemon/history/operations_of_run.hpp"
#include "daemon/keeper/heir.hpp"
#include "daemon/keeper/limits.hpp"
#include "daemon/keeper/spool_writer.hpp"
#include "daemon/keeper/worker_link.hpp"
#include "daemon/local/begun_run.hpp"
#include "daemon/local/leaving_stream.hpp"
#include "daemon/local/limits.hpp"
#include "daemon/local/local_service.hpp"
#include "daemon/local/machine_memory.hpp"
#include "daemon/local/own_parts.hpp"
#include "daemon/local/passthrough.hpp"
#include "daemon/local/retelling.hpp"
#include "daemon/local/run_sender.hpp"
#include "daemon/local/server.hpp"
#include "daemon/local/view_document.hpp"
#include "daemon/operations/doing.hpp"
#include "daemon/operations/loop_watch.hpp"
#include "daemon/operations/oom_score.hpp"
#include "daemon/operations/version.hpp"
#include "daemon/pipeline/attached_parts.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/limits.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "daemon/pipeline/state_dump.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/page_url.hpp"
#include "daemon/spool/prune.hpp"
#include "daemon/terminal/stdout_view.hpp"
#include "protocol/events/known_run.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud {
namespace {

namespace asio = boost::asio;
using clock = std::chrono::steady_clock;

// How often the loop shows that it lives, looks after its keeper and after stdout: ten frames a
// second.
constexpr std::chrono::milliseconds beat{100};

class worker {
 public:
  worker(const view_options& view, worker_sort sort, keeper::worker_link link);
  int run();

 private:
  void start_printing();
  void name_page_there(const forward::upload_record& taken);
  void start_serving();
  void start_rows();
  void start_attaching();
  void announce();
  void serve_once_caught_up();
  void wait_for_more();
  void take_more();
  void note_stop();
  std::string stop_text() const;
  void take_tail(pipeline::engine& to) const;
  void close(pipeline::engine& to) const;
  std::unique_ptr<leaving_stream> as_it_may_leave();
  void write_documents();
  void note_plan_file(std::uint64_t at) const;
  machine_memory::usual_answer with_the_daemons(const std::vector<history::usual_query>& asked,
                                                machine_memory::usual_answer known) const;
  void remember();
  void finish();
  void look_after_keeper();
  void each_beat();
  bool is_done();
  bool over() const { return page_.eof != 0 || keeper_.gone; }
  run_sender::keeper_is keeper_is() const {
    return keeper_.gone ? run_sender::keeper_is::gone : run_sender::keeper_is::here;
  }
  std::string spool() const { return page_.spool_path.data(); }

  const view_options& view_;
  bool headless_;
  keeper::worker_link link_;
  keeper::stream_page& page_;
  keeper::heir heir_{link_};
  asio::io_context io_{1};
  asio::posix::stream_descriptor wakeup_;
  asio::steady_timer beat_;
  begun_run begun_;
  pipeline::attached_parts parts_beside_;
  pipeline::engine rows_;
  std::unique_ptr<terminal::stdout_view> shown_;
  std::unique_ptr<retelling> retelling_;  // null: tofu prints its own
  std::unique_ptr<passthrough> passthrough_;
  run_sender sender_{io_, link_};
  struct machine {
    machine_memory memory;
    std::unique_ptr<foresight::usual_times> usual;
    bool remembers = true;  // what this run did, or never will
  } machine_;
  std::unique_ptr<local_service> service_;
  std::optional<pipeline::run_topics> topics_;  // nothing: nobody is served
  pipeline::state_keeper state_dumps_;
  std::unique_ptr<own_parts> parts_;
  std::vector<char> room_;
  std::uint64_t known_before_ = 0;  // bytes that the worker before this one may have shown
  clock::time_point last_bytes_ = clock::now();
  struct keeper_end {
    bool gone = false, inherited = false;
  } keeper_;
  bool stop_noted_ = false, finishing_ = false, served_ = false;
};

worker::worker(const view_options& view, worker_sort sort, keeper::worker_link link)
    : view_{view},
      headless_{sort == worker_sort::headless},
      link_{std::move(link)},
      page_{*link_.page},
      wakeup_{io_, link_.wakeup.get()},
      beat_{io_},
      begun_{begin_run(view, sort, link_)},
      parts_beside_{spool()},
      rows_{begun_.identity, parts_beside_.reader()},
      machine_{{io_, spool().empty() ? "" : std::filesystem::path{spool()}.parent_path().string()},
               nullptr},
      state_dumps_{spool(), [this](std::string_view line) { shown_->say(line); }},
      room_(limits::read_bytes) {}

void worker::start_printing() {
  terminal::stdout_options options;
  // The keeper has refused what can't be. A terminal that has gone since is none of our troubles.
  options.mode = terminal::choose_progress(view_.progress, ::isatty(STDOUT_FILENO) != 0, ::getenv)
                     .value_or(terminal::progress_mode::tty);
  // tofu has the terminal, and its stdout may be somebody's input.
  const bool automatic = view_.progress == terminal::progress_flag::automatic;
  const bool draws = options.mode == terminal::progress_mode::tty;
  const bool shares = view_.wrapped && !view_.wrapped->replaces_text;
  const bool tells = view_.wrapped && view_.wrapped->replaces_text && automatic;
  if (tells || (shares && (automatic || draws))) options.mode = terminal::progress_mode::around;
  if (shares && view_.wrapped->draws) options.mode = terminal::progress_mode::between;
  if (headless_ || ((shares || tells) && view_.wrapped->quiet))
    options.mode = terminal::progress_mode::none;
  options.colour = view_.colour;
  options.directory = begun_.directory;
  options.heartbeat = std::chrono::seconds{view_.heartbeat};
  options.name = view_.stack.empty() ? page_.run_id.data() : view_.stack;
  options.printed_before = page_.lines_printed;
  options.shown_before = page_.shown_as;
  options.printed = [this](std::uint64_t lines) { page_.lines_printed = lines; };
  options.usual = [this](std::string_view addr,
                         feed::step_action action) -> std::optional<feed::usual> {
    const auto* known = machine_.usual ? machine_.usual->of(addr, action) : nullptr;
    return known == nullptr ? std::nullopt : std::optional{*known};
  };
  options.estimate = [this] { return machine_.usual ? machine_.usual->estimate() : nullptr; };
  if (view_.score) {
    options.judged = [this](const correlator::run_state& run) {
      return machine_.usual ? machine_.usual->judged(run) : std::vector<history::said_estimate>{};
    };
  }
  options.env = ::getenv;
  const bool passes_on = view_.wrapped && view_.wrapped->passes_on;
  if (options.mode == terminal::progress_mode::json || passes_on) {
    passthrough_ = std::make_unique<passthrough>(link_);
  }
  if (tells && !headless_) retelling_ = std::make_unique<retelling>(page_, view_);
  shown_ = std::make_unique<terminal::stdout_view>(std::move(options));
  if (!headless_) page_.shown_as = shown_->shown_as();
}

void worker::name_page_there(const forward::upload_record& taken) {
  std::string what = "tofud " + std::string{operations::version} + ", run " + taken.run;
  shown_->shown_at(taken.url);
  if (taken.url.empty()) {
    what += ", at " + taken.server;
  } else {
    write_latest(taken.url);
    spool::write_page_url(spool(), taken.url);
    if (page_.worker_starts == 1 && passthrough_) spool::notice("live at " + taken.url);
  }
  shown_->begin(what, taken.url);
}

void worker::start_serving() {
  // Viewers of the worker before this one come back to where it served.
  if (const auto* taken = sender_.taken(); taken != nullptr && page_.port == 0)
    return name_page_there(*taken);
  const std::string id = page_.run_id.data();
  std::string url;
  if (view_.listen.wanted && !headless_) {
    service_ = std::make_unique<local_service>(
        io_, machine_.memory, view_.listen,
        local_service::own_run{id, spool(), view_.mask_file,
                               [this](std::uint64_t offset, std::span<char> room) {
                                 return link_.read_stored(offset, room);
                               }});
    const auto outcome = service_->begin(static_cast<std::uint16_t>(page_.port));
    url = outcome.url;
    if (url.empty()) {
      service_.reset();
      if (page_.worker_starts == 1) spool::notice("no page is served: " + outcome.failure);
    } else {
      if (page_.worker_starts == 1 && passthrough_) spool::notice("live at " + url);
      page_.port = outcome.port;
    }
  }
  shown_->begin("tofud " + std::string{operations::version} + ", run " + id, url);
}

void worker::serve_once_caught_up() {
  if (service_ && rows_.offset() >= known_before_) service_->caught_up();
}

void worker::start_rows() {
  if (service_) {
    topics_.emplace(rows_, pipeline::run_topics::listeners{
                               [this](pipeline::run& run) { service_->run_began(run); },
                               [this](pipeline::run& run) { service_->run_changed(run); }});
  }
  machine_.usual = std::make_unique<foresight::usual_times>(
      io_, rows_, [this](const std::vector<history::usual_query>& queries, auto found) {
        auto asked = std::make_shared<const std::vector<history::usual_query>>(queries);
        machine_.memory.find_usual(
            queries, [this, asked, found](const text::result<machine_memory::usual_answer>& got) {
              found(with_the_daemons(*asked, got ? *got : machine_memory::usual_answer{}));
            });
      });
  if (topics_) machine_.usual->tell(*topics_);
  if (shown_->prints()) rows_.tell(*shown_);
  rows_.tell(state_dumps_);
}

void worker::start_attaching() {
  parts_ = std::make_unique<own_parts>(link_, rows_, begun_.attached);
  if (headless_) return;
  parts_->prepare(io_, view_.attach,
                  {[this] { sender_.more(); },
                   [this] {
                     if (over()) take_more();
                   }});
}

// The first line comes before what tofu prints.
void worker::announce() {
  if (!view_.wrapped) return;
  const auto end = clock::now() + limits::first_line_wait;
  while (!shown_->drained() && clock::now() < end) ::usleep(1000);
  page_.announced = 1;
}

int worker::run() {
  operations::offer_to_the_oom_killer(900);
  known_before_ = page_.stored;
  start_printing();
  if (!headless_) sender_.begin(view_, begun_, rows_);
  start_serving();
  start_rows();
  start_attaching();  // a saved plan is opened before tofu starts, which may delete it
  announce();
  serve_once_caught_up();

  each_beat();
  take_more();
  operations::loop_watch{}.run(io_);
  wakeup_.release();
  return 0;
}

void worker::wait_for_more() {
  wakeup_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [this](boost::system::error_code failed) {
                       if (failed) return;
                       link_.clear_wakeup();
                       take_more();
                     });
}

void worker::take_more() {
  if (finishing_) return;
  if (passthrough_) passthrough_->wake();
  // Looked at first: what is stored later is announced by another wake-up.
  const bool nothing_follows = over();
  ++page_.heartbeat;
  const std::size_t count = link_.read_stored(rows_.offset(), room_);
  if (count > 0) {
    const operations::doing folding{"reading the stream"};
    last_bytes_ = clock::now();
    shown_->heard(last_bytes_);
    rows_.feed({room_.data(), count});
    if (retelling_)
      retelling_->feed({room_.data(), count});
    else
      page_.retold = rows_.offset();
    page_.folded = rows_.offset();
    sender_.more();
    serve_once_caught_up();
    asio::post(io_, [this] { take_more(); });
    return;
  }
  known_before_ = rows_.offset();  // all that can be read
  serve_once_caught_up();
  note_stop();
  if (!nothing_follows) return wait_for_more();
  if (keeper_.gone || !parts_->waits()) finish();
}

void worker::note_stop() {
  const auto stop = keeper::unpacked(page_.stop);
  if (!stop || stop_noted_ || rows_.offset() < stop->offset) return;
  stop_noted_ = true;
  rows_.note("error", stop_text());
  // Under `run` tofu writes the spool itself: what no disk took is not there, and nobody was told.
  if (view_.wrapped && page_.input == keeper::input_kind::none) rows_.gap();
}

std::string worker::stop_text() const {
  const auto stop = keeper::unpacked(page_.stop);
  if (!stop) return "";
  return "tofud stopped storing the stream at byte " + std::to_string(stop->offset) + ": " +
         keeper::reason_text(*stop) + "; the rest is shown after the stream has ended, if at all";
}

void worker::take_tail(pipeline::engine& to) const {
  if (page_.drained <= page_.stored || keeper_.gone) return;
  keeper::stream_tail tail = keeper::read_tail(page_);
  if (tail.first > page_.stored) {
    // The first whole line after the hole.
    const std::size_t end = tail.bytes.find('\n');
    tail.bytes.erase(0, end == std::string::npos ? tail.bytes.size() : end + 1);
    to.note("error",
            std::to_string(tail.first - page_.stored) + " bytes of the stream are missing here");
    to.gap();
  }
  to.feed(tail.bytes);
}

/// All that is stored was fed.
void worker::close(pipeline::engine& to) const {
  take_tail(to);
  if (const auto status = page_.exit_status.load(); status != 0) {
    to.add({to.offset(), events::exit_status{static_cast<int>(status) - 1}});
  }
  to.end();
}

/// Null: no file is made of it.
std::unique_ptr<leaving_stream> worker::as_it_may_leave() {
  if (!wants_files(view_, shown_->summarizes_step())) return nullptr;
  auto made =
      leaving_stream::begin(begun_.identity, spool(), view_.mask_file, begun_.variables,
                            parts_beside_.reader(pipeline::attached_parts::trouble::not_told));
  if (!made) return nullptr;
  pipeline::engine& rows = made->rows();
  const auto said = events::parse_lines(keeper::read_events(link_.events.get()));
  for (const auto& each : said.attachments) rows.add({each.offset, each.what});
  while (const std::size_t count = link_.read_stored(rows.offset(), room_)) {
    rows.feed({room_.data(), count});
  }
  if (stop_noted_) rows.note("error", stop_text());
  close(rows);
  return made;
}

void worker::write_documents() {
  const auto leaving = as_it_may_leave();
  shown_->finish(leaving ? &leaving->rows().fold() : nullptr);
  if (leaving) leaving->write_files(view_);
}

void worker::note_plan_file(std::uint64_t at) const {
  // Of a plan that failed the file is older, if there is one.
  const auto status = page_.exit_status.load();
  const bool planned =
      status == 0 ? rows_.fold().inferred_exit_status() == 0 : status == 1 || status == 3;
  const auto made = planned ? plan_file_of(events::plan_role::out, begun_.plan_out) : std::nullopt;
  if (made) keeper::write_event(link_.events.get(), events::text_of({at, *made}));
}

/// What this machine does not know of these addresses themselves the daemon may: a job's machine is
/// a new one.
machine_memory::usual_answer worker::with_the_daemons(
    const std::vector<history::usual_query>& asked, machine_memory::usual_answer known) const {
  known.resize(asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (known[i] && known[i]->at == feed::rung::address) continue;
    if (const auto there = sender_.usual_of(asked[i].addr, asked[i].action)) known[i] = there;
  }
  return known;
}

void worker::remember() {
  std::vector<history::run_operations> did;
  for (const correlator::run_state& run : rows_.fold().runs()) {
    did.push_back({history::run_to_remember(run), history::all_operations_of(run)});
    if (machine_.usual) did.back().run.said = machine_.usual->judged(run);
  }
  machine_.remembers = false;
  machine_.memory.remember(page_.run_id.data(), std::move(did),
                           [this](const text::failure& failure) {
                             machine_.remembers = true;
                             if (!failure.empty()) spool::notice(failure.text());
                           });
}

void worker::finish() {
  finishing_ = true;
  const operations::doing finishing{"writing what is made of a stream at its end"};
  parts_->finish();
  const std::uint64_t stored = rows_.offset();
  // The summary comes after all of it.
  if (retelling_) retelling_->end();
  if (view_.wrapped && keeper_.gone && !keeper_.inherited) {
    shown_->lose_sight(
        "tofud run was killed; its command may go on, and `tofud ls` tells how it ends");
  }
  close(rows_);
  page_.result = static_cast<std::uint32_t>(rows_.fold().inferred_exit_status()) + 1;
  if (!spool().empty()) shown_->say("kept: " + spool());
  write_documents();
  note_plan_file(stored);
  if (!spool().empty()) {
    remember();
    keeper::write_event(link_.events.get(), events::text_of({stored, events::end{}}));
    if (headless_ && forward::owes_upload(spool())) {
      const std::string id = page_.run_id.data();
      spool::notice("run " + id + " is not completely sent to the daemon; `tofud resume " + id +
                    "` sends the rest");
    }
    sender_.finish(keeper_is(), view_.wrapped.has_value());
    spool::prune(std::filesystem::path{spool()}.parent_path(), std::chrono::system_clock::now(), {},
                 forward::owes_upload);
  }
  if (service_) {
    service_->finish([this] { served_ = true; });
  } else {
    served_ = true;
  }
}

/// Where we read tofu's stream on, its death is not the end of the stream.
void worker::look_after_keeper() {
  if (heir_.is_ready()) {
    if (!heir_.has_inherited() || std::exchange(keeper_.inherited, true)) return;
    spool::notice(
        "the keeper of this pipe was killed; process " + std::to_string(::getpid()) +
        " has taken over and nothing is lost, but the pipe's exit status will be 137 whatever "
        "tofu's is. If that process is killed too, tofu dies with it; then `tofud recover " +
        page_.run_id.data() + "` tells what to do");
    return;
  }
  if (keeper_.gone || !link_.keeper_gone() || page_.eof != 0) return;
  keeper_.gone = true;
  take_more();
}

bool worker::is_done() {
  return sender_.is_over(keeper_is(), view_.wrapped.has_value()) && served_ && machine_.remembers &&
         shown_->drained() && (!retelling_ || retelling_->drained()) &&
         (!passthrough_ || passthrough_->finished());
}

void worker::each_beat() {
  const operations::doing beating{"a beat"};
  ++page_.heartbeat;
  look_after_keeper();
  if (parts_->is_waiting() && !finishing_) take_more();
  shown_->tick(clock::now());
  if (service_) service_->beat();
  if (!finishing_) sender_.beat();
  if (!finishing_ && clock::now() - last_bytes_ >= limits::approval_shown_after) {
    rows_.silent();
  }
  if (finishing_ && is_done()) {
    io_.stop();
    return;
  }
  beat_.expires_after(beat);
  beat_.async_wait([this](boost::system::error_code failed) {
    if (!failed) each_beat();
  });
}

}  // namespace

int run_worker(worker_sort sort) {
  auto link = keeper::worker_link::inherit();
  if (!link) {
    spool::notice("internal command; use `tofu apply -json | tofud`");
    return 2;
  }
  auto view = read_view_document(link->read_told());
  if (!view) {
    spool::notice(view.error().text());
    view = view_options{};
  }
  // A pipe's worker looks for them itself: its keeper has no time.
  if (!view->wrapped) view->attach.own_schemas = attachments::own_schemas_of(view->attach.config);
  worker working{*view, sort, std::move(*link)};
  return working.run();
}

}  // namespace tofud
