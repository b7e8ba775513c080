// How long an acknowledgement takes when many runs send at once: the journal, which writes all that
// waits and then brings each file to disk, beside a write and an fdatasync for each append in turn.
#include "daemon/journal/appended_file.hpp"
#include "daemon/journal/store.hpp"

#include <benchmark/benchmark.h>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tofud::journal {
namespace {

using steady = std::chrono::steady_clock;

/// What a run prints in the 25 ms after which a forwarder sends again, when it is busy: 20 lines.
constexpr std::size_t append_bytes = 8 * 1024;
constexpr int appends_of_a_run = 20;

class counting_disk : public disk {
 public:
  int fdatasync(int fd) override {
    ++syncs;
    return disk::fdatasync(fd);
  }
  std::atomic<std::uint64_t> syncs{0};
};

class bench_root {
 public:
  bench_root() {
    std::string name = (std::filesystem::temp_directory_path() / "tofud-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path = name;
  }
  ~bench_root() { std::filesystem::remove_all(path); }
  bench_root(const bench_root&) = delete;
  bench_root& operator=(const bench_root&) = delete;
  std::string path;
};

std::string run_name(int number) { return "run-" + std::to_string(number); }

std::string some_lines() {
  std::string text;
  while (text.size() < append_bytes) text += std::string(400, 'x') + "\n";
  text.resize(append_bytes - 1);
  return text + "\n";
}

/// Of all appends of a benchmark.
struct measured {
  std::vector<double> milliseconds;
  double seconds = 0;

  void report(benchmark::State& state, std::uint64_t syncs) {
    std::sort(milliseconds.begin(), milliseconds.end());
    const auto at = [this](double part) {
      return milliseconds[static_cast<std::size_t>(static_cast<double>(milliseconds.size() - 1) *
                                                   part)];
    };
    const auto appends = static_cast<double>(milliseconds.size());
    state.counters["appends/s"] = appends / seconds;
    state.counters["MB/s"] = appends * append_bytes / seconds / 1e6;
    state.counters["fdatasync/s"] = static_cast<double>(syncs) / seconds;
    state.counters["p50_ms"] = at(0.5);
    state.counters["p99_ms"] = at(0.99);
  }
};

/// Every run sends its next bytes when the last ones are acknowledged.
template <class Append>
void send_all(int runs, boost::asio::io_context& loop, measured& result, Append append) {
  const std::string bytes = some_lines();
  std::vector<int> left(static_cast<std::size_t>(runs), appends_of_a_run);
  std::function<void(int)> next = [&](int run) {
    if (left[static_cast<std::size_t>(run)]-- == 0) return;
    append(run, bytes, [&, run, began = steady::now()] {
      const std::chrono::duration<double, std::milli> took = steady::now() - began;
      result.milliseconds.push_back(took.count());
      next(run);
    });
  };
  const auto began = steady::now();
  for (int run = 0; run < runs; ++run) next(run);
  loop.restart();
  loop.run();
  result.seconds += std::chrono::duration<double>(steady::now() - began).count();
}

void the_journal(benchmark::State& state) {
  const int runs = static_cast<int>(state.range(0));
  measured result;
  counting_disk counted;
  std::uint64_t syncs = 0;
  for (auto _ : state) {
    const bench_root root;
    boost::asio::io_context loop;
    options given;
    given.free_bytes = 0;
    given.on = &counted;
    auto opened = store::open(loop, root.path, given);
    if (!opened) return state.SkipWithError(opened.error().text().c_str());
    auto& kept = **opened;
    kept.recover();
    for (int run = 0; run < runs; ++run) {
      run_header header;
      header.id = run_name(run);
      kept.create(header, [](const text::failure&) {});
    }
    loop.run();
    const std::uint64_t before = counted.syncs;
    send_all(runs, loop, result, [&](int run, const std::string& bytes, auto done) {
      kept.append(run_name(run), bytes, {}, [&state, done](const append_result& got) {
        if (!got.failure.empty()) state.SkipWithError(got.failure.text().c_str());
        done();
      });
    });
    syncs += counted.syncs - before;
  }
  result.report(state, syncs);
}

/// The same with nothing gathered: the next append is looked at when the one before is on disk.
void each_append_alone(benchmark::State& state) {
  const int runs = static_cast<int>(state.range(0));
  measured result;
  counting_disk counted;
  std::uint64_t syncs = 0;
  for (auto _ : state) {
    const bench_root root;
    boost::asio::io_context loop;
    std::vector<std::unique_ptr<appended_file>> files;
    for (int run = 0; run < runs; ++run) {
      const std::string path = root.path + "/" + run_name(run);
      write_file(counted, path, "");
      files.push_back(std::make_unique<appended_file>(counted, path, 0));
    }
    const std::uint64_t before = counted.syncs;
    send_all(runs, loop, result, [&](int run, const std::string& bytes, auto done) {
      boost::asio::post(loop, [&state, &file = *files[static_cast<std::size_t>(run)], bytes, done] {
        file.write(bytes);
        const auto failure = file.sync();
        if (!failure.empty()) state.SkipWithError(failure.text().c_str());
        file.commit();
        done();
      });
    });
    syncs += counted.syncs - before;
  }
  result.report(state, syncs);
}

BENCHMARK(each_append_alone)->Arg(1)->Arg(20)->Arg(200)->UseRealTime()->Iterations(3);
BENCHMARK(the_journal)->Arg(1)->Arg(20)->Arg(200)->UseRealTime()->Iterations(3);

}  // namespace
}  // namespace tofud::journal

BENCHMARK_MAIN();
