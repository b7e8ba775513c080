#include "daemon/local/worker.hpp"

#include "daemon/attachments/attachments_preparing.hpp"
#include "daemon/attachments/documents.hpp"
#include "daemon/attachments/files.hpp"
#include "daemon/attachments/hidden_file.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/exports/exported_runs.hpp"
#include "daemon/exports/report_file.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/forward/forwarding.hpp"
#include "daemon/keeper/heir.hpp"
#include "daemon/keeper/limits.hpp"
#include "daemon/keeper/spool_writer.hpp"
#include "daemon/keeper/worker_link.hpp"
#include "daemon/local/limits.hpp"
#include "daemon/local/local_service.hpp"
#include "daemon/local/passthrough.hpp"
#include "daemon/local/server.hpp"
#include "daemon/operations/oom_score.hpp"
#include "daemon/operations/version.hpp"
#include "daemon/pipeline/limits.hpp"
#include "daemon/pipeline/pipeline.hpp"
#include "daemon/pipeline/state_dump.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/page_url.hpp"
#include "daemon/spool/prune.hpp"
#include "daemon/stack/ci_labels.hpp"
#include "daemon/stack/plan_file.hpp"
#include "daemon/stack/stack_of.hpp"
#include "daemon/terminal/stdout_view.hpp"
#include "daemon/terminal/tofu_text.hpp"
#include "daemon/terminal/writer.hpp"
#include "protocol/events/run_events.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
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

std::optional<events::plan_file> plan_file_of(events::plan_role role, const std::string& path) {
  auto hashed = stack::hash_plan_file(path);
  if (!hashed) return std::nullopt;
  return events::plan_file{role, std::move(hashed->sha256), hashed->bytes};
}

class worker {
 public:
  worker(const view_options& view, worker_sort sort, keeper::worker_link link);
  int run();

 private:
  stream_bytes stored_bytes();
  correlator::run_identity identity();
  stack::run_facts found_facts();
  void add_labels(correlator::run_identity& identity, const stack::run_facts& facts) const;
  void note_plan_file(const std::optional<events::plan_file>& file);
  void start_attaching();
  bool is_known(feed::attachment part) const;
  void attach(feed::attachment part);
  void attach(const events::attachment& known);
  std::vector<redact::secret> hidden_values() const;
  void feed(std::string_view bytes);
  bool waits_for_attachments();
  void announce();
  void start_printing();
  void start_telling();
  void end_telling();
  void look_after_keeper();
  void start_forwarding();
  void send_to(const forward::found_daemon& daemon);
  bool is_served_there() const;
  void name_page_there();
  void start_serving();
  void serve_once_caught_up();
  void wait_for_more();
  void take_more();
  void note_stop();
  std::string stop_text() const;
  void take_tail(pipeline& to);
  void close(pipeline& to);
  std::unique_ptr<pipeline> as_it_may_leave();
  void write_documents();
  void finish();
  void finish_forwarding();
  bool is_sent();
  void each_beat();
  bool over() const { return link_.page->eof != 0 || keeper_gone_; }

  const view_options& view_;
  bool headless_;
  keeper::worker_link link_;
  keeper::stream_page& page_;
  keeper::heir heir_{link_};
  asio::io_context io_{1};
  asio::posix::stream_descriptor wakeup_;
  asio::steady_timer beat_;
  std::unique_ptr<terminal::stdout_view> shown_;
  std::unique_ptr<terminal::line_writer> teller_;  // of text_
  std::unique_ptr<terminal::tofu_text> text_;      // nothing: tofu prints its own
  std::uint64_t told_before_ = 0, told_ = 0;       // lines, as of the worker before this one
  std::unique_ptr<passthrough> passthrough_;
  correlator::run_identity identity_;
  std::unique_ptr<forward::forwarding> forwarding_;  // nothing: to no daemon
  std::unique_ptr<local_service> service_;
  std::unique_ptr<pipeline> pipeline_;
  std::shared_ptr<attachments::documents> attached_;  // null: nothing is
  std::vector<feed::attachment> known_parts_;
  std::deque<events::attachment> to_attach_;  // as the worker before this one did
  std::unique_ptr<attachments::attachments_preparing>
      preparing_;  // null: nothing is to be attached
  std::vector<char> room_;
  std::string plan_out_;  // the file that a plan writes; empty: none
  std::uint64_t folded_ = 0;
  std::uint64_t known_before_ = 0;  // bytes that the worker before this one may have shown
  clock::time_point last_bytes_ = clock::now();
  clock::time_point farewell_end_{};
  std::optional<clock::time_point> attached_by_;  // the stream is over, and waits until then
  bool keeper_gone_ = false, inherited_ = false, left_said_ = false, stop_noted_ = false,
       finishing_ = false, served_ = false;
};

