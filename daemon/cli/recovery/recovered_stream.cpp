#include "daemon/cli/recovery/recovered_stream.hpp"

#include "daemon/pipeline/state_dump.hpp"
#include "protocol/text/sha256.hpp"

#include <algorithm>
#include <utility>

namespace tofud::recovery {
namespace {

bool changed_anything(const correlator::run_state& run) {
  const auto changes = [](const feed::step& each) {
    return each.action == feed::step_action::create || each.action == feed::step_action::update ||
           each.action == feed::step_action::remove;
  };
  const auto& all = run.resources();
  return std::any_of(all.begin(), all.end(), [&](const correlator::resource_state& each) {
    return std::any_of(each.row.steps.begin(), each.row.steps.end(), changes);
  });
}

}  // namespace

text::failure recovered_stream::read(pipeline::kept_stream& from) {
  correlator::row_sink& sink = *this;
  rows_ = std::make_unique<pipeline::engine>(from.identity());
  rows_->tell(sink);
  text::sha256_sum sum;
  // Asked first: what is written after the answer is read as well.
  goes_on_ = from.is_written();
  auto failure = from.read_all([&](std::string_view bytes) {
    rows_->feed(bytes);
    sum.add(bytes);
  });
  if (!failure.empty()) return failure;
  sha256_ = sum.hex().value_or("");
  if (!goes_on_) pipeline::finish(*rows_, from);
  return {};
}

std::string_view recovered_stream::dump_of(const correlator::run_state& run) const {
  return dumped_by_ == &run ? std::string_view{dump_} : std::string_view{};
}

void recovered_stream::state_dump(correlator::run_state& run, std::string_view line) {
  if (auto state = pipeline::state_in(line)) {
    dump_ = std::move(*state);
    dumped_by_ = &run;
  }
}

const correlator::run_state* recovered_run(const correlator::stream_fold& fold,
                                           const std::string& only) {
  const correlator::run_state* found = nullptr;
  bool changed = false;
  for (const correlator::run_state& run : fold.runs()) {
    if (!only.empty() && run.id() != only) continue;
    const bool changes = changed_anything(run);
    if (changed && !changes) continue;
    found = &run;
    changed = changes;
  }
  return found;
}

}  // namespace tofud::recovery
