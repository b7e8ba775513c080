#include "daemon/pipeline/final_rows.hpp"

#include "daemon/files/limits.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tofud::pipeline {

void final_rows::line(correlator::run_state& run, const feed::line_change& line) {
  lines_.try_emplace(&run, limits::lines_bytes, 64 * limits::kib).first->second.append(line);
}

bool final_rows::write(const std::function<bool(std::string_view)>& out,
                       std::string_view only) const {
  const fanout::line_store none{limits::lines_bytes, 64 * limits::kib};
  std::string text;
  for (const correlator::run_state& run : stream_.fold().runs()) {
    if (!only.empty() && run.id() != only) continue;
    feed::encode(text, run.view(), 0);
    text.push_back('\n');
    std::vector<feed::row_number> rows(run.rows());
    std::iota(rows.begin(), rows.end(), feed::row_number{0});
    std::sort(rows.begin(), rows.end(),
              [&](feed::row_number a, feed::row_number b) { return run.seq(a) < run.seq(b); });
    const auto known = lines_.find(&run);
    const fanout::line_store& lines = known == lines_.end() ? none : known->second;
    auto line = lines.after(0);
    const auto lines_before = [&](feed::sequence seq) {
      for (; line != lines.end() && lines.seq(line) < seq; line = lines.next(line)) {
        text.append(lines.text(line));
      }
    };
    for (const feed::row_number row : rows) {
      lines_before(run.seq(row));
      run.encode(text, row, run.seq(row), feed::cut::at_limit);
      text.push_back('\n');
      if (text.size() >= limits::read_bytes) {
        if (!out(text)) return false;
        text.clear();
      }
    }
    lines_before(~feed::sequence{0});
  }
  return out(text);
}

}  // namespace tofud::pipeline