worker::worker(const view_options& view, worker_sort sort, keeper::worker_link link)
    : view_{view},
      headless_{sort == worker_sort::headless},
      link_{std::move(link)},
      page_{*link_.page},
      wakeup_{io_, link_.wakeup.get()},
      beat_{io_},
      room_(limits::read_bytes) {}

stream_bytes worker::stored_bytes() {
  return [this](std::uint64_t offset, std::span<char> room) {
    return link_.read_stored(offset, room);
  };
}

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
  if (headless_) options.mode = terminal::progress_mode::none;
  options.colour = view_.colour;
  options.heartbeat = view_.heartbeat;
  options.name = view_.stack.empty() ? page_.run_id.data() : view_.stack;
  options.printed_before = page_.lines_printed;
  options.shown_before = page_.shown_as;
  options.printed = [this](std::uint64_t lines) { page_.lines_printed = lines; };
  options.env = ::getenv;
  const bool passes_on = view_.wrapped && view_.wrapped->passes_on;
  if (options.mode == terminal::progress_mode::json || passes_on) {
    passthrough_ = std::make_unique<passthrough>(link_);
  }
  if (tells && !headless_) start_telling();
  shown_ = std::make_unique<terminal::stdout_view>(std::move(options));
  if (!headless_) page_.shown_as = shown_->shown_as();
}

// tofu's stdout is the spool: what it would have printed is told from the stream.
void worker::start_telling() {
  told_before_ = page_.passed_on;
  teller_ = std::make_unique<terminal::line_writer>(
      STDOUT_FILENO, [this](std::uint64_t lines) { page_.passed_on = told_before_ + lines; });
  const bool coloured =
      terminal::wants_colour(view_.colour, ::isatty(STDOUT_FILENO) != 0, ::getenv);
  text_ = std::make_unique<terminal::tofu_text>(
      [this](std::string_view line) {
        if (told_++ >= told_before_) teller_->write(line);
      },
      coloured ? text::ink::colours::yes : text::ink::colours::no);
}

// The summary comes after all of it, unless the terminal takes none.
void worker::end_telling() {
  if (!text_) return;
  text_->end();
  const auto end = clock::now() + limits::first_line_wait;
  while (!teller_->drained() && clock::now() < end) ::usleep(1000);
}

// Whoever does not answer soon gets the run later; until then it is served here.
void worker::start_forwarding() {
  if (headless_) return;
  const std::string spool = page_.spool_path.data();
  forward::daemon_choice choice{view_.server, view_.no_server, view_.token_file};
  // The worker before this one has chosen.
  const auto known = forward::load_record(forward::upload_path(spool));
  if (known && !known->owes()) return;
  if (known && !choice.none) choice.server = known->server;
  const auto daemon = forward::find_daemon(choice);
  std::string failure;
  if (!daemon) {
    failure = daemon.error();
  } else if (*daemon && spool.empty()) {
    failure = "its stream is kept in memory only";
  } else if (*daemon) {
    return send_to(**daemon);
  }
  if (!failure.empty() && page_.worker_starts == 1) {
    spool::notice("the run is sent to no daemon: " + failure);
  }
}

