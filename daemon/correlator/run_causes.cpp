#include "daemon/correlator/run_causes.hpp"

#include "daemon/correlator/state_archive.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tofud::correlator {
namespace {

using feed::step_action;
using feed::step_status;
using order::effect;
using order::no_vertex;
using order::progress_of;
using order::vertex;

constexpr std::array<std::string_view, 3> making_words{"create", "update", "read"};

/// Nothing: it is no operation of an apply.
std::optional<effect> effect_of(step_action action) {
  if (action == step_action::remove) return effect::remove;
  const bool makes =
      action == step_action::create || action == step_action::update || action == step_action::read;
  return makes ? std::optional{effect::make} : std::nullopt;
}

order::facts facts_of(const run_attachments& attached, order::waiting_by waits) {
  return order::facts_of(attached.config.get(), attached.order.get(), waits);
}

}  // namespace

std::vector<run_causes::owed_row> run_causes::owed_in(const run_rows& rows,
                                                      const run_attachments& attached) {
  std::vector<owed_row> all;
  const order::facts known = facts_of(attached, order::waiting_by::block);
  if (known.config == nullptr && known.state == nullptr) return all;
  std::uint32_t place = 0;
  for (const resource_state& resource : rows.resources) {
    owed_row made;
    made.place = place++;
    for (const feed::planned& each : resource.row.plan) {
      const auto making = std::find(making_words.begin(), making_words.end(), each.action);
      if (each.action == "delete" && (!each.says->deposed.empty() || made.makes)) {
        // Where the current object stays, one that is left over is deleted.
        made.deposed.emplace_back(each.says->deposed.empty() ? "deposed" : each.says->deposed);
      } else if (each.action == "delete") {
        made.removes = true;
      } else if (each.action == "replace") {
        made.makes = made.removes = true;
        const bool says = attached.plan && !attached.plan->of(resource.row.addr).empty();
        if (says || each.says->create_before_destroy)
          made.create_before_destroy = each.says->create_before_destroy;
      } else if (making != making_words.end()) {
        made.makes = true;
        made.making = static_cast<std::uint8_t>(making - making_words.begin());
      }
    }
    if (made.makes || made.removes || !made.deposed.empty()) all.push_back(std::move(made));
  }
  return all;
}

// ---- the order ----------------------------------------------------------------------------------

bool run_causes::make_order(const run_rows& rows, const run_attachments& attached,
                            order::waiting_by waits) {
  const order::facts known = facts_of(attached, waits);
  if (owed_.empty() || (known.config == nullptr && known.state == nullptr)) return false;
  std::vector<order::planned_object> planned;
  planned.reserve(owed_.size());
  for (const owed_row& each : owed_) {
    order::planned_object& made = planned.emplace_back();
    made.address = rows.resources[each.place].row.addr;
    made.makes = each.makes;
    made.removes = each.removes;
    made.create_before_destroy = each.create_before_destroy;
    made.deposed = each.deposed;
    made.making = making_words[each.making];
  }
  ++order_number_;
  known_ = std::make_unique<known_order>(order::build(planned, known));
  if (known_->course.too_large()) {
    known_.reset();
    return false;
  }
  const order::order& of = known_->order;
  states_.assign(of.size(), progress_of::owed);
  silent_.assign(of.size(), false);
  for (const vertex each : of.operations()) {
    const order::operation& what = *of.at(each);
    silent_[each] = what.what == effect::make
                        ? known.config == nullptr
                        : known.state == nullptr && (known.config == nullptr ||
                                                     known.config->find(what.address) == nullptr);
  }
  return true;
}

void run_causes::place_rows(run_rows& rows) {
  const order::order& of = known_->order;
  operations_.assign(owed_.size(), {});
  worst_.reset();
  causes_.assign(owed_.size(), {});
  is_marked_.assign(owed_.size(), false);
  marked_.clear();
  for (std::uint32_t row = 0; row < owed_.size(); ++row) {
    resource_state& resource = rows.resources[owed_[row].place];
    resource.row.causes = &causes_[row];
  }
  rows_of_.assign(of.size(), 0);
  std::uint32_t row = 0;
  for (const vertex each : of.operations()) {
    // In the order of the rows; what is the address of no resource has none.
    while (row < owed_.size() && rows.resources[owed_[row].place].row.addr != of.at(each)->address)
      ++row;
    if (row == owed_.size()) break;
    rows_of_[each] = row;
    operations_[row].push_back(each);
  }
  // A new object comes first where the order says so.
  for (auto& each : operations_) {
    if (each.size() < 2 || of.at(each[1])->what != effect::remove ||
        of.at(each[0])->what != effect::make || !of.at(each[1])->deposed.empty())
      continue;
    if (!of.origin_of(each[0], each[1])) std::swap(each[0], each[1]);
  }
}

