#include "daemon/pipeline/old_lines.hpp"

#include "daemon/files/limits.hpp"
#include "protocol/json/quote.hpp"

#include <algorithm>

namespace tofud {

old_lines::old_lines(correlator::run_identity identity, line_query query, stream_bytes bytes,
                     std::vector<correlator::attachment_place> attached)
    : query_{std::move(query)}, bytes_{std::move(bytes)}, attached_{std::move(attached)} {
  identity.line_limit = feed::cut::no;
  correlator::observer& watcher = *this;
  fold_ = std::make_unique<correlator::stream_fold>(std::move(identity), watcher);
  piece_.resize(limits::read_bytes);
}

old_lines::~old_lines() = default;

void old_lines::line(correlator::run_state& run, const feed::line_change& line) {
  if (row_) return;
  if (run.id() != query_.run || line.seq <= query_.from || !query_.wanted.wants(line.kind)) return;
  if (line.subject != feed::no_row) {
    feed::row_facts facts = run.facts(line.subject);
    facts.kind = line.kind;
    if (!query_.wanted.passes(facts)) return;
  }
  if (!query_.key.empty()) {
    std::string field = R"("key":)";
    json::append_quoted(field, query_.key);
    field += ",\"run\":";
    if (line.json.find(field) == std::string_view::npos) return;
  }
  out_->append(line.json).push_back('\n');
}

void old_lines::append_row(std::string& out) const {
  for (const correlator::run_state& run : fold_->runs()) {
    if (run.id() != query_.run) continue;
    if (const auto number = run.find(row_->first, row_->second)) {
      run.encode(out, *number, run.seq(*number), feed::cut::no);
      out.push_back('\n');
    }
  }
}

bool old_lines::next(std::string& out) {
  const std::uint64_t offset = fold_->offset();
  for (; taken_ < attached_.size() && attached_[taken_].offset <= offset; ++taken_)
    fold_->attach(attached_[taken_].known);
  const std::uint64_t end = taken_ < attached_.size()
                                ? std::min(attached_[taken_].offset, query_.upto_offset)
                                : query_.upto_offset;
  const std::uint64_t left = end - std::min(offset, end);
  const std::size_t room = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece_.size()));
  const std::size_t count = room == 0 ? 0 : bytes_(offset, std::span{piece_.data(), room});
  if (count == 0) {
    if (row_) append_row(out);
    row_.reset();
    return false;
  }
  out_ = &out;
  fold_->feed(std::string_view{piece_.data(), count});
  out_ = nullptr;
  return true;
}

}  // namespace tofud
