#include "daemon/pipeline/rows_at.hpp"

#include "daemon/files/limits.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/redact/limits.hpp"

#include <algorithm>
#include <utility>

namespace tofud::pipeline {
namespace {

constexpr feed::row_number rows_per_call = 256;

}  // namespace

rows_at::rows_at(correlator::run_identity identity, std::string run, const ui::moment& when,
                 files::stream_bytes bytes, std::uint64_t upto,
                 const std::vector<correlator::attachment_place>& attached)
    : run_{std::move(run)},
      when_{when},
      bytes_{std::move(bytes)},
      upto_{upto},
      stream_{std::move(identity)} {
  for (const correlator::attachment_place& each : attached) stream_.attach_at(each);
}

/// False: the moment is reached.
bool rows_at::fold() {
  const std::size_t before = pending_.size();
  const auto room =
      static_cast<std::size_t>(std::min<std::uint64_t>(upto_ - read_, limits::read_bytes));
  pending_.resize(before + room);
  const std::size_t count =
      room == 0 ? 0 : bytes_(read_, std::span{pending_.data() + before, room});
  pending_.resize(before + count);
  read_ += count;
  // Whole lines; what is too long for one has no stamp anyway.
  const std::size_t newline = pending_.rfind('\n');
  const bool all = count == 0 || pending_.size() > limits::line_bytes;
  const std::size_t whole = all ? pending_.size() : newline == std::string::npos ? 0 : newline + 1;
  const ui::stream_prefix prefix =
      ui::prefix_at(std::string_view{pending_}.substr(0, whole), when_);
  if (prefix.at) when_ = *prefix.at;
  stream_.feed(std::string_view{pending_}.substr(0, prefix.bytes));
  pending_.erase(0, prefix.bytes);
  return prefix.bytes == whole && count > 0;
}

void rows_at::append_head(std::string& out) {
  for (const correlator::run_state& each : stream_.fold().runs()) {
    if (each.id() == run_) found_ = &each;
  }
  out.append("{\"run\":");
  if (found_ == nullptr)
    out.append("null");
  else
    feed::encode(out, found_->view(), 0);
  out.append(",\"rows\":[");
}

bool rows_at::next(std::string& out) {
  if (!folded_) {
    folded_ = !fold();
    if (folded_) append_head(out);
    return true;
  }
  const auto rows =
      found_ == nullptr ? feed::row_number{0} : static_cast<feed::row_number>(found_->rows());
  const auto end = std::min(next_ + rows_per_call, rows);
  for (; next_ < end; ++next_) {
    if (next_ > 0) out.push_back(',');
    found_->encode(out, next_, found_->seq(next_), feed::cut::no);
  }
  if (next_ < rows) return true;
  out.append("]}\n");
  return false;
}

}  // namespace tofud::pipeline
