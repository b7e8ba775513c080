#include "daemon/serve/indexed_views.hpp"

#include "daemon/journal/recovery.hpp"
#include "daemon/journal/sync_crew.hpp"
#include "daemon/serve/kept_facts.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/run_view.hpp"

#include <algorithm>

namespace tofud::serve {
namespace {

/// Of several runs in a stream the one that is worst stands for it.
int badness(feed::run_status status) {
  switch (status) {
    case feed::run_status::succeeded:
      return 0;
    case feed::run_status::unknown:
      return 1;
    case feed::run_status::interrupted:
      return 2;
    case feed::run_status::lost:
      return 3;
    case feed::run_status::failed:
      return 4;
    case feed::run_status::running:
      return 5;
  }
  return 0;
}

}  // namespace

journal::indexed_run indexed(const std::vector<registry::shown_run*>& runs) {
  journal::indexed_run row;
  int worst = -1;
  for (const auto& shown : runs) {
    const feed::run_view view = shown->view();
    if (badness(view.status) > worst) {
      worst = badness(view.status);
      row.status = feed::name(view.status);
    }
    if (!row.started_at) row.started_at = view.started_at;
    row.ended_at = view.ended_at;
    row.stack = view.stack;
    row.labels = view.labels;
    row.command = feed::name(view.command);
    feed::encode(row.view, view, 0);
    row.view.push_back('\n');
    row.view.append(to_text(shown->facts)).push_back('\n');
  }
  return row;
}

views_and_facts views_so_far_in(std::string_view lines) {
  views_and_facts all;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (!all.empty() && take_text(all.back().second, line)) continue;
    if (auto view = feed::parse_run_view(line))
      all.emplace_back(std::move(*view), wall::run_facts{});
  }
  return all;
}

views_and_facts views_in(std::string_view lines) {
  auto all = views_so_far_in(lines);
  if (!all.empty() && all.back().first.status == feed::run_status::running) all.clear();
  return all;
}

std::vector<views_and_facts> views_of_each(const std::vector<journal::indexed_run>& known) {
  std::vector<views_and_facts> views(known.size());
  journal::sync_crew{journal::recovery_helpers(known.size())}.each(
      known.size(), [&](std::size_t i) { views[i] = views_in(known[i].view); });
  return views;
}

}  // namespace tofud::serve
