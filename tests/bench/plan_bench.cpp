// What it takes to read, compare and draw a plan: the recorded one of 2,000 resources, and the same
// entries repeated up to 100 MB. Time and memory beyond the text are linear in its bytes, so that
// their ratios to those of 5 MB stay near 1; `drawn` is the size of what comes out.
#include "daemon/spool/recording.hpp"
#include "protocol/diff/plan_lines.hpp"
#include "protocol/diff/plan_text.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/bench/held_bytes.hpp"
#include "tests/paths.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

namespace tofud {
namespace {

json::keep everything(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

std::string file(const std::string& path) {
  const auto read = spool::recording::open(path);
  if (read) return std::string{read->bytes()};
  std::cerr << path << " can't be read\n";
  std::exit(1);
}

const std::string& recorded() {
  static const std::string text = file(std::string{TEST_RECORDINGS} + "/large-2000/plan.json.gz");
  return text;
}

// The recorded plan with its changes over and over, of about that size; 0: as it is.
std::string sized(std::size_t megabytes) {
  if (megabytes == 0) return recorded();
  const auto plan = plan::read(recorded());
  const std::string_view rest = plan->planned_values;
  std::string text = R"({"format_version":"1.2","resource_changes":[)", values;
  // Values and configuration make up two thirds of a plan; they are passed over.
  while (text.size() + values.size() < megabytes << 20U) {
    for (const std::string_view each : plan->resource_changes) {
      if (!text.ends_with('[')) text.push_back(',');
      text.append(each);
    }
    for (int i = 0; i < 2; ++i) values.append(values.empty() ? "" : ",").append(rest);
  }
  return text.append(R"(],"planned_values":[)").append(values).append("]}");
}

const schema::schemas& schemas() {
  static const schema::schemas known = [] {
    const std::string text = file(std::string{TEST_GOLDEN} + "/schemas/recordings.json.gz");
    json::document_parser parser{everything};
    std::string_view all = text;
    while (all.ends_with('\n')) all.remove_suffix(1);
    if (parser.parse(all)) std::exit(1);
    return *schema::read_provider_schemas(parser.root());
  }();
  return known;
}

constexpr std::int64_t smallest = 5;  // megabytes

// What a byte takes, and how that stands to what it takes in the smallest size: 1 is linear.
class per_byte {
 public:
  explicit per_byte(std::string_view of) : of_{of} {}

  template <class Work>
  void run(benchmark::State& state, const Work& work) {
    const std::string text = sized(static_cast<std::size_t>(state.range(0)));
    const auto size = static_cast<double>(text.size());
    const std::clock_t begin = std::clock();
    std::size_t peak = 0;
    for (auto _ : state) {
      const std::size_t before = bench::held();
      bench::forget_most_held();
      work(text);
      peak = bench::most_held() - before;
    }
    const auto took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const measured now{took / static_cast<double>(state.iterations()) / size,
                       static_cast<double>(peak) / size};
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
    state.counters["held_bytes"] = benchmark::Counter(
        static_cast<double>(peak), benchmark::Counter::kDefaults, benchmark::Counter::kIs1024);
    if (state.range(0) == 0) return;
    if (state.range(0) == smallest) firsts()[of_] = now;  // runs before it were only to calibrate
    const measured& first = firsts().emplace(of_, now).first->second;
    state.counters["time_ratio"] = now.seconds / first.seconds;
    state.counters["held_ratio"] = now.held / first.held;
  }

 private:
  struct measured {
    double seconds, held;
  };
  static std::map<std::string, measured, std::less<>>& firsts() {
    static std::map<std::string, measured, std::less<>> all;
    return all;
  }
  std::string of_;
};

void read_plan(benchmark::State& state) {
  per_byte{"read"}.run(state, [](std::string_view text) {
    benchmark::DoNotOptimize(plan::read(text)->resource_changes.size());
  });
}

diff::plan_drawing wanted() {
  diff::plan_drawing made;
  made.known.schemas = &schemas();
  return made;
}

void draw_plan(benchmark::State& state) {
  std::size_t drawn = 0;
  const auto how = wanted();
  per_byte{"draw"}.run(state, [&](std::string_view text) {
    drawn = 0;
    (void)diff::draw(*plan::read(text), how,
                     [&](std::string_view piece) { drawn += piece.size(); });
  });
  state.counters["drawn"] = static_cast<double>(drawn);
}

void row_plan(benchmark::State& state) {
  std::size_t drawn = 0;
  const auto how = wanted();
  per_byte{"rows"}.run(state, [&](std::string_view text) {
    drawn = 0;
    (void)diff::draw_lines(*plan::read(text), how, diff::line_form::rows,
                           [&](std::string_view piece) { drawn += piece.size(); });
  });
  state.counters["drawn"] = static_cast<double>(drawn);
}

// The recorded plan as it is, then megabytes.
void sizes(benchmark::internal::Benchmark* of) {
  of->Arg(0)->Arg(smallest)->Arg(20)->Arg(100)->Unit(benchmark::kMillisecond);
}

BENCHMARK(read_plan)->Apply(sizes);
BENCHMARK(draw_plan)->Apply(sizes);
BENCHMARK(row_plan)->Apply(sizes);

}  // namespace
}  // namespace tofud

BENCHMARK_MAIN();
