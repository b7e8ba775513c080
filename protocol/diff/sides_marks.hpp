// Part of sides.hpp.
#pragma once

#include <memory>
#include <utility>

namespace tofud::diff {

template <class Compute>
change with_sensitivity(const sides& between, const Compute& compute) {
  const bool before = between.marked_sensitive || is_true(between.before_sensitive);
  const bool after = between.marked_sensitive || is_true(between.after_sensitive);
  sides shown = between;
  shown.before_sensitive = shown.after_sensitive = {};
  shown.marked_sensitive = false;
  const action inner = with_marks(shown, compute).action;
  const bool nothing_at_all = is_nil(between.before) && !between.before_explicit &&
                              is_nil(between.after) && !between.after_explicit;
  change made;
  const bool shows = before != after && (between.is_block || !nothing_at_all);
  made.action = inner == action::none && shows ? action::update : inner;
  made.what = sensitive_change{inner, before, after, between.is_block};
  made.forces_replacement = between.replace.end_here();
  return made;
}

template <class Compute>
change with_unknown(const sides& between, const Compute& compute) {
  change made;
  unknown_change unknown;
  made.forces_replacement = between.replace.end_here();
  if (is_nil(between.before)) {
    // A null that was meant is as good as one that comes.
    made.action = between.before_explicit ? action::none : action::create;
  } else {
    made.action = action::update;
    sides gone = as_removed(between);
    gone.was_unknown = true;
    unknown.before = std::make_unique<change>(compute(gone));
  }
  made.what = std::move(unknown);
  return made;
}

template <class Compute>
change with_marks(const sides& between, const Compute& compute) {
  if (between.marked_sensitive || is_true(between.before_sensitive) ||
      is_true(between.after_sensitive))
    return with_sensitivity(between, compute);
  if (between.all_unknown || is_true(between.unknown)) return with_unknown(between, compute);
  return compute(between);
}

}  // namespace tofud::diff
