#include "daemon/pipeline/line_history.hpp"

#include "daemon/files/limits.hpp"
#include "protocol/json/quote.hpp"

#include <algorithm>

namespace tofud::pipeline {

namespace {

correlator::run_identity with_whole_lines(correlator::run_identity identity) {
  identity.line_limit = feed::cut::no;
  return identity;
}

}  // namespace

line_history::line_history(correlator::run_identity identity, line_query query,
                           files::stream_bytes bytes,
                           const std::vector<correlator::attachment_place>& attached)
    : query_{std::move(query)},
      bytes_{std::move(bytes)},
      stream_{with_whole_lines(std::move(identity))} {
  stream_.tell(*this);
  for (const correlator::attachment_place& each : attached) stream_.attach_at(each);
  piece_.resize(limits::read_bytes);
}

line_history::~line_history() = default;

void line_history::line(correlator::run_state& run, const feed::line_change& line) {
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

void line_history::append_row(std::string& out) const {
  for (const correlator::run_state& run : stream_.fold().runs()) {
    if (run.id() != query_.run) continue;
    if (const auto number = run.find(row_->first, row_->second)) {
      run.encode(out, *number, run.seq(*number), feed::cut::no);
      out.push_back('\n');
    }
  }
}

bool line_history::next(std::string& out) {
  const std::uint64_t left = query_.upto_offset - std::min(stream_.offset(), query_.upto_offset);
  const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece_.size()));
  const std::size_t count = room == 0 ? 0 : bytes_(stream_.offset(), {piece_.data(), room});
  if (count == 0) {
    if (row_) append_row(out);
    row_.reset();
    return false;
  }
  out_ = &out;
  stream_.feed({piece_.data(), count});
  out_ = nullptr;
  return true;
}

}  // namespace tofud::pipeline
