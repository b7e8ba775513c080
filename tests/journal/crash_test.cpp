// The life of two runs, stopped before every single operation of the disk.
#include "tests/journal/faulty_disk.hpp"
#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tofud::journal {
namespace {

/// What the store promised before it stopped.
struct promised {
  std::map<std::string, std::uint64_t> acknowledged;  // of runs whose creation was
  std::map<std::string, std::uint64_t> events;
  std::set<std::string> complete, removed;
};

const std::string stream_a = "{\"one\":1}\n{\"two\":2}\n{\"three\":3}\nlast";
const std::string stream_b = "b1\nb2\n";

std::string stream_of(const std::string& run) { return run == "a" ? stream_a : stream_b; }

/// Sends what is left of a run from where the store stands, in pieces that end anywhere.
void send(opened_store& store, const std::string& run, std::uint64_t offset, promised& told) {
  const std::string all = stream_of(run);
  while (offset < all.size()) {
    const auto sent = store.append(run, all.substr(offset, 7));
    told.acknowledged[run] = sent.offset;
    if (!sent.failure.empty()) return;
    offset = sent.offset;
  }
}

void live(opened_store& store, promised& told) {
  for (const std::string run : {"a", "b"}) {
    if (!store.create(some_run(run)).empty()) continue;
    told.acknowledged[run] = 0;
    send(store, run, 0, told);
    const std::string event = "{\"offset\":" + std::to_string(told.acknowledged[run]) + "}";
    if (store.event(run, 1, event).empty()) told.events[run] = 1;
    if (store.event(run, 2, event).empty()) told.events[run] = 2;
    if (store.complete(run).empty()) told.complete.insert(run);
  }
  if (told.complete.contains("b") && store.remove("b").empty()) told.removed.insert("b");
}

/// Bytes of `run` are what was sent, no fewer than were acknowledged, none twice.
void expect_kept(opened_store& after, const kept_run& run, const promised& told,
                 std::uint64_t stop) {
  const std::string& id = run.header.id;
  const auto sent = told.acknowledged.find(id);
  const std::uint64_t least = sent == told.acknowledged.end() ? 0 : sent->second;
  EXPECT_GE(run.bytes, least) << id << " stopped at " << stop;
  EXPECT_EQ(after.stream(id), stream_of(id).substr(0, run.bytes)) << id << " stopped at " << stop;
  const auto events = told.events.find(id);
  EXPECT_GE(run.events.size(), events == told.events.end() ? 0 : events->second)
      << id << " stopped at " << stop;
  EXPECT_TRUE(run.complete || !told.complete.contains(id)) << id << " stopped at " << stop;
}

/// The forwarder comes back: it sends what is missing and ends the run.
void go_on(opened_store& after, const kept_run& run, std::uint64_t stop) {
  const std::string& id = run.header.id;
  promised told;
  if (!run.complete) {
    send(after, id, run.bytes, told);
    EXPECT_EQ(after.complete(id), "") << stop;
  }
  EXPECT_EQ(after.stream(id), stream_of(id)) << id << " stopped at " << stop;
}

void check_after(const std::string& root, const promised& told, std::uint64_t stop) {
  opened_store after{root};
  EXPECT_TRUE(after.said.empty()) << after.said[0] << " stopped at " << stop;
  std::map<std::string, kept_run> found;
  for (auto& run : after.found) found[run.header.id] = run;
  for (const auto& [id, offset] : told.acknowledged)
    EXPECT_TRUE(found.contains(id) || id == "b") << id << " stopped at " << stop;
  for (const auto& [id, run] : found) {
    EXPECT_FALSE(told.removed.contains(id)) << stop;
    expect_kept(after, run, told, stop);
    go_on(after, run, stop);
  }
  const bool gone = told.acknowledged.contains("b") && !found.contains("b");
  EXPECT_TRUE(!gone || after.it->removed_by_person("b")) << stop;
  const auto names = real_disk().names(root + "/runs");
  for (const auto& name : names.value())
    EXPECT_FALSE(name.starts_with(".")) << name << " stopped at " << stop;
}

enum class kind { killed, killed_in_a_write, power_cut, power_cut_with_nul };

class CrashAtEveryStep  // NOLINT(readability-identifier-naming): shown as printed
    : public testing::TestWithParam<kind> {};

TEST_P(CrashAtEveryStep, LosesNothingAcknowledgedAndDoublesNothing) {
  std::uint64_t stop = 0;
  for (bool to_the_end = false; !to_the_end; ++stop) {
    const scratch_root root;
    faulty_disk disk;
    disk.half_at_crash = GetParam() != kind::killed;
    promised told;
    {
      opened_store store{root.path(), &disk};
      disk.crash_at(stop);
      live(store, told);
      store.it.reset();
    }
    to_the_end = !disk.crashed();
    if (GetParam() == kind::power_cut) disk.cut_power(faulty_disk::unsynced::is_lost);
    if (GetParam() == kind::power_cut_with_nul) disk.cut_power(faulty_disk::unsynced::reads_as_nul);
    check_after(root.path(), told, stop);
    if (HasFailure()) return;
  }
  EXPECT_GT(stop, 50U);
}

INSTANTIATE_TEST_SUITE_P(Process, CrashAtEveryStep,
                         testing::Values(kind::killed, kind::killed_in_a_write));
INSTANTIATE_TEST_SUITE_P(Machine, CrashAtEveryStep,
                         testing::Values(kind::power_cut, kind::power_cut_with_nul));

}  // namespace
}  // namespace tofud::journal
