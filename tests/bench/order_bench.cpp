// The order of an apply of many resources: made, followed to the end, and played forward; and what
// a fold costs with it and without.
#include "daemon/correlator/snapshot.hpp"
#include "daemon/correlator/stream_fold.hpp"
#include "protocol/order/build.hpp"
#include "protocol/order/course.hpp"
#include "protocol/order/schedule.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

namespace tofud {
namespace {

struct given {
  std::vector<order::planned_object> planned;
  attachments::config_facts config;
};

/// `each` instances of a block; blocks behind one another as in a tree, and some behind another.
given resources(std::size_t count, std::size_t each) {
  given made;
  std::map<std::string, attachments::declared_block, std::less<>> blocks;
  for (std::size_t block = 0; block * each < count; ++block) {
    const std::string name = "a.b" + std::to_string(block);
    auto& declared = blocks[name];
    if (block > 0) declared.references.push_back({"x", "a.b" + std::to_string(block / 2)});
    if (block > 9) declared.references.push_back({"y", "a.b" + std::to_string(block - 9)});
    for (std::size_t key = 0; key < each; ++key) {
      auto& object = made.planned.emplace_back();
      object.address = each == 1 ? name : name + "[" + std::to_string(key) + "]";
      object.makes = true;
    }
  }
  made.config = attachments::config_facts::of(std::move(blocks));
  return made;
}

void sizes(benchmark::internal::Benchmark* of) {
  of->Args({20'000, 100})->Args({20'000, 1})->Args({100'000, 100})->Args({100'000, 10});
  of->Unit(benchmark::kMillisecond);
}

given given_of(const benchmark::State& state) {
  return resources(static_cast<std::size_t>(state.range(0)),
                   static_cast<std::size_t>(state.range(1)));
}

void build_order(benchmark::State& state) {
  const given from = given_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(order::build(from.planned, {&from.config}));
}
BENCHMARK(build_order)->Apply(sizes);

void begin_course(benchmark::State& state) {
  const given from = given_of(state);
  const order::order of = order::build(from.planned, {&from.config});
  bool too_large = false;
  for (auto _ : state) {
    order::course made{of};
    too_large = made.too_large();
    benchmark::DoNotOptimize(made);
  }
  state.SetLabel(too_large ? "too large: nothing is said" : "");
}
BENCHMARK(begin_course)->Apply(sizes);

/// All operations begin and end; per operation.
void follow_course(benchmark::State& state) {
  const given from = given_of(state);
  const order::order of = order::build(from.planned, {&from.config});
  std::size_t told = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto course = std::make_unique<order::course>(of);
    state.ResumeTiming();
    for (const order::vertex each : of.operations()) {
      course->begin(each);
      course->finish(each);
      for (const order::group group : course->take_changed()) {
        benchmark::DoNotOptimize(course->waiting_for(group));
        told += course->unfinished(group).size();
      }
    }
  }
  state.counters["rows_per_operation"] = benchmark::Counter(
      static_cast<double>(told) /
      static_cast<double>(state.iterations() * static_cast<std::int64_t>(of.operations().size())));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(of.operations().size()));
}
BENCHMARK(follow_course)->Apply(sizes);

struct estimated {
  explicit estimated(const given& from)
      : of{order::build(from.planned, {&from.config})}, now(of.operations().size()) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      order::known_duration each;
      for (int value = 0; value < 3; ++value)
        each = order::with_opinion(each, 1.0 + static_cast<double>((i * 7 + value) % 300), 1);
      known.push_back(each);
    }
  }
  order::order of;
  std::vector<order::known_duration> known;
  std::vector<order::operation_now> now;
};

void learn_durations(benchmark::State& state) {
  const estimated from{given_of(state)};
  for (auto _ : state) benchmark::DoNotOptimize(order::duration_model{from.known});
}
BENCHMARK(learn_durations)->Apply(sizes);

