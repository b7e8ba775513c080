#include "daemon/journal/compression.hpp"

#include "daemon/journal/limits.hpp"
#include "tests/journal/faulty_disk.hpp"
#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fcntl.h>
#include <thread>

namespace tofud::journal {
namespace {

/// Three slices that hardly shrink, and lines.
std::string long_stream() {
  std::string text;
  std::uint32_t state = 7;
  while (text.size() < 3 * limits::journal_slice_bytes - 100) {
    for (int i = 0; i < 100; ++i) {
      state = state * 1664525 + 1013904223;
      text += static_cast<char>('!' + (state >> 24U) % 90);
    }
    text += '\n';
  }
  return text;
}

class Compression : public testing::Test {  // NOLINT(readability-identifier-naming): as printed
 protected:
  explicit Compression(const std::string& text = long_stream()) : text_{text} {
    opened_store store{root_.path(), &disk_};
    store.create(some_run(id));
    store.append(id, text_);
    // Not yet: the tests do it.
    disk_.set([](std::string_view what, const std::string& path) {
      errno = ENOSPC;
      return what == "open" && path.ends_with("stream.jsonl.gz.unfinished")
                 ? faulty_disk::verdict::fails
                 : faulty_disk::verdict::works;
    });
    store.complete(id);
    store.it.reset();
    disk_.set({});
  }
  std::string file(const std::string& name) const { return root_ / "runs/" + id + "/" + name; }
  bool is_there(const std::string& name) const { return std::filesystem::exists(file(name)); }
  compression::news told() {
    return [this](const std::string& /*run*/, const text::failure& failure) {
      told_.push_back(failure.text());
    };
  }

