#include "daemon/correlator/stream_fold.hpp"

#include "daemon/correlator/limits.hpp"
#include "daemon/correlator/state_archive.hpp"
#include "protocol/text/fnv.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace tofud::correlator {

namespace {
constexpr std::string_view message_start = "{\"@level\":";
constexpr auto npos = std::string_view::npos;
}  // namespace

stream_fold::stream_fold(run_identity identity, row_sink& watcher, std::size_t max_line)
    : identity_{std::move(identity)}, watcher_{watcher}, max_line_{max_line}, splitter_{max_line} {
  begin_run();
}

void stream_fold::begin_run() {
  run_identity identity = identity_;
  if (!runs_.empty()) identity.id.append(".").append(std::to_string(runs_.size() + 1));
  runs_.emplace_back(std::move(identity), watcher_);
  places_of_runs_.push_back({places_.size(), places_.size()});
  runs_.back().attach(attached_);
  watcher_.run_began(runs_.back());
}

void stream_fold::show(text_policy shows) {
  identity_.shows = shows;
  for (run_state& each : runs_) each.show(shows);
}

void stream_fold::feed(std::string_view bytes) {
  offset_ += bytes.size();
  splitter_.feed(
      bytes, [this](std::string_view each) { line(each); },
      [this](std::uint64_t size) { too_long(size); });
}

void stream_fold::too_long(std::uint64_t size) {
  if (counts_ != nullptr) ++counts_->too_long;
  current().count_malformed();
  current().note("warn", "a line of " + std::to_string(size) + " bytes was skipped: longer than " +
                             std::to_string(max_line_));
}

void stream_fold::line(std::string_view line) {
  const std::size_t before = current().contradictions();
  message(line, parser_.parse(line));
  if (counts_ != nullptr && current().contradictions() > before) ++counts_->contradictions;
  if (!current().is_full() || full_run_ == runs_.size()) return;
  full_run_ = runs_.size();
  if (counts_ != nullptr) ++counts_->full_runs;
}

void stream_fold::message(std::string_view line, const ui::parsed_line& parsed) {
  if (counts_ != nullptr) ++(parsed.head ? counts_->by_type[parsed.body.index()] : counts_->text);
  const auto* version = parsed.head ? std::get_if<ui::version>(&parsed.body) : nullptr;
  if (parsed.text && parsed.head && !current().unsupported()) current().apply_text(*parsed.text);
  if (version != nullptr && current().had_message()) {
    if (current().has_open_change()) {
      current().mark_interleaved();
    } else if (runs_.size() < limits::runs_per_stream) {
      current().end(followed::yes);
      watcher_.run_ended(current());
      begin_run();
    }
  }
  run_state& run = current();
  if (run.unsupported()) {
    run.apply_text(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
    return;
  }
  if (!parsed.head) {
    run.apply_text(*parsed.text);
    return;
  }
  run.apply(*parsed.head, parsed.body);
  if (version != nullptr && ui::major(version->ui).value_or(1) > 1 && !run.interleaved()) {
    run.mark_unsupported(version->ui);
  }
  if (const auto* log = std::get_if<ui::log>(&parsed.body);
      log != nullptr && log->state == ui::state_dump::yes) {
    watcher_.state_dump(run, line);
  }
}

void stream_fold::note(std::string_view level, std::string_view text) {
  current().note(level, text);
}

void stream_fold::gap() {
  splitter_.drop();
  current().mark_gap();
}

void stream_fold::label(std::string_view key, std::string_view value) {
  const auto same = [&](const feed::label& label) { return label.key == key; };
  if (std::any_of(identity_.granted.begin(), identity_.granted.end(), same)) return;
  std::erase_if(identity_.labels, same);
  identity_.labels.push_back({std::string{key}, std::string{value}});
  for (run_state& run : runs_) run.set_labels(identity_.labels);
}

void stream_fold::attach(const run_attachments& known) {
  attached_ = known;
  places_.push_back({offset_, known});
  places_of_runs_.back().upto = places_.size();
  current().attach(attached_);
}

void stream_fold::broken_off() { current().mark_broken_off(); }

void stream_fold::exit_status(int status) { current().set_exit_status(status); }

void stream_fold::end() { end_some(std::numeric_limits<std::size_t>::max()); }

bool stream_fold::end_some(std::size_t most) {
  if (current().over()) return true;
  if (!torn_) torn_ = take_rest();
  run_state& run = current();
  if (!run.end_some(followed::no, most)) return false;
  if (*torn_ > 0) run.note("warn", "stream ends in mid-line, " + std::to_string(*torn_) + " bytes");
  watcher_.run_ended(run);
  return true;
}

std::size_t stream_fold::take_rest() {
  const std::string rest{splitter_.rest()};
  const std::uint64_t skipped = splitter_.skipped();
  splitter_.drop();
  if (skipped > 0) too_long(skipped);
  if (!rest.empty()) {
    // A message cut off is no message; a program's last words without a newline are text.
    const bool begins_message =
        rest.find_first_not_of(" \t") == rest.find('{') || rest.find(message_start) != npos;
    if (!begins_message || parser_.parse(rest).head || parser_.is_whole_object(rest))
      line(rest);
    else
      return rest.size();
  }
  return 0;
}

void stream_fold::save(state_writer& to) const {
  to.put(identity_);
  to.put(offset_);
  to.put(full_run_);
  to.put(splitter_.rest());
  to.put(splitter_.skipped());
  for (const attachment_place& place : places_) to.put(place.offset);
  to.put(places_of_runs_);
  for (const run_state& run : runs_) {
    to.put(run.identity());
    run.save(to);
  }
}

void stream_fold::load(state_reader& from, std::span<const run_attachments> attached) {
  std::string rest;
  std::uint64_t skipped = 0;
  from.get(identity_);
  from.get(offset_);
  from.get(full_run_);
  from.get(rest);
  from.get(skipped);
  splitter_.go_on(std::move(rest), skipped);
  for (const run_attachments& each : attached) {
    places_.push_back({0, each});
    from.get(places_.back().offset);
  }
  if (!attached.empty()) attached_ = attached.back();
  from.get(places_of_runs_);
  runs_.clear();
  for (auto& [before, upto] : places_of_runs_) {
    run_identity identity;
    from.get(identity);
    upto = std::min(upto, attached.size());
    // The newest that was there when it began is the first that it had.
    const std::size_t first = std::min(before - std::min<std::size_t>(before, 1), upto);
    runs_.emplace_back(std::move(identity), watcher_)
        .load(from, attached.subspan(first, upto - first));
  }
}

std::size_t stream_fold::memory() const {
  std::size_t sum = splitter_.memory();
  for (const run_state& run : runs_) sum += run.memory();
  return sum;
}

int stream_fold::inferred_exit_status() const {
  const bool unsupported = std::any_of(runs_.begin(), runs_.end(),
                                       [](const run_state& run) { return run.unsupported(); });
  if (unsupported) return 3;
  const bool good = std::all_of(runs_.begin(), runs_.end(), [](const run_state& run) {
    return run.status() == feed::run_status::succeeded;
  });
  return good ? 0 : 1;
}

std::string epoch_of(std::string_view run_id) {
  // Positions outlive the process: no library's hash promises that.
  const std::array end{'/', static_cast<char>(fold_version)};
  std::uint64_t hash = text::fnv1a({end.data(), end.size()}, text::fnv1a(run_id));
  constexpr std::string_view digits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string epoch;
  for (int i = 0; i < 6; ++i, hash /= digits.size()) epoch.push_back(digits[hash % digits.size()]);
  return epoch;
}

}  // namespace tofud::correlator
