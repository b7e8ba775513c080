// A history of a million operations: what an answer costs, and what a run's end adds.
#include "daemon/history/machine_history.hpp"
#include "daemon/history/table.hpp"
#include "tests/scratch_directory.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

namespace tofud {
namespace {

constexpr int stacks = 50, addresses = 500, rounds = 40;  // a million operations

history::operation did(int address, int round) {
  history::operation made;
  made.addr =
      "module.net[" + std::to_string(address % 10) + "].aws_thing.x" + std::to_string(address);
  made.type = "aws_thing";
  made.provider = "example.com/hashicorp/aws";
  made.provider_version = "5.100.0";
  made.action = "create";
  made.phase = "apply";
  made.status = round % 17 == 0 ? "failed" : "done";
  made.seconds = 10 + address % 7 + round % 3;
  made.started_at = ui::time_point{std::chrono::seconds{round}};
  return made;
}

struct filled {
  filled() {
    history::make_tables(in);
    for (int round = 0; round < rounds; ++round) {
      sqlite::transaction all{in};
      for (int stack = 0; stack < stacks; ++stack) {
        history::remembered_run run;
        run.id = "r" + std::to_string(round) + "-" + std::to_string(stack);
        run.stack = "stack" + std::to_string(stack);
        std::vector<history::operation> operations;
        for (int address = 0; address < addresses; ++address)
          operations.push_back(did(address, round));
        history::put(in, run.id, run, operations);
      }
      all.commit();
    }
  }
  tests::scratch_directory directory;
  sqlite::database in{directory / "history.db"};
};

filled& million() {
  static const auto made = std::make_unique<filled>();
  return *made;
}

void answer_about_an_address(benchmark::State& state) {
  auto& in = million().in;
  int next = 0;
  for (auto _ : state) {
    history::report_query query;
    query.addr = did(next++ % addresses, 0).addr;
    benchmark::DoNotOptimize(history::find(in, query));
  }
}
BENCHMARK(answer_about_an_address)->Unit(benchmark::kMillisecond);

void answer_about_a_stack(benchmark::State& state) {
  auto& in = million().in;
  for (auto _ : state) {
    history::report_query query;
    query.stack = "stack7";
    benchmark::DoNotOptimize(history::find(in, query));
  }
}
BENCHMARK(answer_about_a_stack)->Unit(benchmark::kMillisecond);

/// Of who sees one stack in fifty: `type` asks about a type of resources, else about everything.
void answer_to_who_sees_one_stack(benchmark::State& state, const char* type) {
  auto& in = million().in;
  const sqlite::row_filter one = [](std::string_view stack, std::string_view) {
    return stack == "stack7";
  };
  history::report_query query;
  query.type = type;
  for (auto _ : state) benchmark::DoNotOptimize(history::find(in, query, one));
}
BENCHMARK_CAPTURE(answer_to_who_sees_one_stack, of_all, "")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(answer_to_who_sees_one_stack, of_a_type, "aws_thing")
    ->Unit(benchmark::kMillisecond);

void what_is_usual_of_500_addresses(benchmark::State& state) {
  auto& in = million().in;
  std::vector<history::usual_query> queries;
  for (int address = 0; address < addresses; ++address)
    queries.push_back({"stack7", did(address, 0).addr, "aws_thing", "create"});
  for (auto _ : state) benchmark::DoNotOptimize(history::find_usual(in, queries));
}
BENCHMARK(what_is_usual_of_500_addresses)->Unit(benchmark::kMillisecond);

/// What a pipe does at its end, into a new file.
void a_machine_remembers_20000_operations(benchmark::State& state) {
  history::run_operations made;
  made.run.id = "r";
  made.run.stack = "net/prod";
  for (int address = 0; address < 20'000; ++address)
    made.operations.push_back(did(address, address));
  for (auto _ : state) {
    const tests::scratch_directory room;
    auto of_machine = history::machine_history::open(room.path());
    const auto failed = of_machine->put("s", std::span{&made, 1});
    if (!failed.empty()) state.SkipWithError(failed.text().c_str());
  }
}
BENCHMARK(a_machine_remembers_20000_operations)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tofud

BENCHMARK_MAIN();
