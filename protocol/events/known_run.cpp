#include "protocol/events/known_run.hpp"

#include <algorithm>
#include <utility>

namespace tofud::events {
namespace {

void set_label(known_run& known, std::string key, std::string value) {
  const auto same = std::find_if(known.labels.begin(), known.labels.end(),
                                 [&key](const feed::label& each) { return each.key == key; });
  if (same == known.labels.end())
    known.labels.push_back({std::move(key), std::move(value)});
  else
    same->value = std::move(value);
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

struct learner {
  known_run& known;
  std::uint64_t offset;

  void operator()(begin& said) const {
    known.id = std::move(said.id);
    known.stack = std::move(said.stack);
    known.command = said.command;
    for (feed::label& each : said.labels)
      set_label(known, std::move(each.key), std::move(each.value));
  }
  void operator()(label& said) const {
    set_label(known, std::move(said.key), std::move(said.value));
  }
  void operator()(attachment& said) const {
    const bool again =
        std::any_of(known.attachments.begin(), known.attachments.end(),
                    [&](const placed<attachment>& each) { return each.what.part == said.part; });
    if (!again && is_sha256(said.sha256)) known.attachments.push_back({offset, std::move(said)});
  }
  void operator()(exit_status said) const { known.exit_status = said.status; }
  void operator()(trace_parent& said) const {
    if (!known.parent) known.parent = std::move(said);
  }
  void operator()(end) const { known.ended = true; }
  void operator()(const plan_file&) const {}
  void operator()(arrival) const {}
  void operator()(broken) const {}
  void operator()(other) const {}
};

}  // namespace

known_run parse_lines(std::string_view text) {
  known_run known;
  while (!text.empty()) {
    const std::size_t newline = std::min(text.find('\n'), text.size());
    if (auto said = parse(text.substr(0, newline)))
      std::visit(learner{known, said->offset}, said->what);
    text.remove_prefix(std::min(newline + 1, text.size()));
  }
  std::stable_sort(known.attachments.begin(), known.attachments.end(),
                   [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return known;
}

}  // namespace tofud::events
