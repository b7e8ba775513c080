// What a cursor gets next. protocol/feed/README.md describes the order as subscribers see it.
#include "daemon/fanout/topic.hpp"
#include "protocol/feed/control.hpp"

#include <algorithm>
#include <limits>

namespace tofud::fanout {

/// One flush being filled for one cursor.
class topic::filling {
 public:
  filling(const topic& from, cursor& where, const feed::filter& wanted, std::string& out)
      : topic_{from},
        where_{where},
        wanted_{wanted},
        out_{out},
        begin_{out.size()},
        view_end_{out.size()},
        left_{from.limits_.rows_per_turn},
        wants_lines_{wanted.wants(feed::row_kind::log) || wanted.wants(feed::row_kind::text)},
        wants_all_lines_{wanted.wants(feed::row_kind::log) && wanted.wants(feed::row_kind::text) &&
                         wanted.addr.empty() && wanted.module.empty() && wanted.type.empty()} {}

  filled run() {
    add_view();
    if (!add_forecasts()) return filled::more;
    if (!where_.walking && where_.live && where_.at >= topic_.head_) return status();
    const feed::sequence target = where_.walking ? where_.walking->target : topic_.head_;
    at_line_ = feed::at(target, where_.live ? feed::liveness::unchanged : feed::liveness::live);
    at_line_ += '\n';
    most_ -= std::min(most_, at_line_.size());  // whatever else is sent, the `at` fits behind it

    if (!where_.walking && !add_in_order())
      where_.walking = cursor::pass{target, topic_.rows_.numbers(), 0, where_.at, where_.at};
    if (where_.walking && !walk()) return filled::more;

    most_ = topic_.limits_.frame_bytes;
    const std::size_t start = out_.size();
    out_ += at_line_;
    if (!keep(start)) return filled::more;  // behind one that was longer than a frame
    where_.at = target;
    where_.live = true;
    where_.walking.reset();
    return status();
  }

 private:
  static constexpr feed::sequence never = std::numeric_limits<feed::sequence>::max();

  filled status() const {
    if (view_is_due() || forecasts_are_due() || where_.walking || where_.at < topic_.head_)
      return filled::more;
    return out_.size() == begin_ ? filled::nothing : filled::caught_up;
  }

  // ---- room -------------------------------------------------------------------------------

  bool fits() const { return out_.size() - begin_ <= most_; }
  std::size_t room() const { return most_ - std::min(most_, out_.size() - begin_); }

  /// Keeps what was appended from `start` on if it fits, or if it is longer than a frame and stands
  /// alone; a view before it then waits for the next flush. Otherwise takes it back: the flush is
  /// full.
  bool keep(std::size_t start) {
    if (fits()) return true;
    if (!trying_) {
      if (start == begin_) return true;
      if (start == view_end_ && !greeting_) {
        out_.erase(begin_, view_end_ - begin_);
        view_end_ = begin_;
        where_.view = view_before_;
        return true;
      }
    }
    out_.resize(start);
    return false;
  }

  // ---- what goes into a flush -------------------------------------------------------------

  bool view_is_due() const {
    return topic_.source_.view && wanted_.wants(feed::row_kind::run) &&
           (!where_.greeted || where_.view != topic_.view_version_);
  }

  void add_view() {
    const bool due = view_is_due();
    greeting_ = !where_.greeted;
    where_.greeted = true;
    if (!due) return;
    topic_.source_.view(out_);
    if (out_.size() > begin_) out_ += '\n';  // the wall's source has no view
    view_end_ = out_.size();
    view_before_ = where_.view;
    where_.view = topic_.view_version_;
  }

  bool forecasts_are_due() const {
    return topic_.source_.forecast && where_.forecast != topic_.forecast_version_ &&
           wanted_.wants(feed::row_kind::forecast);
  }

