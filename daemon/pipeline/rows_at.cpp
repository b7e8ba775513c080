#include "daemon/pipeline/rows_at.hpp"

#include "daemon/files/limits.hpp"
#include "protocol/feed/control.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tofud::pipeline {
namespace {

constexpr std::size_t rows_per_call = 256;
/// What a filter may look at in a call: some milliseconds.
constexpr std::size_t filtered_per_call = 2 * limits::mib;

}  // namespace

rows_at::rows_at(stream of, std::string run, const ui::moment& when, past_form as,
                 past_estimate expected)
    : run_{std::move(run)},
      when_{when},
      stream_{std::move(of)},
      as_{std::move(as)},
      expected_{std::move(expected)},
      rows_{stream_.identity} {
  for (const correlator::attachment_place& each : stream_.attached) rows_.attach_at(each);
}

/// False: the moment is reached.
bool rows_at::fold() {
  const std::size_t before = pending_.size();
  const auto room =
      static_cast<std::size_t>(std::min<std::uint64_t>(stream_.upto - read_, limits::read_bytes));
  pending_.resize(before + room);
  const std::size_t count =
      room == 0 ? 0 : stream_.bytes(read_, std::span{pending_.data() + before, room});
  pending_.resize(before + count);
  read_ += count;
  // Whole lines; what is too long for one has no stamp anyway.
  const std::size_t newline = pending_.rfind('\n');
  const bool all = count == 0 || pending_.size() > limits::line_bytes;
  const std::size_t whole = all ? pending_.size() : newline == std::string::npos ? 0 : newline + 1;
  const ui::stream_prefix prefix =
      ui::prefix_at(std::string_view{pending_}.substr(0, whole), when_);
  if (prefix.at) when_ = *prefix.at;
  rows_.feed(std::string_view{pending_}.substr(0, prefix.bytes));
  pending_.erase(0, prefix.bytes);
  return prefix.bytes == whole && count > 0;
}

/// False: what was expected is known, or nobody knows.
bool rows_at::ask() {
  const auto* moment = std::get_if<ui::time_point>(&when_);
  if (found_ == nullptr || !expected_ || moment == nullptr) return false;
  auto answer = expected_(*found_, *moment);
  waits_ = !answer;
  if (waits_) return true;
  estimate_ = std::move(*answer);
  return false;
}

feed::run_view rows_at::view() const {
  feed::run_view made = found_->view();
  if (estimate_) made.estimate = *estimate_;
  return made;
}

void rows_at::append_head(std::string& out) {
  if (const auto* lines = std::get_if<past_lines>(&as_)) {
    out.append(lines->greeting).push_back('\n');
    if (found_ == nullptr) return;
    std::sort(order_.begin(), order_.end(), [this](feed::row_number one, feed::row_number other) {
      return found_->seq(one) < found_->seq(other);
    });
    if (lines->wanted.wants(feed::row_kind::run)) {
      feed::encode(out, view(), 0);
      out.push_back('\n');
    }
    if (estimate_ && lines->wanted.wants(feed::row_kind::forecast)) {
      feed::encode(out, found_->id(), &*estimate_);
      out.push_back('\n');
    }
    return;
  }
  out.append("{\"run\":");
  if (found_ == nullptr)
    out.append("null");
  else
    feed::encode(out, view(), 0);
  out.append(",\"rows\":[");
}

void rows_at::append_row(std::string& out, feed::row_number row) {
  if (const auto* lines = std::get_if<past_lines>(&as_)) {
    const feed::row_facts facts = found_->facts(row);
    looked_at_ += lines->wanted.bytes_looked_at(facts);
    if (!lines->wanted.passes(facts)) return;
    found_->encode(out, row, found_->seq(row), feed::cut::at_limit);
    out.push_back('\n');
    return;
  }
  if (next_ > 0) out.push_back(',');
  found_->encode(out, row, found_->seq(row), feed::cut::no);
}

void rows_at::append_end(std::string& out) {
  if (std::holds_alternative<past_document>(as_))
    out.append("]}\n");
  else
    out.append(feed::at(found_ == nullptr ? 0 : found_->head(), feed::liveness::unchanged))
        .push_back('\n');
}

bool rows_at::next(std::string& out) {
  switch (stage_) {
    case stage::folding:
      if (fold()) return true;
      for (const correlator::run_state& each : rows_.fold().runs()) {
        if (each.id() == run_) found_ = &each;
      }
      if (found_ != nullptr) order_.resize(found_->rows());
      std::iota(order_.begin(), order_.end(), feed::row_number{0});
      stage_ = stage::asking;
      return true;
    case stage::asking:
      if (ask()) return true;
      append_head(out);
      stage_ = stage::telling;
      return true;
    case stage::telling:
      break;
  }
  const std::size_t end = std::min(next_ + rows_per_call, order_.size());
  for (looked_at_ = 0; next_ < end && looked_at_ < filtered_per_call; ++next_)
    append_row(out, order_[next_]);
  if (next_ < order_.size()) return true;
  append_end(out);
  return false;
}

}  // namespace tofud::pipeline