/// What has happened by now, where it was not told line by line.
void run_causes::take_steps(const run_rows& rows) {
  for (std::uint32_t row = 0; row < owed_.size(); ++row) {
    for (const feed::step& each : rows.resources[owed_[row].place].row.steps) {
      const auto what = effect_of(each.action);
      if (!what || each.phase != feed::run_phase::apply) continue;
      const vertex found = find(row, *what, progress_of::owed);
      if (found == no_vertex) continue;
      states_[found] = each.status == step_status::done     ? progress_of::done
                       : each.status == step_status::failed ? progress_of::failed
                                                            : progress_of::running;
      if (states_[found] == progress_of::done) known_->course.finish(found);
      if (states_[found] != progress_of::failed) continue;
      fail(row, found);
    }
  }
}

void run_causes::make_anew(std::vector<owed_row> owed, run_rows& rows,
                           const run_attachments& attached, order::waiting_by waits) {
  for (const owed_row& each : owed_) rows.resources[each.place].row.causes = nullptr;
  known_.reset();
  owed_ = std::move(owed);
  if (make_order(rows, attached, waits))
    place_rows(rows);
  else
    owed_ = {};
  if (!known_) worst_.reset();
}

void run_causes::prepare(run_rows& rows, const run_attachments& attached, order::waiting_by waits) {
  ++version_;
  make_anew(owed_in(rows, attached), rows, attached, waits);
}

void run_causes::begin(run_rows& rows, const run_attachments& attached, order::waiting_by waits) {
  begun_ = true;
  ++version_;
  std::vector<owed_row> owed = owed_in(rows, attached);
  // Nothing was attached since it was prepared, and as a rule nothing was planned.
  if (!known_ || owed != owed_) make_anew(std::move(owed), rows, attached, waits);
  if (!known_) return;
  take_steps(rows);
  tell_all();
}

void run_causes::begin_again(run_rows& rows, const run_attachments& attached,
                             order::waiting_by waits) {
  failures_.clear();
  contradiction_.reset();
  known_.reset();
  begin(rows, attached, waits);
}

/// Of the operations that a hook may mean the first that can be, else the first.
vertex run_causes::find(std::uint32_t row, effect what, progress_of now) const {
  vertex found = no_vertex;
  for (const vertex each : operations_[row]) {
    if (known_->order.at(each)->what != what || states_[each] != now) continue;
    if (found == no_vertex) found = each;
    const auto* waits = known_->course.waiting_for(known_->course.group_of(each));
    if (waits != nullptr && waits->names.empty() && waits->more == 0) return each;
  }
  return found;
}

// ---- what happens -------------------------------------------------------------------------------

void run_causes::opened(resource_state& resource, step_action action) {
  const auto what = effect_of(action);
  if (!is_on() || !what || resource.row.causes == nullptr) return;
  const auto row = static_cast<std::uint32_t>(resource.row.causes - causes_.data());
  const vertex found = find(row, *what, progress_of::owed);
  if (found == no_vertex) return;
  states_[found] = progress_of::running;
  ++version_;
  if (!silent_[found]) begin_in_order(found);
  if (waits_ && known_->course.given_up()) {
    waits_ = false;
    tell_all();
  }
  settle(row);
  tell_changed();
}

void run_causes::begin_in_order(vertex operation) {
  const order::group of = known_->course.group_of(operation);
  const auto* waits = known_->course.waiting_for(of);
  const auto* blocker = waits != nullptr ? waits : known_->course.behind(of);
  const std::string name =
      blocker != nullptr && !blocker->names.empty() ? blocker->names.front() : "others";
  if (known_->course.begin(operation) || known_->course.contradictions() > 1) return;
  contradiction_ = "the attached plan or configuration is not what is applied: " +
                   known_->order.at(operation)->address + " began before " + name +
                   " ended; what such resources wait for is not shown any more";
}

void run_causes::fail(std::uint32_t row, vertex operation) {
  failures_.push_back(operation);
  known_->course.fail(operation);
  causes_[row].strands = known_->course.strands(operation);
  note_worst(row);
}

void run_causes::note_worst(std::uint32_t row) {
  const std::uint64_t count = causes_[row].strands.value_or(0);
  if (count > (worst_ ? causes_[*worst_].strands.value_or(0) : 0)) worst_ = row;
}

std::optional<run_causes::stranding> run_causes::worst() const {
  if (!worst_) return std::nullopt;
  return stranding{owed_[*worst_].place, *causes_[*worst_].strands};
}

void run_causes::closed(resource_state& resource, step_action action, step_status status) {
  const auto what = effect_of(action);
  if (!is_on() || !what || resource.row.causes == nullptr) return;
  const auto row = static_cast<std::uint32_t>(resource.row.causes - causes_.data());
  const vertex found = find(row, *what, progress_of::running);
  if (found == no_vertex) return;
  ++version_;
  if (status == step_status::done) {
    states_[found] = progress_of::done;
    known_->course.finish(found);
  } else if (status == step_status::failed) {
    states_[found] = progress_of::failed;
    fail(row, found);
  }
  settle(row);
  tell_changed();
}