  const std::string id = "20261121T0312-7f3a";
  scratch_root root_;
  faulty_disk disk_;
  std::string text_;
  std::vector<std::string> told_;
};

TEST_F(Compression, TakesThePlaceOfThePlainFileSliceBySlice) {
  compression packs{disk_, root_.path(), told()};
  EXPECT_FALSE(packs.step());
  packs.add(id, text_.size());
  int steps = 0;
  while (packs.step()) ++steps;
  EXPECT_GE(steps, 3 + 3 + 2);  // packed, read back, and what goes before and after
  EXPECT_EQ(told_, std::vector<std::string>{""});
  EXPECT_FALSE(is_there("stream.jsonl"));
  EXPECT_FALSE(is_there("stream.jsonl.gz.unfinished"));
  opened_store store{root_.path()};
  EXPECT_TRUE(store.found[0].compressed);
  EXPECT_EQ(store.found[0].bytes, text_.size());
  EXPECT_EQ(store.stream(id, 10'007), text_);
}

TEST_F(Compression, AReaderGoesOnWhileTheFileIsCompressedUnderIt) {
  opened_store store{root_.path(), &disk_};
  const auto read = store.it->reader(id);
  std::string room(100, ' ');
  EXPECT_EQ(read(0, room), 100U);
  store.it.reset();
  compression packs{disk_, root_.path(), told()};
  packs.add(id, text_.size());
  while (packs.step()) {
  }
  EXPECT_EQ(read(text_.size() - 100, room), 100U);
  EXPECT_EQ(room, text_.substr(text_.size() - 100));
}

TEST_F(Compression, AReaderOfACompressedStreamMayGoBackAndJump) {
  compression packs{disk_, root_.path(), told()};
  packs.add(id, text_.size());
  while (packs.step()) {
  }
  opened_store store{root_.path()};
  const auto read = store.it->reader(id);
  std::string room(1000, ' ');
  for (const std::size_t offset : {500'000UL, 500'500UL, 3UL, text_.size() - 1000, 0UL}) {
    EXPECT_EQ(read(offset, room), 1000U);
    EXPECT_EQ(room, text_.substr(offset, 1000));
  }
  EXPECT_EQ(read(text_.size() - 10, room), 10U);
  EXPECT_EQ(read(text_.size(), room), 0U);
  EXPECT_EQ(read(text_.size() + 5, room), 0U);
}

TEST_F(Compression, AStreamWhoseMarkerIsLostIsMeasured) {
  compression packs{disk_, root_.path(), told()};
  packs.add(id, text_.size());
  while (packs.step()) {
  }
  std::filesystem::remove(file("complete"));
  opened_store store{root_.path()};
  EXPECT_TRUE(store.found[0].complete);
  EXPECT_EQ(store.found[0].bytes, text_.size());
  EXPECT_EQ(store.found[0].remark, file("complete") + ": is not readable");
}

TEST_F(Compression, ADiskThatRefusesLeavesThePlainFileAndIsTriedAgain) {
  compression packs{disk_, root_.path(), told()};
  packs.add(id, text_.size());
  disk_.set(refuses("pwrite", "unfinished", ENOSPC));
  while (packs.step()) {
  }
  EXPECT_EQ(told_, std::vector<std::string>{file("stream.jsonl.gz.unfinished") +
                                            ": can't be written: No space left on device"});
  EXPECT_EQ(text_of(file("stream.jsonl")), text_);
  EXPECT_FALSE(is_there("stream.jsonl.gz.unfinished"));
  packs.add("another", 0);
  while (packs.step()) {
  }
  EXPECT_FALSE(is_there("stream.jsonl"));
}

TEST_F(Compression, AFileThatDoesNotReadBackAsItWasIsRemoved) {
  compression packs{disk_, root_.path(), told()};
  packs.add(id, text_.size());
  bool turned = false;  // a bit, on the way to the disk
  while (packs.step()) {
    auto packed = text_of(file("stream.jsonl.gz.unfinished"));
    if (turned || packed.size() < 1000) continue;
    packed[999] = static_cast<char>(packed[999] ^ 1);
    put_text(file("stream.jsonl.gz.unfinished"), packed);
    turned = true;
  }
  EXPECT_EQ(told_, std::vector<std::string>{file("stream.jsonl.gz.unfinished") +
                                            ": has other content than what was written"});
  EXPECT_EQ(text_of(file("stream.jsonl")), text_);
}

TEST_F(Compression, StopsWhenTheRunIsRemoved) {
  compression packs{disk_, root_.path(), told()};
  packs.add(id, text_.size());
  packs.step();
  packs.drop(id);
  EXPECT_FALSE(packs.step());
}

TEST_F(Compression, GoesOnAfterACrashAtAnyStep) {
  for (std::uint64_t stop = 0;; ++stop) {
    const scratch_root copy;
    std::filesystem::copy(root_.path(), copy.path(), std::filesystem::copy_options::recursive);
    faulty_disk crashing;
    crashing.crash_at(stop);
    {
      compression packs{crashing, copy.path(), [](const auto&, const auto&) {}};
      packs.add(id, text_.size());
      while (packs.step() && !crashing.crashed()) {
      }
    }
    opened_store after{copy.path()};
    ASSERT_EQ(after.found.size(), 1U) << stop;
    EXPECT_EQ(after.found[0].remark, "") << stop;
    EXPECT_EQ(after.found[0].bytes, text_.size()) << stop;
    EXPECT_EQ(after.stream(id, 100'000), text_) << stop;
    if (!crashing.crashed()) break;
  }
}

TEST(CompressionByTheStore, HappensByItselfWhenARunIsOver) {
  const scratch_root root;
  opened_store store{root.path()};
  store.create(some_run("a"));
  store.create(some_run("empty"));
  store.append("a", "one\ntwo\n");
  store.complete("a");
  store.complete("empty");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  const auto waits = [&](const std::string& run) {
    while (std::filesystem::exists(root / "runs/" + run + "/stream.jsonl")) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    return true;
  };
  EXPECT_TRUE(waits("a"));
  EXPECT_TRUE(waits("empty"));
  EXPECT_EQ(store.stream("a"), "one\ntwo\n");
  EXPECT_EQ(store.stream("empty"), "");
}

}  // namespace
}  // namespace tofud::journal
