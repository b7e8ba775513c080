#include "protocol/redact/stream_redactor.hpp"

#include "protocol/text/sizes.hpp"

#include <utility>

namespace tofud::redact {

stream_redactor::stream_redactor(const rules& what, std::size_t max_line)
    : stream_redactor{std::make_shared<const ready_rules>(what), max_line} {}

stream_redactor::stream_redactor(const std::shared_ptr<const ready_rules>& what,
                                 std::size_t max_line)
    : line_{std::in_place, what, max_line}, max_line_{max_line} {}

void stream_redactor::redact_by(const std::shared_ptr<const ready_rules>& what) {
  line_.emplace(what, max_line_);
}

void stream_redactor::feed(std::string_view bytes, std::string& out) {
  const std::size_t before = out.size();
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, newline);
    if (too_long_ || held_.size() + piece.size() > max_line_) {
      out.append(held_.size() + piece.size(), ' ');
      held_.clear();
      too_long_ = true;
    } else if (newline == std::string_view::npos) {
      held_.append(piece);
    } else {
      if (!held_.empty()) held_.append(piece);
      const std::string_view line = held_.empty() ? piece : std::string_view{held_};
      line_->redact(line, out);
      held_.clear();
      if (held_.capacity() > limits::mib) held_.shrink_to_fit();
    }
    if (newline == std::string_view::npos) break;
    out.push_back('\n');
    too_long_ = false;
    bytes.remove_prefix(newline + 1);
  }
  redacted_ += out.size() - before;
}

void stream_redactor::finish(std::string& out) {
  const std::size_t before = out.size();
  if (!held_.empty()) line_->redact_last(held_, out);
  held_.clear();
  redacted_ += out.size() - before;
}

}  // namespace tofud::redact
