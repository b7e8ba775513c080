#include "daemon/cluster/shared_log.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/cluster/lease.hpp"
#include "daemon/journal/store.hpp"
#include "tests/cluster/nats_server.hpp"
#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

namespace tofud::cluster {
namespace {

/// What a daemon has of one run: its journal, and what it knows of it.
class kept_copy final : public copy {
 public:
  kept_copy(journal::store& in, journal::run_header header) : in_{in}, header_{std::move(header)} {}

  const journal::run_header& copied_header() const override { return header_; }
  std::uint64_t copied_bytes() const override { return bytes; }
  const std::vector<journal::kept_event>& copied_events() const override { return events; }
  bool is_copied_whole() const override { return is_over; }
  bool is_sent_here() const override { return is_sent; }
  net::task<std::shared_ptr<const void>> alone_to_copy() override {
    co_return std::make_shared<const int>();
  }
  net::task<text::failure> take(record what) override {
    ++taken;
    if (what.what == record::kind::bytes && what.offset + what.data.size() > bytes) {
      auto storing = in_.append(header_.id, what.data.substr(bytes - what.offset), what.at);
      const auto stored = co_await std::move(storing);
      bytes = stored.offset;
      co_return stored.failure;
    }
    if (what.what == record::kind::event && what.n > events.size())
      events.push_back({what.n, what.offset, what.data});
    if (what.what == record::kind::end) is_over = true;
    co_return text::failure{};
  }

  std::uint64_t bytes = 0;
  std::vector<journal::kept_event> events;
  bool is_over = false, is_sent = false;
  int taken = 0;

 private:
  journal::store& in_;
  journal::run_header header_;
};

/// A daemon, as far as its log is concerned.
struct daemon {
  daemon(boost::asio::io_context& io, link& over, std::vector<std::string>& said) : streams{over} {
    journal::options given;
    given.free_bytes = 0;
    store = std::move(*journal::store::open(io, room.path(), std::move(given)));
    store->recover();
    log = std::make_unique<shared_log>(
        io, streams, *store,
        shared_log::options{
            "t", 1, -1,
            [this](const std::string& run) -> std::shared_ptr<copy> {
              const auto found = copies.find(run);
              return found == copies.end() ? nullptr : found->second;
            },
            [this](const journal::run_header&) -> net::task<text::failure> {
              co_return text::failure{may_open};
            },
            [&said](const std::string&, const std::string& each) { said.push_back(each); }});
  }
  kept_copy& know(const journal::run_header& header) {
    store->create(header, [](const text::failure&) {});
    auto& made = copies[header.id] = std::make_shared<kept_copy>(*store, header);
    return *made;
  }
  std::string stored(const std::string& run) const {
    const auto read = store->reader(run);
    std::string all, room_for(4096, '\0');
    for (std::size_t n = 1; read && n > 0; all.append(room_for, 0, n))
      n = read(all.size(), {room_for.data(), room_for.size()});
    return all;
  }

  journal::scratch_root room;
  std::unique_ptr<journal::store> store;
  jetstream streams;
  std::map<std::string, std::shared_ptr<kept_copy>> copies;
  text::failure may_open;  // what it says of a run whose first record is not in the log
  std::unique_ptr<shared_log> log;
};

class SharedLog : public Linked {
 protected:
  void SetUp() override {
    link_ = connect(server_.address());
    ASSERT_TRUE(link_->is_up()) << said_.front();
    one_ = std::make_unique<daemon>(loop_, *link_, said_);
    two_ = std::make_unique<daemon>(loop_, *link_, said_);
    ASSERT_EQ(result_of(one_->log->ensure()).text(), "");
    ASSERT_EQ(result_of(one_->log->open(header_)).text(), "");
    one_->know(header_);
    two_->know(header_);
  }
  /// As an ingested run does it.
  text::failure append(daemon& at, const std::string& bytes) {
    const auto stored = result_of(at.log->append(header_.id, bytes, journal::at_second(2)));
    if (stored.failure.empty()) at.copies[header_.id]->bytes = stored.offset;
    return stored.failure;
  }
  text::failure add(daemon& at, std::uint64_t n, std::uint64_t offset) {
    const journal::kept_event event{n, offset, R"({"offset":)" + std::to_string(offset) + "}"};
    const auto failure = result_of(at.log->add_event(header_.id, event));
    if (failure.empty()) at.copies[header_.id]->events.push_back(event);
    return failure;
  }