  /// Those that changed since the cursor got any. False: full, or enough for one turn.
  bool add_forecasts() {
    if (!forecasts_are_due()) return true;
    const row_order& all = topic_.forecasts_;
    if (!where_.forecasting) {
      // As many as there is room for in a turn go in the order of their changes.
      const auto first = all.first_after(where_.forecast, left_ / 2);
      if (!first) where_.forecasting = cursor::forecast_pass{topic_.forecast_version_, 0};
      for (feed::row_number each = first.value_or(feed::no_row); each != feed::no_row;
           each = all.next(each)) {
        if (!add_forecast(each)) return false;
        where_.forecast = all.seq(each);
      }
      if (first) return true;
    }
    cursor::forecast_pass& pass = *where_.forecasting;
    for (; pass.next < all.numbers(); ++pass.next) {
      if (left_ == 0) return false;
      if (all.seq(pass.next) <= where_.forecast)
        --left_;
      else if (!add_forecast(pass.next))
        return false;
    }
    where_.forecast = pass.target;
    where_.forecasting.reset();
    return true;
  }

  bool add_forecast(feed::row_number forecast) {
    if (left_ == 0) return false;
    const feed::row_facts facts = topic_.source_.forecast_facts(forecast);
    left_ -= std::min(left_, cost_of(facts));
    if (!wanted_.passes(facts)) return true;
    const std::size_t start = out_.size();
    topic_.source_.forecast(out_, forecast);
    out_ += '\n';
    return keep(start);
  }

  /// False: full, or enough rows were examined for one turn.
  bool add_row(feed::row_number row) {
    if (left_ == 0) return false;
    const feed::row_facts facts = topic_.source_.facts(row);
    left_ -= std::min(left_, cost_of(facts));
    if (!wanted_.passes(facts)) return true;
    const std::size_t start = out_.size();
    topic_.source_.encode(out_, row, topic_.rows_.seq(row));
    out_ += '\n';
    return keep(start);
  }

  bool add_removal(const removal& gone) {
    if (!wanted_.wants(gone.kind)) return true;
    const std::size_t start = out_.size();
    out_ += feed::removed(gone.kind, gone.key, gone.seq);
    out_ += '\n';
    return keep(start);
  }

  /// Says which of the lines in (after, upto] are gone, and steps over them.
  bool add_gap(feed::sequence& after, feed::sequence upto) {
    const feed::sequence last = std::min(topic_.lines_.dropped(), upto);
    if (after >= last) return true;
    const std::size_t start = out_.size();
    out_ += feed::gap(after + 1, last, topic_.run_path_);
    out_ += '\n';
    if (!keep(start)) return false;
    after = last;
    return true;
  }

  /// Adds lines from `next` on, none after `upto`; `next` becomes the first one left out.
  bool add_lines(line_store::position& next, feed::sequence upto) {
    const line_store& lines = topic_.lines_;
    while (next != lines.end() && lines.seq(next) <= upto) {
      if (wants_all_lines_) {
        const line_store::position before = next;
        next = lines.copy(out_, before, upto, room());
        if (next != before) continue;
      } else {
        if (left_ == 0) return false;
        const feed::row_facts facts = row_facts_at(next);
        left_ -= std::min(left_, cost_of(facts));
        if (!wanted_.passes(facts)) {
          next = lines.next(next);
          continue;
        }
      }
      const std::size_t start = out_.size();
      out_ += lines.text(next);
      if (!keep(start)) return false;
      next = lines.next(next);
    }
    return true;
  }

  /// A log line is chosen by the address of its resource.
  feed::row_facts row_facts_at(line_store::position line) const {
    const feed::row_number subject = topic_.lines_.subject(line);
    feed::row_facts facts;
    if (subject != feed::no_row) facts = topic_.source_.facts(subject);
    facts.kind = topic_.lines_.kind(line);
    return facts;
  }

  /// In rows: filters of long texts take longer than a row does.
  std::size_t cost_of(const feed::row_facts& facts) const {
    return 1 + wanted_.bytes_looked_at(facts) / limits::filtered_bytes_per_row;
  }