void worker::send_to(const forward::found_daemon& daemon) {
  forward::run_facts facts{identity_.id, identity_.stack, identity_.labels, identity_.command,
                           identity_.may_ask};
  forward::forwarding::spooled_stream source;
  source.path = page_.spool_path.data();
  // No further than the rows are: what is attached to them there is told before bytes behind it.
  source.bytes = [this, stored = stored_bytes()](std::uint64_t offset, std::span<char> room) {
    const std::uint64_t there = folded_ - std::min(folded_, offset);
    return stored(offset, room.first(std::min<std::uint64_t>(room.size(), there)));
  };
  source.size = [this] { return page_.stored.load(); };
  source.events = [this] { return keeper::read_events(link_.events.get()); };
  source.began = std::chrono::system_clock::now();
  auto begun = forward::forwarding::begin(io_, daemon, std::move(source), facts, view_.mask_file);
  if (!begun) return spool::notice(begun.error());
  forwarding_ = std::move(*begun);
  forwarding_->on_over([this] {
    if (const auto why = forwarding_->why_stopped(); !why.empty()) spool::notice(why);
  });
  const auto end = clock::now() + limits::daemon_wait;
  while (!forwarding_->taken() && !forwarding_->over() && io_.run_one_until(end) > 0) {
  }
  io_.restart();
  if (!forwarding_->taken() && !forwarding_->over() && page_.worker_starts == 1) {
    spool::notice(forwarding_->record().server +
                  " has not taken the run yet; it is sent there as soon as it does");
  }
}

// Viewers of the worker before this one come back to where it served.
bool worker::is_served_there() const {
  return forwarding_ && forwarding_->taken() && page_.port == 0;
}

void worker::name_page_there() {
  const std::string& url = forwarding_->record().url;
  std::string what =
      "tofud " + std::string{operations::version} + ", run " + forwarding_->record().run;
  if (url.empty()) {
    what += ", at " + forwarding_->record().server;
  } else {
    write_latest(url);
    spool::write_page_url(page_.spool_path.data(), url);
    if (page_.worker_starts == 1 && passthrough_) spool::notice("live at " + url);
  }
  shown_->begin(what, url);
}

