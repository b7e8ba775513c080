// The path of one message, step by step and as a whole: lines per CPU-second on recorded streams.
#include "protocol/text/sizes.hpp"
#include "tests/bench/path_steps.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace tofud {
namespace {

// 30,004 lines of a real apply of 10,000 resources; 32,052 lines of which nearly all are output.
const char* const recordings[] = {"large-10000", "provisioner-firehose"};

const std::string& bytes_of(std::int64_t which) {
  static const std::string streams[] = {bench::recorded(recordings[0]),
                                        bench::recorded(recordings[1])};
  return streams[which];
}

std::int64_t lines_of(const std::string& bytes) {
  return std::count(bytes.begin(), bytes.end(), '\n');
}

void count_lines(benchmark::State& state, const std::string& bytes) {
  const std::int64_t lines = lines_of(bytes) * static_cast<std::int64_t>(state.iterations());
  state.counters["lines"] =
      benchmark::Counter(static_cast<double>(lines), benchmark::Counter::kIsRate);
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes.size() * state.iterations()));
  state.SetLabel(recordings[state.range(0)]);
}

void split_lines(benchmark::State& state) {
  const std::string& bytes = bytes_of(state.range(0));
  for (auto each : state) {
    std::size_t total = 0;
    bench::split(bytes, [&](std::string_view line) { total += line.size(); });
    benchmark::DoNotOptimize(total);
  }
  count_lines(state, bytes);
}

void parse_lines(benchmark::State& state) {
  const std::string& bytes = bytes_of(state.range(0));
  for (auto each : state) benchmark::DoNotOptimize(bench::parse(bytes));
  count_lines(state, bytes);
}

void redact_lines(benchmark::State& state) {
  const std::string& bytes = bytes_of(state.range(0));
  for (auto each : state) benchmark::DoNotOptimize(bench::redact(bytes));
  count_lines(state, bytes);
}

// Writes each changed row once per piece, as a flush of a feed with subscribers does.
class encoder : public correlator::row_sink {
 public:
  void changed(correlator::run_state& run, feed::row_change change) override {
    if (dirty_.size() <= change.row) dirty_.resize(change.row + 1);
    if (!dirty_[change.row]) rows_.push_back(change.row);
    dirty_[change.row] = true;
    run_ = &run;
  }
  void flush() {
    out_.clear();
    for (const feed::row_number row : rows_) {
      run_->encode(out_, row, run_->seq(row), feed::cut::at_limit);
      dirty_[row] = false;
    }
    rows_.clear();
    benchmark::DoNotOptimize(out_);
  }

 private:
  std::vector<char> dirty_;
  std::vector<feed::row_number> rows_;
  correlator::run_state* run_ = nullptr;
  std::string out_;
};

void fold_lines(benchmark::State& state) {
  const std::string& bytes = bytes_of(state.range(0));
  for (auto each : state) bench::folded_run{}.feed(bytes);
  count_lines(state, bytes);
}

void encode_rows(benchmark::State& state) {
  bench::folded_run folded;
  folded.feed(bytes_of(state.range(0)));
  const auto& run = folded.run();
  std::string out;
  for (auto each : state) {
    bench::encode(run, out);
    benchmark::DoNotOptimize(out);
  }
  state.counters["rows"] = benchmark::Counter(static_cast<double>(run.rows() * state.iterations()),
                                              benchmark::Counter::kIsRate);
  state.SetLabel(recordings[state.range(0)]);
}

// Everything the daemon pays for a line: written to a spool and read back, split, parsed, folded,
// and each row that changed in a piece of `range(1)` bytes encoded.
void whole_path(benchmark::State& state) {
  const std::string& bytes = bytes_of(state.range(0));
  const auto piece = static_cast<std::size_t>(state.range(1));
  std::string place = (std::filesystem::temp_directory_path() / "tofud-bench-XXXXXX").string();
  const int spool = ::mkstemp(place.data());
  ::unlink(place.c_str());
  std::string room(piece, '\0');
  for (auto each : state) {
    encoder watcher;
    correlator::stream_fold fold{bench::folded_run::identity(), watcher};
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      const std::size_t size = std::min(piece, bytes.size() - at);
      if (::pwrite(spool, bytes.data() + at, size, static_cast<off_t>(at)) < 0) std::abort();
      if (::pread(spool, room.data(), size, static_cast<off_t>(at)) < 0) std::abort();
      fold.feed({room.data(), size});
      watcher.flush();
    }
    fold.end();
    watcher.flush();
  }
  ::close(spool);
  count_lines(state, bytes);
}

// Other programs on the machine only ever add time: the best of several is what the code costs.
void best_of_many(benchmark::internal::Benchmark* each) {
  each->Unit(benchmark::kMillisecond)->Repetitions(15)->MinTime(0.1)->ReportAggregatesOnly();
  each->ComputeStatistics("least", [](const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
  });
  each->ComputeStatistics("most", [](const std::vector<double>& values) {
    return *std::max_element(values.begin(), values.end());
  });
}

BENCHMARK(split_lines)->Arg(0)->Arg(1)->Apply(best_of_many);
BENCHMARK(parse_lines)->Arg(0)->Arg(1)->Apply(best_of_many);
BENCHMARK(redact_lines)->Arg(0)->Arg(1)->Apply(best_of_many);
BENCHMARK(fold_lines)->Arg(0)->Arg(1)->Apply(best_of_many);
BENCHMARK(encode_rows)->Arg(0)->Apply(best_of_many);
BENCHMARK(whole_path)
    ->ArgsProduct({{0, 1}, {8 * limits::kib, limits::read_bytes}})
    ->Apply(best_of_many);

}  // namespace
}  // namespace tofud

BENCHMARK_MAIN();
