// Documents of schemas of the size of large providers: some types of them are read, reduced or
// only looked for. Beside the time: the most memory that was held above what was there before.
#include "daemon/files/limits.hpp"
#include "daemon/spool/recording.hpp"
#include "protocol/schema/schemas_reader.hpp"
#include "tests/bench/held_bytes.hpp"
#include "tests/paths.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace tofud::schema {
namespace {

/// The schemas of the recordings' providers, 101 KB, under so many names that they are as large as
/// those of a provider with six thousand types.
constexpr int copies = 1000;

std::string repeated() {
  const auto file =
      spool::recording::open(std::string{TEST_GOLDEN} + "/schemas/installed.schemas.json.gz");
  if (!file) std::abort();
  const std::string_view one = file->bytes();
  const std::string_view opening = R"("provider_schemas": {)";
  const auto begin = one.find(opening) + opening.size();
  std::string_view providers = one.substr(begin, one.rfind('}', one.rfind('}') - 1) - begin);
  std::string all{one.substr(0, begin)};
  for (int i = 0; i < copies; ++i) {
    if (i > 0) all += ", ";
    std::string copy{providers};
    const std::string name = "registry.opentofu.org/copy" + std::to_string(i) + "/";
    for (const std::string_view from :
         {"registry.opentofu.org/hashicorp/", "terraform.io/builtin/"}) {
      for (auto at = copy.find(from); at != std::string::npos; at = copy.find(from, at + 1)) {
        // Addresses are keys; in descriptions nobody minds.
        if (at > 0 && copy[at - 1] == '"') copy.replace(at, from.size(), name);
      }
    }
    all += copy;
  }
  return all + "}}";
}

const std::string& document() {
  static const std::string text = repeated();
  return text;
}

bool none(const place&) { return false; }

/// Some hundred types, as many as a large configuration has.
bool some(const place& each) {
  return each.in == section::resource && each.provider.ends_with("7/tls");
}

bool every(const place&) { return true; }

template <class Reader>
auto read(std::string_view text, const schemas_scanner::wanted& asks) {
  Reader reader{asks};
  for (std::size_t at = 0; at < text.size(); at += limits::read_bytes) {
    reader.feed(text.substr(at, limits::read_bytes));
  }
  return reader.finish();
}

template <class Reader>
void run(benchmark::State& state, bool (*asks)(const place&)) {
  const std::string& text = document();
  std::size_t peak = 0;
  for (auto each : state) {
    const std::size_t before = bench::held();
    bench::forget_most_held();
    const auto found = read<Reader>(text, asks);
    benchmark::DoNotOptimize(found);
    if (!found.findings.empty()) std::abort();
    peak = bench::most_held() - before;
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size() * state.iterations()));
  const auto bytes = [](std::size_t count) {
    return benchmark::Counter(static_cast<double>(count), benchmark::Counter::kDefaults,
                              benchmark::Counter::kIs1024);
  };
  state.counters["held_bytes"] = bytes(peak);
  state.counters["document_bytes"] = bytes(text.size());
}

void look_for_nothing(benchmark::State& state) { run<schemas_reader>(state, none); }
void read_types(benchmark::State& state) { run<schemas_reader>(state, some); }
void read_every_type(benchmark::State& state) { run<schemas_reader>(state, every); }

BENCHMARK(look_for_nothing)->Unit(benchmark::kMillisecond);
BENCHMARK(read_types)->Unit(benchmark::kMillisecond);
BENCHMARK(read_every_type)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tofud::schema

BENCHMARK_MAIN();
