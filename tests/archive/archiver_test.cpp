#include "daemon/archive/archiver.hpp"

#include "daemon/archive/errors.hpp"
#include "daemon/archive/limits.hpp"
#include "tests/journal/opened_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tofud::archive {
namespace {

using journal::at_second;

/// What a place was given, in memory. Of the archiver's thread and the test's.
class kept_files {
 public:
  /// From now on paths with that in them are refused; with nothing, none.
  void refuse(std::string part) {
    const std::lock_guard lock{mutex_};
    refused_ = std::move(part);
  }
  void clear() {
    const std::lock_guard lock{mutex_};
    all_.clear();
  }
  std::size_t size() const {
    const std::lock_guard lock{mutex_};
    return all_.size();
  }
  bool has(const std::string& path) const {
    const std::lock_guard lock{mutex_};
    return all_.contains(path);
  }
  text::failure begin() const {
    const std::lock_guard lock{mutex_};
    return is_refused(about_name) ? text::failure{error::bucket_refuses, 503} : text::failure{};
  }
  /// `text`: none to remove it.
  text::failure change(const std::string& path, std::optional<std::string> text) {
    const std::lock_guard lock{mutex_};
    if (is_refused(path)) return {error::bucket_refuses, 503};
    if (text)
      all_[path] = *std::move(text);
    else
      all_.erase(path);
    return {};
  }

 private:
  bool is_refused(std::string_view path) const {
    return !refused_.empty() && path.find(refused_) != std::string_view::npos;
  }
  mutable std::mutex mutex_;
  std::map<std::string, std::string> all_;
  std::string refused_;
};

class place_in_memory final : public place {
 public:
  explicit place_in_memory(kept_files& in) : in_{in} {}
  text::failure begin(used_before) override { return in_.begin(); }
  text::failure put(const std::string& path, const content& what) override {
    std::string text(what.bytes, '\0');
    EXPECT_EQ(what.read(0, text), what.bytes);
    return in_.change(path, std::move(text));
  }
  text::failure remove(const std::string& path) override { return in_.change(path, {}); }
  void give_up() noexcept override {}

 private:
  kept_files& in_;
};

class Archiver : public testing::Test {  // NOLINT(readability-identifier-naming): shown as printed
 protected:
  Archiver() {
    for (const char* id : {"a", "b"}) {
      EXPECT_EQ(store_.create(journal::some_run(id)), "");
      EXPECT_EQ(store_.complete(id), "");
      journal::until_compressed(root_.path(), id);
    }
  }
  archiver::options options(const std::string& to = "s3://b") {
    return {root_.path(), to, to.empty() ? nullptr : std::make_unique<place_in_memory>(files_),
            [this](const std::string& sentence) { said_.push_back(sentence); },
            [this](const std::string& sentence) { complaints_.push_back(sentence); }};
  }
  void turn() {
    const auto works = boost::asio::make_work_guard(store_.loop);
    store_.loop.restart();
    store_.loop.run_for(std::chrono::milliseconds{2});
  }
  /// Looks until `over`, for what is done on another thread.
  template <class Over>
  void look_until(archiver& by, Over over) {
    for (int i = 0; i < 2000 && !over(); ++i) {
      by.look();
      turn();
    }
    EXPECT_TRUE(over());
  }
  std::string remove(archiver& by, const std::string& run) {
    std::optional<std::string> failure;
    const auto removing = [&]() -> net::task<void> {
      auto going = by.remove(run);
      const text::failure wrong = co_await std::move(going);
      failure = wrong.text();
    };
    boost::asio::co_spawn(store_.loop, removing(), boost::asio::detached);
    store_.until_done();
    return failure.value_or("not done");
  }
  bool has(const std::string& run) { return files_.has("runs/" + run + "/manifest.jsonl"); }

  journal::scratch_root root_;
  journal::opened_store store_{root_.path()};
  kept_files files_;
  std::vector<std::string> said_, complaints_;
};

TEST_F(Archiver, SendsWhatHasEndedAndHoldsRetentionUntilThen) {
  archiver by{store_.loop, options()};
  EXPECT_TRUE(by.waits_for("a", at_second(9)));
  look_until(by, [&] { return has("a") && has("b") && by.waiting() == 0; });
  EXPECT_FALSE(by.waits_for("a", at_second(9)));
  EXPECT_TRUE(by.has("b"));
  EXPECT_EQ(by.counts().runs, 2U);
  EXPECT_EQ(by.counts().bytes > 0, true);
  EXPECT_EQ(said_, std::vector<std::string>{"runs that wait to be archived in s3://b: 2"});
  EXPECT_TRUE(complaints_.empty());
  // Whoever comes next knows.
  files_.clear();
  archiver again{store_.loop, options()};
  look_until(again, [&] { return again.has("a") && again.has("b"); });
  EXPECT_EQ(files_.size(), 0U);
}

TEST_F(Archiver, LeavesAPlaceAloneThatTakesNothing) {
  files_.refuse("archive.json");
  archiver by{store_.loop, options()};
  look_until(by, [&] { return !by.trouble().empty(); });
  EXPECT_EQ(complaints_, std::vector<std::string>{
                             "the archive s3://b takes nothing: the bucket answered with status "
                             "503; it is tried again in 15 seconds"});
  files_.refuse("");
  for (int i = 0; i < 20; ++i) {
    by.look();
    turn();
  }
  EXPECT_EQ(files_.size(), 0U);
  EXPECT_TRUE(by.waits_for("a", at_second(9)));
  EXPECT_FALSE(by.waits_for("a", at_second(9) + limits::archive_waited_for));
}

TEST_F(Archiver, TakesARunAwayBeforeItGoesHere) {
  archiver by{store_.loop, options()};
  look_until(by, [&] { return by.has("a") && by.has("b"); });
  EXPECT_EQ(remove(by, "a"), "");
  EXPECT_FALSE(has("a"));
  EXPECT_FALSE(by.has("a"));
  files_.refuse("runs/b/");
  EXPECT_EQ(remove(by, "b"),
            "run b is archived in s3://b and can't be removed there: the bucket answered with "
            "status 503; `tofud rm --keep-archived` removes it here only");
  EXPECT_TRUE(has("b"));
}

TEST_F(Archiver, OfAnotherPlaceOrOfNoneIsNotAskedToRemove) {
  {
    archiver by{store_.loop, options()};
    look_until(by, [&] { return by.has("a"); });
  }
  for (const char* to : {"", "s3://other"}) {
    archiver other{store_.loop, options(to)};
    EXPECT_EQ(remove(other, "a"),
              "run a is archived in s3://b, which this daemon can't change; remove it there, then "
              "here with `tofud rm --keep-archived`");
  }
  archiver none{store_.loop, options("")};
  EXPECT_EQ(remove(none, "never"), "");
  EXPECT_FALSE(none.waits_for("a", at_second(9)));
}

}  // namespace
}  // namespace tofud::archive
