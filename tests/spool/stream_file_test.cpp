#include "daemon/spool/stream_file.hpp"

#include "daemon/spool/page_url.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tofud::spool {
namespace {

std::string all(stream_file& file) {
  std::string text;
  std::array<char, 7> room{};
  for (;;) {
    const auto count = file.read(room);
    if (!count) return "error: " + count.error().text();
    if (*count == 0) return text;
    text.append(room.data(), *count);
  }
}

void append(const std::string& path, const std::string& text) {
  std::ofstream{path, std::ios::binary | std::ios::app} << text;
}

TEST(StreamFile, GoesOnWhereItWasWhenTheFileHasGrown) {
  const tests::scratch_directory place;
  const std::string path = place / "s.jsonl";
  tests::write_file(path, "");
  auto file = stream_file::open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(all(*file), "");
  for (const std::string text : {"{", "\"a\":1}\n{", "}\n", "the rest of it\n"}) {
    append(path, text);
    EXPECT_EQ(all(*file), text);
    EXPECT_EQ(all(*file), "");
  }
}

TEST(StreamFile, ReadsGzipByItsFirstBytesAndSaysWhenItIsTorn) {
  const tests::scratch_directory place;
  const std::string path = place / "s.jsonl.gz";
  gzFile packed = gzopen(path.c_str(), "wb");
  gzputs(packed, "one\ntwo\n");
  gzclose(packed);
  auto file = stream_file::open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(all(*file), "one\ntwo\n");
  const std::string bytes = tests::read_file(path);
  tests::write_file(path, bytes.substr(0, bytes.size() - 12));
  auto torn = stream_file::open(path);
  ASSERT_TRUE(torn);
  EXPECT_NE(all(*torn).find("is truncated: its compressed data ends too early"), std::string::npos);
}

TEST(StreamFile, MissingFileOrDirectoryIsExplained) {
  const tests::scratch_directory place;
  EXPECT_NE(stream_file::open(place / "no").error().text().find("can't read"), std::string::npos);
  EXPECT_NE(stream_file::open(place.path()).error().text().find("is a directory"),
            std::string::npos);
}

TEST(StreamFile, IsWrittenWhileItsSpoolIsLockedAndNoEndIsKnown) {
  const tests::scratch_directory place;
  const std::string path = place / "s.jsonl";
  tests::write_file(path, "x");
  auto file = stream_file::open(path);
  EXPECT_FALSE(file->is_held());
  const int keeper = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(keeper, LOCK_EX | LOCK_NB), 0);
  EXPECT_TRUE(file->is_held());
  EXPECT_TRUE(file->is_written());
  tests::write_file(place / "s.events", "{\"offset\":1,\"event\":\"end\"}\n");
  EXPECT_FALSE(file->is_held());
  EXPECT_FALSE(file->is_written());
  ::close(keeper);
}

TEST(StreamFile, CheckingLeavesNoLock) {
  const tests::scratch_directory place;
  const std::string path = place / "s.jsonl";
  tests::write_file(path, "x");
  auto file = stream_file::open(path);
  EXPECT_FALSE(file->is_held());
  const int keeper = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(::flock(keeper, LOCK_EX | LOCK_NB), 0);
  ::close(keeper);
}

TEST(StreamFile, ANewAndEmptySpoolIsHeldWithoutTryingItsLock) {
  const tests::scratch_directory place;
  const std::string path = place / "s.jsonl";
  tests::write_file(path, "");
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const auto now = std::chrono::system_clock::now();
  EXPECT_TRUE(is_locked(fd, now));
  EXPECT_FALSE(is_locked(fd, now + std::chrono::minutes{1}));
  ::close(fd);
}

TEST(StreamFile, IsWrittenWhileAnotherProcessHasItOpenForWriting) {
  const tests::scratch_directory place;
  const std::string path = place / "s.jsonl";
  tests::write_file(path, "x");
  auto file = stream_file::open(path);
  EXPECT_FALSE(file->is_written());
  std::array<int, 2> ready{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t writer = ::fork();
  if (writer == 0) {
    ::open(path.c_str(), O_WRONLY | O_APPEND);
    [[maybe_unused]] const auto told = ::write(ready[1], "", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(file->is_written());
  EXPECT_TRUE(file->is_written());
  ::kill(writer, SIGKILL);
  ::waitpid(writer, nullptr, 0);
  EXPECT_FALSE(file->is_written());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(StreamFile, AReaderIsNotTakenForAWriter) {
  const tests::scratch_directory place;
  const std::string path = place / "s.jsonl";
  tests::write_file(path, "x");
  auto file = stream_file::open(path);
  std::array<int, 2> ready{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t reader = ::fork();
  if (reader == 0) {
    ::open(path.c_str(), O_RDONLY);
    [[maybe_unused]] const auto told = ::write(ready[1], "", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_FALSE(file->is_written());
  ::kill(reader, SIGKILL);
  ::waitpid(reader, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(BesideAStream, FilesOfItsNameAreFound) {
  EXPECT_EQ(beside("a/20261121T0312-7f3a.jsonl", ".events"), "a/20261121T0312-7f3a.events");
  EXPECT_EQ(beside("a/plan.stream.jsonl.gz", ".events"), "a/plan.stream.events");
  EXPECT_EQ(run_id_of("a/plan.stream.jsonl.gz"), "plan.stream");
  EXPECT_EQ(run_id_of("stream"), "stream");
}

TEST(PageUrl, IsThereUntilItIsRemovedAndOnlyIfItIsOne) {
  const tests::scratch_directory place;
  const std::string spool = place / "s.jsonl";
  EXPECT_EQ(read_page_url(spool), "");
  write_page_url(spool, "http://127.0.0.1:8638/");
  EXPECT_EQ(read_page_url(spool), "http://127.0.0.1:8638/");
  remove_page_url(spool);
  EXPECT_EQ(read_page_url(spool), "");
  tests::write_file(place / "s.url", "javascript:alert(1)\n");
  EXPECT_EQ(read_page_url(spool), "");
  tests::write_file(place / "s.url", "http://a b\n");
  EXPECT_EQ(read_page_url(spool), "");
  write_page_url("", "http://127.0.0.1:8638/");  // a spool in memory
}

}  // namespace
}  // namespace tofud::spool