void worker::start_serving() {
  if (is_served_there()) return name_page_there();
  const std::string id = page_.run_id.data();
  std::string url;
  if (view_.listen.wanted && !headless_) {
    service_ = std::make_unique<local_service>(
        io_, view_.listen, local_service::own_run{id, page_.spool_path.data(), stored_bytes()});
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
  if (service_ && folded_ >= known_before_) service_->caught_up();
}

stack::run_facts worker::found_facts() {
  if (view_.wrapped) return {view_.stack, view_.commit, view_.plan_out, view_.plan_argument};
  stack::run_facts facts = stack::facts_of_pipe(page_.input_inode, page_.stored);
  if (!view_.stack.empty()) facts.stack = view_.stack;
  return facts;
}

// A person's own labels win.
void worker::add_labels(correlator::run_identity& identity, const stack::run_facts& facts) const {
  const auto variable = [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>{value};
  };
  identity.labels = view_.labels;
  stack::add_missing(identity.labels, stack::ci_labels(variable));
  const auto add = [&identity](const char* key, std::string_view value) {
    if (!value.empty()) stack::add_missing(identity.labels, {{key, std::string{value}}});
  };
  add("workspace", stack::workspace_of(facts.stack));
  add("commit", facts.commit);
}

void worker::note_plan_file(const std::optional<events::plan_file>& file) {
  if (file) keeper::write_event(link_.events.get(), events::plan_file_event(folded_, *file));
}

// What the worker before this one found out stays: the peer of the pipe may be gone by now.
correlator::run_identity worker::identity() {
  correlator::run_identity identity;
  identity.id = page_.run_id.data();
  if (view_.wrapped) {
    identity.command = view_.wrapped->command;
    identity.may_ask = view_.wrapped->may_ask;
  }
  const int events = link_.events.get();
  const auto known = events::parse_events(keeper::read_events(events));
  // A wrapped command may be over, and its exit status written, before any worker got here.
  if (known.id.empty()) {
    const stack::run_facts facts = found_facts();
    identity.stack = facts.stack;
    add_labels(identity, facts);
    plan_out_ = facts.plan_out;
    // A later step of a job may export the run, and has not this step's environment.
    if (!headless_ && *page_.spool_path.data() != '\0' && std::getenv("CI") != nullptr)
        [[maybe_unused]]
      const auto found = redaction::frozen_rules(page_.spool_path.data(),
                                                 redaction::own_environment(), view_.mask_file);
    keeper::write_event(events, events::begin_event(identity.id, identity.stack, identity.labels,
                                                    identity.command));
    note_plan_file(view_.plan_hash
                       ? view_.plan_hash
                       : plan_file_of(events::plan_role::argument, facts.plan_argument));
  } else {
    identity.stack = known.stack;
    identity.labels = known.labels;
    plan_out_ = view_.plan_out;
    to_attach_.assign(known.attachments.begin(), known.attachments.end());
  }
  return identity;
}

// Each part once a run: what a worker before this one attached is there.
void worker::start_attaching() {
  attachments::wanted wanted = view_.attach;
  wanted.spool = page_.spool_path.data();
  if (is_known(feed::attachment::config)) wanted.config.clear();
  if (is_known(feed::attachment::plan)) wanted.plan = wanted.found.plan = "";
  if (is_known(feed::attachment::plan) || is_known(feed::attachment::schemas)) {
    wanted.schemas.clear();
    wanted.own_schemas.clear();
  }
  if (headless_ || wanted.spool.empty() || !wanted.anything()) return;
  attachments::attachments_preparing::listeners told;
  told.done = [this](feed::attachment part) { attach(part); };
  told.note = [](const std::string& sentence) { spool::notice(sentence); };
  told.over = [this] {
    if (over()) take_more();
  };
  preparing_ = std::make_unique<attachments::attachments_preparing>(io_, wanted, std::move(told));
}

bool worker::is_known(feed::attachment part) const {
  const auto same = [part](const events::attachment& each) { return each.part == part; };
  return std::find(known_parts_.begin(), known_parts_.end(), part) != known_parts_.end() ||
         std::any_of(to_attach_.begin(), to_attach_.end(), same);
}

// It takes effect here: the event says so to whoever folds the stream again.
void worker::attach(feed::attachment part) {
  if (finishing_ || is_known(part)) return;
  const std::string path = attachments::beside_spool(page_.spool_path.data(), part);
  const auto hashed = stack::hash_plan_file(path, limits::attached_plan_bytes);
  if (!hashed) return;
  events::attachment made{part, folded_, hashed->sha256, hashed->bytes};
  if (part == feed::attachment::plan) made.hidden = hidden_values().size();
  keeper::write_event(link_.events.get(), events::attachment_event(made));
  attach(made);
  if (forwarding_) forwarding_->more();
}

std::vector<redact::secret> worker::hidden_values() const {
  return attachments::read_hidden_file(attachments::hidden_beside_spool(page_.spool_path.data()));
}

void worker::attach(const events::attachment& known) {
  if (!attached_) attached_ = std::make_shared<attachments::documents>();
  const std::string path = attachments::beside_spool(page_.spool_path.data(), known.part);
  known_parts_.push_back(known.part);
  if (known.part == feed::attachment::plan) {
    attached_->hide(attachments::ready_to_hide(hidden_values()));
  }
  if (const auto failure = attached_->add(known.part, path); !failure.empty())
    return spool::notice(failure);
  pipeline_->attach(attached_);
}

void worker::feed(std::string_view bytes) {
  std::uint64_t at = folded_;
  while (!to_attach_.empty() && to_attach_.front().offset <= at + bytes.size()) {
    const std::size_t before = to_attach_.front().offset - std::min(to_attach_.front().offset, at);
    pipeline_->feed(bytes.substr(0, before));
    bytes.remove_prefix(before);
    at += before;
    attach(to_attach_.front());
    to_attach_.pop_front();
  }
  pipeline_->feed(bytes);
}

bool worker::waits_for_attachments() {
  if (!preparing_ || preparing_->over() || keeper_gone_) return false;
  if (!attached_by_) attached_by_ = clock::now() + limits::attachment_farewell;
  return clock::now() < *attached_by_;
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
  identity_ = identity();
  start_printing();
  start_forwarding();
  start_serving();
  start_attaching();  // a saved plan is opened before tofu starts, which may delete it
  announce();
  pipeline::listeners told;
  if (service_) {
    told.run_began = [this](pipeline::run& run) { service_->run_began(run); };
    told.run_changed = [this](pipeline::run& run) { service_->run_changed(run); };
  }
  if (shown_->prints()) told.view = shown_.get();
  told.state_dump = [this](std::string_view line) {
    const std::string place = keep_state_dump(line, page_.spool_path.data());
    shown_->say(place.empty() ? "the state could not be saved, and tofud could not keep it "
                                "either: it is in the stream"
                              : "the state OpenTofu could not save is in " + place);
  };
  pipeline_ = std::make_unique<pipeline>(identity_, std::move(told));
  serve_once_caught_up();

  each_beat();
  take_more();
  io_.run();
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
  const std::size_t count = link_.read_stored(folded_, room_);
  if (count > 0) {
    last_bytes_ = clock::now();
    shown_->heard(last_bytes_);
    feed({room_.data(), count});
    if (text_) text_->feed({room_.data(), count});
    folded_ += count;
    page_.folded = folded_;
    if (forwarding_) forwarding_->more();
    serve_once_caught_up();
    asio::post(io_, [this] { take_more(); });
    return;
  }
  known_before_ = folded_;  // all that can be read
  serve_once_caught_up();
  note_stop();
  if (!nothing_follows) return wait_for_more();
  if (!waits_for_attachments()) finish();
}

void worker::note_stop() {
  const auto stop = keeper::unpacked(page_.stop);
  if (!stop || stop_noted_ || folded_ < stop->offset) return;
  stop_noted_ = true;
  pipeline_->note("error", stop_text());
  // Under `run` tofu writes the spool itself: what no disk took is not there, and nobody was told.
  if (view_.wrapped && page_.input == keeper::input_kind::none) pipeline_->gap();
}

std::string worker::stop_text() const {
  const auto stop = keeper::unpacked(page_.stop);
  if (!stop) return "";
  return "tofud stopped storing the stream at byte " + std::to_string(stop->offset) + ": " +
         keeper::reason_text(*stop) +
         "; what follows is shown when the stream has ended, if at all";
}

void worker::take_tail(pipeline& to) {
  if (page_.drained <= page_.stored || keeper_gone_) return;
  keeper::stream_tail tail = keeper::read_tail(page_);
  if (tail.first > page_.stored) {
    // The first whole line after the hole.
    const std::size_t end = tail.bytes.find('\n');
    tail.bytes.erase(0, end == std::string::npos ? tail.bytes.size() : end + 1);
    to.note("error",
            std::to_string(tail.first - page_.stored) + " bytes of the stream are lost here");
    to.gap();
  }
  to.feed(tail.bytes);
}

/// All that is stored was fed.
void worker::close(pipeline& to) {
  take_tail(to);
  if (const auto status = page_.exit_status.load(); status != 0) {
    to.exit_status(static_cast<int>(status) - 1);
  }
  to.end();
}

/// The stream folded once more, by its redacted bytes: what files for other people are made of.
/// Null if the rules can't be found, which is said.
std::unique_ptr<pipeline> worker::as_it_may_leave() {
  const std::string spool = page_.spool_path.data();
  const auto rules = redaction::rules_of_stream(spool, view_.mask_file);
  if (!rules) {
    spool::notice("no report is written: " + rules.error());
    return nullptr;
  }
  auto made =
      std::make_unique<pipeline>(redaction::redacted(identity_, *rules), pipeline::listeners{});
  made->redact_by(*rules);
  const auto said = events::parse_events(keeper::read_events(link_.events.get()));
  auto known = std::make_shared<attachments::documents>();
  auto next = said.attachments.begin();
  for (std::uint64_t at = 0;;) {
    for (; next != said.attachments.end() && next->offset <= at; ++next) {
      if (!is_known(next->part)) continue;
      if (next->part == feed::attachment::plan)
        known->hide(attachments::ready_to_hide(hidden_values()));
      if (known->add(next->part, attachments::beside_spool(spool, next->part)).empty())
        made->attach(known);
    }
    std::uint64_t wanted = folded_ - std::min(folded_, at);
    if (next != said.attachments.end()) wanted = std::min(wanted, next->offset - at);
    const std::span<char> room{room_.data(), std::min<std::uint64_t>(wanted, room_.size())};
    const std::size_t count = room.empty() ? 0 : link_.read_stored(at, room);
    if (count == 0) break;
    made->feed({room_.data(), count});
    at += count;
  }
  if (stop_noted_) made->note("error", stop_text());
  close(*made);
  return made;
}

void worker::write_documents() {
  const bool wanted = !view_.junit.empty() || !view_.report.empty() || shown_->summarizes_step();
  const auto leaving = wanted ? as_it_may_leave() : nullptr;
  shown_->finish(leaving ? &leaving->fold() : nullptr);
  if (!leaving) return;
  if (!view_.junit.empty()) exports::write_junit(view_.junit, leaving->fold());
  if (view_.report.empty()) return;
  if (const auto why_not = exports::write_report(view_.report, leaving->runs()))
    spool::notice(*why_not);
}

void worker::finish() {
  finishing_ = true;
  end_telling();
  close(*pipeline_);
  page_.result = static_cast<std::uint32_t>(pipeline_->fold().inferred_exit_status()) + 1;
  const std::string spool = page_.spool_path.data();
  if (!spool.empty()) shown_->say("tofud replay " + spool);
  write_documents();
  // Of a plan that failed the file is older, if there is one.
  const auto status = page_.exit_status.load();
  const bool planned =
      status == 0 ? pipeline_->fold().inferred_exit_status() == 0 : status == 1 || status == 3;
  if (planned) note_plan_file(plan_file_of(events::plan_role::out, plan_out_));
  if (!spool.empty()) {
    keeper::write_event(link_.events.get(), events::end_event(folded_));
    finish_forwarding();
    spool::prune(std::filesystem::path{spool}.parent_path(), std::chrono::system_clock::now(), {},
                 forward::owes_upload);
  }
  if (service_) {
    service_->finish([this] { served_ = true; });
  } else {
    served_ = true;
  }
}

void worker::finish_forwarding() {
  if (headless_ && forward::owes_upload(page_.spool_path.data())) {
    const std::string id = page_.run_id.data();
    spool::notice("run " + id + " is not yet at the daemon; `tofud resume " + id +
                  "` sends what is missing");
  }
  if (!forwarding_ || forwarding_->over()) return;
  const bool answers = forwarding_->was_in_contact() || forwarding_->taken();
  farewell_end_ = clock::now() + (answers ? limits::farewell : limits::farewell_unanswered);
  // Without its keeper, a wrapped tofu writes on, and who resumes follows it to its end.
  if (!keeper_gone_ || !view_.wrapped) forwarding_->end();
}

// Or nobody waits for that any longer.
bool worker::is_sent() {
  if (!forwarding_ || forwarding_->over()) return true;
  const bool goes_on_without_us = keeper_gone_ && view_.wrapped && forwarding_->unsent() == 0;
  if (!goes_on_without_us && clock::now() < farewell_end_) return false;
  if (!std::exchange(left_said_, true)) spool::notice(forwarding_->what_is_left());
  return true;
}

/// Where we read tofu's stream on, its death is not the end of the stream.
void worker::look_after_keeper() {
  if (heir_.is_ready()) {
    if (!heir_.has_inherited() || std::exchange(inherited_, true)) return;
    spool::notice("the process that reads this pipe was killed; process " +
                  std::to_string(::getpid()) +
                  " reads on and nothing is lost, but the pipe will end with status 137, whatever "
                  "tofu ends with. If that process is killed as well, tofu ends with it: then "
                  "`tofud recover " +
                  page_.run_id.data() + "` says what to do");
    return;
  }
  if (keeper_gone_ || !link_.keeper_gone() || page_.eof != 0) return;
  keeper_gone_ = true;
  take_more();
}

void worker::each_beat() {
  ++page_.heartbeat;
  look_after_keeper();
  if (attached_by_ && !finishing_) take_more();
  shown_->tick(clock::now());
  if (service_) service_->beat();
  if (forwarding_ && !finishing_) forwarding_->beat();
  if (!finishing_ && clock::now() - last_bytes_ >= limits::approval_shown_after) {
    pipeline_->silent();
  }
  if (finishing_ && is_sent() && served_ && shown_->drained() && (!teller_ || teller_->drained()) &&
      (!passthrough_ || passthrough_->finished())) {
    io_.stop();
    return;
  }
  beat_.expires_after(beat);
  beat_.async_wait([this](boost::system::error_code failed) {
    if (!failed) each_beat();
  });
}

}  // namespace

int run_worker(const view_options& view, worker_sort sort) {
  auto link = keeper::worker_link::inherit();
  if (!link) {
    spool::notice("this command is for tofud itself; people pipe a stream into tofud");
    return 2;
  }
  worker working{view, sort, std::move(*link)};
  return working.run();
}

}  // namespace tofud