void run_causes::stop_waiting() {
  if (!std::exchange(waits_, false)) return;
  ++version_;
  if (!is_on()) return;
  for (std::uint32_t row = 0; row < owed_.size(); ++row) {
    if (settle(row)) mark(row);
  }
}

// ---- what is told -------------------------------------------------------------------------------

void run_causes::mark(std::uint32_t row) {
  if (is_marked_[row]) return;
  is_marked_[row] = true;
  marked_.push_back(row);
}

run_causes::places run_causes::take_changed() {
  std::sort(marked_.begin(), marked_.end());
  places all;
  all.reserve(marked_.size());
  for (const std::uint32_t row : marked_) {
    is_marked_[row] = false;
    all.push_back(owed_[row].place);
  }
  marked_.clear();
  return all;
}

std::optional<std::string> run_causes::take_contradiction() {
  return std::exchange(contradiction_, std::nullopt);
}

/// What the row is told follows from what its operations are. True if it differs.
bool run_causes::settle(std::uint32_t row) {
  const feed::named_operations* waiting_for = nullptr;
  const feed::named_operations* behind = nullptr;
  bool begins = waits_;
  bool failed = false;
  for (const vertex each : operations_[row]) {
    const progress_of now = states_[each];
    failed = failed || now == progress_of::failed;
    if (now == progress_of::running || now == progress_of::failed) begins = false;
    if (now != progress_of::owed) continue;
    const order::group of = known_->course.group_of(each);
    if (begins && !silent_[each]) waiting_for = known_->course.waiting_for(of);
    begins = false;
    if (const auto* failures = known_->course.behind(of)) behind = failures;
  }
  if (failed) behind = nullptr;
  feed::causes& told = causes_[row];
  const bool differs = told.waiting_for != waiting_for || told.behind != behind;
  told.waiting_for = waiting_for;
  told.behind = behind;
  return differs;
}

void run_causes::tell_changed() {
  for (const order::group each : known_->course.take_changed()) {
    for (const vertex operation : known_->course.unfinished(each)) {
      const std::uint32_t row = rows_of_[operation];
      const bool differs = settle(row);
      const feed::causes& told = causes_[row];
      // Where it says something, that is another text in the same place.
      if (differs || told.waiting_for != nullptr || told.behind != nullptr) mark(row);
    }
  }
}

void run_causes::tell_all() {
  known_->course.take_changed();
  for (std::uint32_t row = 0; row < owed_.size(); ++row) {
    settle(row);
    mark(row);
  }
}

std::size_t run_causes::memory() const {
  if (!known_) return 0;
  return known_->course.memory() + owed_.size() * (sizeof(owed_row) + sizeof(feed::causes) + 64) +
         states_.size() * 8;
}

// ---- kept ---------------------------------------------------------------------------------------

void run_causes::save(state_writer& to) const {
  to.put(begun_);
  to.put(waits_);
  to.put(known_ != nullptr);
  if (!known_) return;
  to.put(owed_);
  to.put(states_);
  to.put(failures_);
  to.put(known_->course.cut());
  for (const feed::causes& each : causes_) to.put(each.strands);
}

void run_causes::load(state_reader& from, run_rows& rows, const run_attachments& attached,
                      order::waiting_by waits) {
  from.get(begun_);
  from.get(waits_);
  bool was_on = false;
  from.get(was_on);
  if (!was_on) return;
  from.get(owed_);
  std::vector<progress_of> states;
  std::vector<order::group> cut;
  from.get(states);
  from.get(failures_);
  from.get(cut);
  const auto is_whole = [&] {
    const auto beyond = [&](const owed_row& each) {
      return each.place >= rows.resources.size() || each.making >= making_words.size();
    };
    return !from.failed() && std::none_of(owed_.begin(), owed_.end(), beyond) &&
           make_order(rows, attached, waits) && states.size() == states_.size();
  };
  if (!is_whole()) {
    from.fail();
    known_.reset();
    owed_.clear();
    worst_.reset();
    return;
  }
  place_rows(rows);
  states_ = std::move(states);
  ++version_;
  for (std::uint32_t row = 0; row < causes_.size(); ++row) {
    from.get(causes_[row].strands);
    note_worst(row);
  }
  if (!begun_) return;
  for (const order::group each : cut) known_->course.cut_off(each);
  for (const vertex each : known_->order.operations()) {
    if (states_[each] == progress_of::done) known_->course.finish(each);
  }
  for (const vertex each : failures_) known_->course.fail(each);
  tell_all();
  for (const std::uint32_t each : marked_) is_marked_[each] = false;
  marked_.clear();
}

}  // namespace tofud::correlator
