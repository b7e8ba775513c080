#include "protocol/feed/run_query.hpp"

#include "protocol/text/ascii.hpp"

#include <algorithm>
#include <string_view>

namespace tofud::feed {
namespace {

bool holds_without_case(std::string_view text, std::string_view wanted) {
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(),
                     [](char a, char b) { return text::lower(a) == text::lower(b); }) != text.end();
}

bool has_text(const run_view& run, std::string_view wanted) {
  return holds_without_case(run.id, wanted) || holds_without_case(run.stack, wanted) ||
         std::any_of(run.labels.begin(), run.labels.end(), [&](const label& each) {
           return holds_without_case(each.key, wanted) || holds_without_case(each.value, wanted);
         });
}

bool has_label(const run_view& run, const label& wanted) {
  return std::any_of(run.labels.begin(), run.labels.end(), [&](const label& each) {
    return each.key == wanted.key && each.value == wanted.value;
  });
}

}  // namespace

bool run_query::is_empty() const {
  return statuses.empty() && labels.empty() && text.empty() && stack.empty() && since.empty() &&
         until.empty();
}

bool matches(const run_query& wanted, const run_view& run, ui::time_point began) {
  const auto& statuses = wanted.statuses;
  if (!statuses.empty() &&
      std::find(statuses.begin(), statuses.end(), name(run.status)) == statuses.end()) {
    return false;
  }
  if (!std::all_of(wanted.labels.begin(), wanted.labels.end(),
                   [&](const label& each) { return has_label(run, each); })) {
    return false;
  }
  if (!wanted.text.empty() && !has_text(run, wanted.text)) return false;
  if (!wanted.stack.empty() && run.stack != wanted.stack) return false;
  if (const auto time = ui::parse_timestamp(wanted.since)) {
    if (began < *time) return false;
  } else if (!wanted.since.empty() && run.id <= wanted.since) {
    return false;
  }
  if (const auto time = ui::parse_timestamp(wanted.until)) return began < *time;
  return wanted.until.empty() || run.id < wanted.until;
}

}  // namespace tofud::feed