  auto first_removal_after(feed::sequence seq) const {
    return std::partition_point(topic_.removals_.begin(), topic_.removals_.end(),
                                [=](const removal& gone) { return gone.seq <= seq; });
  }

  // ---- the two orders ---------------------------------------------------------------------

  /// Everything after the cursor in sequence order, if that fits one flush and one turn; else
  /// nothing.
  bool add_in_order() {
    const std::size_t start = out_.size();
    trying_ = true;
    const bool all = try_in_order();
    trying_ = false;
    if (!all) out_.resize(start);
    return all;
  }

  bool try_in_order() {
    const row_order& rows = topic_.rows_;
    const auto first = rows.first_after(where_.at, topic_.limits_.rows_per_turn);
    if (!first) return false;
    feed::row_number row = *first;
    auto gone = first_removal_after(where_.at);
    feed::sequence lines_after = wants_lines_ ? where_.at : never;
    if (wants_lines_ && !add_gap(lines_after, never)) return false;
    line_store::position line = topic_.lines_.after(lines_after);
    for (;;) {
      const feed::sequence row_seq = row == feed::no_row ? never : rows.seq(row);
      const feed::sequence gone_seq = gone == topic_.removals_.end() ? never : gone->seq;
      const feed::sequence next = std::min(row_seq, gone_seq);
      if (!add_lines(line, next)) return false;
      if (next == never) return true;
      if (next == row_seq) {
        if (!add_row(row)) return false;
        row = rows.next(row);
      } else if (!add_removal(*gone++)) {
        return false;
      }
    }
  }

  /// Goes on with the pass. Removals go first: a row that came back under the same key is newer
  /// than its removal. False: full, or enough for one turn.
  bool walk() {
    cursor::pass& pass = *where_.walking;
    return walk_removals(pass) && walk_rows(pass) && walk_lines(pass);
  }

  bool walk_removals(cursor::pass& pass) {
    for (auto gone = first_removal_after(pass.removed_after);
         gone != topic_.removals_.end() && gone->seq <= pass.target; ++gone) {
      if (!add_removal(*gone)) return false;
      pass.removed_after = gone->seq;
    }
    pass.removed_after = pass.target;
    return true;
  }

  /// A row that changed after T goes in its newest version, and again in the next pass.
  bool walk_rows(cursor::pass& pass) {
    for (; pass.next_row < pass.rows; ++pass.next_row) {
      if (left_ == 0) return false;
      if (topic_.rows_.seq(pass.next_row) <= where_.at)
        --left_;
      else if (!add_row(pass.next_row))
        return false;
    }
    return true;
  }

  bool walk_lines(cursor::pass& pass) {
    if (!wants_lines_ || pass.lines_after >= pass.target) return true;
    if (!add_gap(pass.lines_after, pass.target)) return false;
    line_store::position next = topic_.lines_.after(pass.lines_after);
    const bool all = add_lines(next, pass.target);
    pass.lines_after = all ? pass.target : topic_.lines_.seq(next) - 1;
    return all;
  }

  const topic& topic_;
  cursor& where_;
  const feed::filter& wanted_;
  std::string& out_;
  const std::size_t begin_;        // of this flush in `out_`
  std::size_t view_end_;           // of the view at its head, if there is one
  std::uint64_t view_before_ = 0;  // what the cursor had before that view
  bool greeting_ = false;          // that view is the connection's first
  bool trying_ = false;            // in sequence order: all or nothing
  std::size_t left_;               // rows and lines that may still be examined
  const bool wants_lines_, wants_all_lines_;
  std::string at_line_;
  std::size_t most_ = topic_.limits_.frame_bytes;
};

filled topic::fill(cursor& where, const feed::filter& wanted, std::string& out) const {
  return filling{*this, where, wanted, out}.run();
}

}  // namespace tofud::fanout
