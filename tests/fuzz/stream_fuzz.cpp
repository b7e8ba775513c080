// Any bytes as a stream: the fold takes them, gives the same rows however they are cut, and every
// row is one line of JSON within the limit.
#include "daemon/correlator/stream_fold.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/json/limits.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace tofud {
namespace {

void demand(bool holds, std::string_view what, std::string_view seen) {
  if (holds) return;
  std::cerr << what << ": " << seen.substr(0, 2000) << "\n";
  std::abort();
}

void demand_row(std::string_view row) {
  boost::json::parse_options deep;
  deep.max_depth = 2 * limits::json_depth;
  boost::json::error_code failed;
  const auto value = boost::json::parse({row.data(), row.size()}, failed, {}, deep);
  demand(!failed && value.is_object(), "no JSON object", row);
  // Only a row whose key alone is too long may be too long.
  const std::size_t key = value.as_object().at("key").as_string().size();
  demand(row.size() <= limits::row_bytes || key > 1000, "too long a row", row);
  demand(row.find('\n') == std::string_view::npos, "more than a line", row);
}

class collector : public correlator::row_sink {
 public:
  std::string lines;
  void line(correlator::run_state&, const feed::line_change& line) override {
    lines.append(line.json).push_back('\n');
    demand_row(line.json);
  }
};

// Short, so that small inputs reach what happens to long lines.
constexpr std::size_t longest_line = 4096;

std::string rows_of(std::string_view bytes, std::size_t piece) {
  correlator::run_identity identity;
  identity.id = "fuzz";
  collector watcher;
  correlator::stream_fold fold{std::move(identity), watcher, longest_line};
  for (std::size_t at = 0; at < bytes.size(); at += piece) fold.feed(bytes.substr(at, piece));
  fold.end();
  demand(fold.inferred_exit_status() <= 3, "status", "");
  std::string text = watcher.lines;
  for (const auto& run : fold.runs()) {
    for (feed::row_number row = 0; row < run.rows(); ++row) {
      const std::size_t before = text.size();
      run.encode(text, row, run.seq(row), feed::cut::at_limit);
      demand_row(std::string_view{text}.substr(before));
      text.push_back('\n');
    }
    feed::encode(text, run.view(), 0);
  }
  return text;
}

}  // namespace
}  // namespace tofud

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const std::size_t piece = size == 0 ? 1 : 1 + data[size - 1];
  const std::string whole = tofud::rows_of(bytes, std::max<std::size_t>(size, 1));
  tofud::demand(whole == tofud::rows_of(bytes, piece), "cut elsewhere, other rows", whole);
  return 0;
}