void estimate_end(benchmark::State& state) {
  const estimated from{given_of(state)};
  const order::duration_model model{from.known};
  order::schedule plays{from.of};
  for (auto _ : state) benchmark::DoNotOptimize(plays.remaining(from.now, model, 10, 1));
}
BENCHMARK(estimate_end)->Apply(sizes);

void critical_path(benchmark::State& state) {
  const estimated from{given_of(state)};
  const order::duration_model model{from.known};
  order::schedule plays{from.of};
  for (auto _ : state) benchmark::DoNotOptimize(plays.critical(from.now, model));
}
BENCHMARK(critical_path)->Apply(sizes);

// ---- the fold -----------------------------------------------------------------------------------

class nobody : public correlator::row_sink {};

std::string message(const std::string& type, const std::string& members) {
  return R"({"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-11-21T03:12:05.000000Z","type":")" +
         type + "\"," + members + "}\n";
}

std::string resource_of(const std::string& address) {
  return R"("resource":{"addr":")" + address +
         R"(","module":"","resource":"x","implied_provider":"a","resource_type":"a","resource_name":"x","resource_key":null})";
}

std::string stream_of(const given& from) {
  std::string all = message("version", R"("tofu":"1.12.6","ui":"1.2")");
  for (const auto& each : from.planned)
    all += message("planned_change",
                   R"("change":{)" + resource_of(each.address) + R"(,"action":"create"})");
  for (const auto& each : from.planned) {
    const std::string hook = R"("hook":{)" + resource_of(each.address) + R"(,"action":"create"})";
    all += message("apply_start", hook) + message("apply_complete", hook);
  }
  return all;
}

void fold_apply(benchmark::State& state) {
  given from = resources(static_cast<std::size_t>(state.range(0)), 100);
  const std::string stream = stream_of(from);
  correlator::run_attachments known;
  // Both know the configuration, and one of them the order.
  auto config = std::make_shared<attachments::config_facts>(std::move(from.config));
  if (state.range(1) == 0)
    config = std::make_shared<attachments::config_facts>(
        *attachments::config_facts::read(R"({"format":"tofud.config.v1","blocks":[]})"));
  known.config = config;
  for (auto _ : state) {
    nobody sink;
    correlator::stream_fold fold{{}, sink};
    fold.attach(known);
    fold.feed(stream);
    fold.end();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(stream.size()));
  state.SetLabel(state.range(1) == 0 ? "without" : "with");
}
BENCHMARK(fold_apply)->Args({20'000, 0})->Args({20'000, 1})->Unit(benchmark::kMillisecond);

/// A run in the middle of its apply, put aside and taken up again; the whole of it told as rows.
struct half_folded {
  half_folded() {
    given from = resources(20'000, 100);
    std::string all = stream_of(from);
    all.resize(all.rfind('\n', all.size() * 3 / 4) + 1);
    known.config = std::make_shared<attachments::config_facts>(std::move(from.config));
    fold.attach(known);
    fold.feed(all);
  }
  correlator::run_attachments known;
  nobody sink;
  correlator::stream_fold fold{{}, sink};
};

void take_snapshot(benchmark::State& state) {
  const half_folded half;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string made = correlator::snapshot_of(half.fold, "build");
    bytes = made.size();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK(take_snapshot)->Unit(benchmark::kMillisecond);

void take_up_snapshot(benchmark::State& state) {
  const half_folded half;
  const std::string made = correlator::snapshot_of(half.fold, "build");
  for (auto _ : state) {
    nobody sink;
    correlator::stream_fold fold{{}, sink};
    benchmark::DoNotOptimize(correlator::restore(fold, made, "build", std::vector{half.known}));
  }
}
BENCHMARK(take_up_snapshot)->Unit(benchmark::kMillisecond);

void encode_all_rows(benchmark::State& state) {
  const half_folded half;
  const correlator::run_state& run = half.fold.runs().back();
  for (auto _ : state) {
    std::string out;
    for (feed::row_number row = 0; row < run.rows(); ++row)
      run.encode(out, row, run.seq(row), feed::cut::no);
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(encode_all_rows)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tofud

BENCHMARK_MAIN();