  nats_server server_;
  std::unique_ptr<link> link_;
  journal::run_header header_ = journal::some_run();
  std::unique_ptr<daemon> one_, two_;
};

TEST_F(SharedLog, KeepsWhatItAcknowledgesInNatsAndHere) {
  EXPECT_EQ(append(*one_, "abc").text(), "");
  EXPECT_EQ(add(*one_, 1, 3).text(), "");
  EXPECT_EQ(append(*one_, "def").text(), "");
  EXPECT_EQ(one_->stored(header_.id), "abcdef");
  EXPECT_EQ(result_of(two_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(two_->stored(header_.id), "abcdef");
  EXPECT_EQ(two_->copies[header_.id]->events, one_->copies[header_.id]->events);
  EXPECT_EQ(result_of(two_->log->header_of(header_.id))->value().upload_id, header_.upload_id);
}

TEST_F(SharedLog, GivesARunToWhoeverAppendsNextAndOnlyToHim) {
  EXPECT_EQ(append(*one_, "abc").text(), "");
  EXPECT_TRUE(append(*two_, "xyz").is(error::other_writer));
  EXPECT_EQ(two_->stored(header_.id), "");
  EXPECT_EQ(result_of(two_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(append(*two_, "def").text(), "");
  EXPECT_TRUE(append(*one_, "xyz").is(error::other_writer));
  EXPECT_EQ(result_of(one_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(append(*one_, "ghi").text(), "");
  EXPECT_EQ(one_->stored(header_.id), "abcdefghi");
}

TEST_F(SharedLog, CutsWhatIsLongIntoMessagesThatAServerTakes) {
  const std::string long_text(3 * limits::record_bytes + 17, 'x');
  EXPECT_EQ(append(*one_, long_text).text(), "");
  EXPECT_EQ(result_of(two_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(two_->stored(header_.id), long_text);
  EXPECT_EQ(two_->copies[header_.id]->taken, 5);  // and that it was opened
}

TEST_F(SharedLog, TellsWhatIsAppendedToWhoFollows) {
  two_->log->follow(header_.id);
  EXPECT_EQ(append(*one_, "abc").text(), "");
  EXPECT_TRUE(until([&] { return two_->stored(header_.id) == "abc"; }));
  EXPECT_EQ(append(*one_, "def").text(), "");
  EXPECT_EQ(result_of(one_->log->complete(header_.id, journal::at_second(3))).text(), "");
  EXPECT_TRUE(until([&] { return two_->copies[header_.id]->is_over; }));
  EXPECT_EQ(two_->stored(header_.id), "abcdef");
}

TEST_F(SharedLog, PassesOverAMessageThatIsNoRecordAndSaysSo) {
  EXPECT_EQ(append(*one_, "abc").text(), "");
  const auto foreign =
      result_of(one_->streams.append({"t.run." + header_.id, "", {}, "hello"}, std::nullopt));
  ASSERT_TRUE(foreign);
  EXPECT_TRUE(append(*one_, "def").is(error::other_writer));
  EXPECT_EQ(result_of(one_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(append(*one_, "def").text(), "");
  EXPECT_EQ(result_of(two_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(two_->stored(header_.id), "abcdef");
  ASSERT_FALSE(said_.empty());
  EXPECT_NE(said_.front().find("is no record of a run"), std::string::npos) << said_.front();
}

TEST_F(SharedLog, PassesOverRecordsOfALaterVersion) {
  for (const char* said :
       {R"({"v":2,"record":"bytes"})", R"({"v":1,"record":"colour"})", "{", ""}) {
    const auto last = result_of(one_->streams.last("t_runs", "t.run." + header_.id));
    ASSERT_TRUE(result_of(
        one_->streams.append({"t.run." + header_.id, "", {{"Tofud", said}}, "x"}, (*last)->seq)));
  }
  EXPECT_EQ(result_of(one_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(append(*one_, "abc").text(), "");
  EXPECT_EQ(result_of(two_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(two_->stored(header_.id), "abc");
}

TEST_F(SharedLog, SaysWhichBytesAreMissingAndTakesNoneBehindThem) {
  EXPECT_EQ(append(*one_, "abc").text(), "");
  const auto last = result_of(one_->streams.last("t_runs", "t.run." + header_.id));
  record beyond;
  beyond.offset = 7;
  beyond.prev = (*last)->seq;
  beyond.data = "xyz";
  ASSERT_TRUE(
      result_of(one_->streams.append(message_of(beyond, "t.run." + header_.id), (*last)->seq)));
  EXPECT_TRUE(result_of(two_->log->bring(header_.id)).is(error::gap));
  EXPECT_EQ(two_->stored(header_.id), "abc");
  ASSERT_FALSE(said_.empty());
  EXPECT_NE(said_.back().find("bytes 3 to 7 are missing"), std::string::npos) << said_.back();
}

TEST_F(SharedLog, AppendsOnceMoreWhatNatsHasLost) {
  EXPECT_EQ(append(*one_, "abc").text(), "");
  EXPECT_EQ(add(*one_, 1, 3).text(), "");
  EXPECT_EQ(append(*one_, "def").text(), "");
  ASSERT_EQ(result_of(one_->streams.purge("t_runs", "t.run." + header_.id)).text(), "");
  one_->log->doubt(header_.id);
  EXPECT_EQ(result_of(one_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(one_->log->with_surplus(), (std::vector<std::string>{header_.id}));
  EXPECT_EQ(append(*one_, "ghi").text(), "");
  EXPECT_TRUE(one_->log->with_surplus().empty());
  EXPECT_EQ(result_of(two_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(two_->stored(header_.id), "abcdefghi");
  EXPECT_EQ(two_->copies[header_.id]->events.size(), 1U);
}

TEST_F(SharedLog, KeepsHereFirstWhatIsSentHereAndAppendsItWhenNatsIsThere) {
  header_.id = "20261121T0312-0001";
  header_.upload_id.clear();
  ASSERT_EQ(result_of(one_->log->open(header_)).text(), "");
  one_->know(header_).is_sent = true;
  two_->know(header_);
  EXPECT_EQ(append(*one_, "abc").text(), "");
  EXPECT_TRUE(until([&] { return one_->log->with_surplus().empty(); }));
  server_.kill();
  ASSERT_TRUE(until([&] { return !link_->is_up(); }));
  EXPECT_EQ(append(*one_, "def").text(), "");
  EXPECT_EQ(add(*one_, 1, 6).text(), "");
  EXPECT_EQ(append(*one_, "ghi").text(), "");
  EXPECT_EQ(one_->stored(header_.id), "abcdefghi");
  EXPECT_EQ(one_->log->with_surplus(), (std::vector<std::string>{header_.id}));
  server_.start();
  ASSERT_TRUE(until([&] { return link_->is_up(); }));
  EXPECT_TRUE(until([&] { return result_of(one_->log->append_surplus(header_.id)).empty(); }));
  EXPECT_EQ(result_of(two_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(two_->stored(header_.id), "abcdefghi");
  EXPECT_EQ(two_->copies[header_.id]->events.size(), 1U);
}

TEST_F(SharedLog, KeepsHereOnlyWhatCameAfterOthersEndedTheRun) {
  one_->copies[header_.id]->is_sent = true;
  EXPECT_EQ(append(*one_, "abc").text(), "");
  EXPECT_TRUE(until([&] { return one_->log->with_surplus().empty(); }));
  EXPECT_EQ(result_of(two_->log->bring(header_.id)).text(), "");
  // The one is cut off, so that the other believes it dead and ends its run.
  EXPECT_EQ(result_of(two_->log->complete(header_.id, journal::at_second(3))).text(), "");
  EXPECT_EQ(append(*one_, "def").text(), "");
  EXPECT_TRUE(until([&] { return !said_.empty(); }));
  one_->log->doubt(header_.id);
  EXPECT_TRUE(result_of(one_->log->bring(header_.id)).is(error::ended));
  EXPECT_EQ(append(*one_, "ghi").text(), "");
  EXPECT_EQ(result_of(one_->log->complete(header_.id, journal::at_second(4))).text(), "");
  EXPECT_EQ(one_->stored(header_.id), "abcdefghi");
  EXPECT_TRUE(one_->log->with_surplus().empty());
  EXPECT_TRUE(one_->log->may_append(header_.id));
  EXPECT_NE(said_.back().find("on this machine only"), std::string::npos) << said_.back();
  EXPECT_EQ(result_of(two_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(two_->stored(header_.id), "abc");
}

TEST_F(SharedLog, BeginsALogWithTheFirstRecordWhoeverAppendsFirst) {
  header_.id = "20261121T0312-0002";
  two_->know(header_);
  one_->know(header_);
  EXPECT_EQ(append(*two_, "abc").text(), "");
  const auto found = result_of(one_->log->header_of(header_.id));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->id, header_.id);
  EXPECT_EQ(result_of(one_->log->bring(header_.id)).text(), "");
  EXPECT_EQ(one_->stored(header_.id), "abc");
}

TEST_F(SharedLog, AppendsNothingOfARunThatItsSenderBeganElsewhere) {
  header_.id = "20261121T0312-0003";
  one_->know(header_);
  one_->log->add(header_);
  one_->may_open = text::failure{error::made_elsewhere};
  EXPECT_TRUE(append(*one_, "abc").is(error::made_elsewhere));
  EXPECT_EQ(one_->stored(header_.id), "");
  EXPECT_FALSE(*result_of(two_->log->header_of(header_.id)));
}

TEST_F(SharedLog, RefusesBytesThatWereMeantForAnotherPlace) {
  two_->log->add(header_);  // it does not know that the log has begun
  EXPECT_EQ(append(*one_, "abc").text(), "");
  EXPECT_TRUE(append(*two_, "abc").is(error::other_writer));
  EXPECT_EQ(two_->stored(header_.id), "abc");
  EXPECT_EQ(append(*two_, "def").text(), "");
  EXPECT_EQ(two_->stored(header_.id), "abcdef");
}

TEST_F(SharedLog, RefusesWhileNatsIsAwayWhatItsSenderHas) {
  EXPECT_EQ(append(*one_, "abc").text(), "");
  server_.kill();
  ASSERT_TRUE(until([&] { return !link_->is_up(); }));
  EXPECT_TRUE(append(*one_, "def").is(error::not_connected));
  EXPECT_EQ(one_->stored(header_.id), "abc");
  server_.start();
  ASSERT_TRUE(until([&] { return link_->is_up(); }));
  EXPECT_TRUE(until([&] { return append(*one_, "def").empty(); }));
  EXPECT_EQ(one_->stored(header_.id), "abcdef");
}

TEST_F(SharedLog, AnAppendWhoseAnswerWasLostIsFoundAgain) {
  EXPECT_EQ(append(*one_, "abc").text(), "");
  // As if it had been stored by this daemon before the connection went.
  const auto last = result_of(one_->streams.last("t_runs", "t.run." + header_.id));
  record same;
  same.offset = 3;
  same.prev = (*last)->seq;
  same.data = "def";
  ASSERT_TRUE(
      result_of(one_->streams.append(message_of(same, "t.run." + header_.id), (*last)->seq)));
  EXPECT_EQ(append(*one_, "def").text(), "");
  EXPECT_EQ(append(*one_, "ghi").text(), "");
  EXPECT_EQ(one_->stored(header_.id), "abcdefghi");
}

TEST_F(SharedLog, ALeaseIsOfOneAtATimeAndGoesOn) {
  bucket leases{one_->streams, "t_leases", limits::lease_time};
  ASSERT_EQ(result_of(leases.ensure(1)).text(), "");
  const auto first = std::make_shared<lease>(loop_, leases, "once", "a");
  const auto second = std::make_shared<lease>(loop_, leases, "once", "b");
  first->begin();
  ASSERT_TRUE(until([&] { return first->is_held(); }));
  second->begin();
  until([] { return false; }, std::chrono::seconds{1});
  EXPECT_FALSE(second->is_held());
  first->stop();
  ASSERT_TRUE(until([&] { return second->is_held(); }, std::chrono::seconds{30}));
  EXPECT_FALSE(first->is_held());
}

}  // namespace
}  // namespace tofud::cluster
