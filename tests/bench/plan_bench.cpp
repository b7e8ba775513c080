// What it takes to read, compare and draw a plan: the recorded one of 2,000 resources, and the same
// entries repeated up to 100 MB. Time is linear in the bytes; `drawn` is the text's size.
#include "daemon/reader/recording.hpp"
#include "protocol/diff/plan_lines.hpp"
#include "protocol/diff/plan_text.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/schema/provider_schemas.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace tofud {
namespace {

json::keep everything(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

std::string file(const std::string& path) {
  const auto read = reader::recording::open(path);
  if (read) return std::string{read->bytes()};
  std::cerr << path << " can't be read\n";
  std::exit(1);
}

const std::string& recorded() {
  static const std::string text = file(std::string{TEST_RECORDINGS} + "/large-2000/plan.json.gz");
  return text;
}

// The recorded plan with its changes so many times.
std::string repeated(std::int64_t times) {
  const auto plan = plan::read(recorded());
  std::string text = R"({"format_version":"1.2","resource_changes":[)";
  for (std::int64_t i = 0; i < times; ++i) {
    for (const std::string_view each : plan->resource_changes) {
      if (!text.ends_with('[')) text.push_back(',');
      text.append(each);
    }
  }
  // Values and configuration make up two thirds of a plan; they are passed over.
  const std::string rest{plan->planned_values};
  text.append(R"(],"planned_values":[)");
  for (std::int64_t i = 0; i < 2 * times; ++i) text.append(i > 0 ? "," : "").append(rest);
  return text.append("]}");
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

void read_plan(benchmark::State& state) {
  const std::string text = repeated(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(plan::read(text)->resource_changes.size());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void draw_plan(benchmark::State& state) {
  const std::string text = repeated(state.range(0));
  diff::plan_drawing wanted;
  wanted.known.schemas = &schemas();
  std::size_t drawn = 0;
  for (auto _ : state) {
    const auto plan = plan::read(text);
    drawn = 0;
    (void)diff::draw(*plan, wanted, [&](std::string_view piece) { drawn += piece.size(); });
  }
  state.counters["drawn"] = static_cast<double>(drawn);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void row_plan(benchmark::State& state) {
  const std::string text = repeated(state.range(0));
  diff::plan_drawing wanted;
  wanted.known.schemas = &schemas();
  std::size_t drawn = 0;
  for (auto _ : state) {
    const auto plan = plan::read(text);
    drawn = 0;
    (void)diff::draw_lines(*plan, wanted, diff::line_form::rows,
                           [&](std::string_view piece) { drawn += piece.size(); });
  }
  state.counters["drawn"] = static_cast<double>(drawn);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

BENCHMARK(read_plan)->Arg(1)->Arg(10)->Arg(40)->Unit(benchmark::kMillisecond);
BENCHMARK(draw_plan)->Arg(1)->Arg(10)->Arg(40)->Unit(benchmark::kMillisecond);
BENCHMARK(row_plan)->Arg(1)->Arg(10)->Arg(40)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tofud

BENCHMARK_MAIN();
