// Bodies and requests that coroutines answer, driven by hand as a connection does.
#include "daemon/http/coroutine.hpp"

#include <boost/asio/co_spawn.hpp>
#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tofud::http {
namespace {

response said(std::string text) {
  response answer;
  answer.body = std::move(text);
  return answer;
}

class Coroutines : public testing::Test {
 protected:
  std::unique_ptr<body_taker> taker(const body_coroutine& takes,
                                    early_answer when = early_answer::at_once) {
    auto made = taken_by(io_, takes, when);
    poll();
    return made;
  }
  /// What `next` was given: nothing yet, no answer, or that one.
  std::string take(body_taker& by, const std::string& bytes) {
    auto told = std::make_shared<std::string>("nothing yet");
    by.take(bytes, [told](const std::optional<response>& answer) {
      *told = answer ? answer->body : "more";
    });
    poll();
    last_ = told;
    return *told;
  }
  std::string end(body_taker& by) {
    auto told = std::make_shared<std::string>("nothing yet");
    by.end([told](const response& answer) {
      *told = std::to_string(answer.status) + " " + answer.body;
    });
    poll();
    last_ = told;
    return *told;
  }
  void poll() {
    io_.restart();
    io_.poll();
  }

  boost::asio::io_context io_{1};
  std::shared_ptr<std::string> last_;  // what the last call was told, by now
};

net::task<response> gather(std::shared_ptr<body> from, std::string* seen) {
  std::string piece;
  for (;;) {
    auto reading = from->next(piece);
    const auto came = co_await std::move(reading);
    if (came == body::came::broken) *seen += "broken";
    if (came != body::came::piece) co_return said(*seen);
    *seen += piece + ",";
  }
}

TEST_F(Coroutines, ReadABodyPieceByPiece) {
  std::string seen;
  const auto by = taker([&](std::shared_ptr<body> from) { return gather(std::move(from), &seen); });
  EXPECT_EQ(take(*by, "one"), "more");
  EXPECT_EQ(take(*by, "two"), "more");
  EXPECT_EQ(end(*by), "200 one,two,");
}

TEST_F(Coroutines, AnswerABodyThatIsEmpty) {
  std::string seen;
  const auto by = taker([&](std::shared_ptr<body> from) { return gather(std::move(from), &seen); });
  EXPECT_EQ(end(*by), "200 ");
}

TEST_F(Coroutines, ABrokenBodyReachesThemInEveryCase) {
  for (const bool silently : {false, true}) {
    std::string seen;
    auto by = taker([&](std::shared_ptr<body> from) { return gather(std::move(from), &seen); });
    take(*by, "one");
    if (!silently) by->broken();
    by.reset();
    poll();
    EXPECT_EQ(seen, "one,broken");
  }
}

net::task<response> slow(std::shared_ptr<body> from, std::function<void(std::string)>* give,
                         std::string* stored) {
  std::string piece;
  auto reading = from->next(piece);
  co_await std::move(reading);
  auto storing =
      net::given<std::string>([give](std::function<void(std::string)> given) { *give = given; });
  *stored = co_await std::move(storing);
  auto ending = from->next(piece);
  const auto came = co_await std::move(ending);
  co_return said(came == body::came::broken ? "nobody hears it" : "stored " + *stored);
}

TEST_F(Coroutines, AWaitingCoroutineHoldsItsSenderBack) {
  std::function<void(std::string)> give;
  std::string stored;
  const auto by =
      taker([&](std::shared_ptr<body> from) { return slow(std::move(from), &give, &stored); });
  EXPECT_EQ(take(*by, "x"), "nothing yet");
  const auto next = last_;
  give("it");
  poll();
  EXPECT_EQ(*next, "more");
  EXPECT_EQ(end(*by), "200 stored it");
}

TEST_F(Coroutines, GoOnWhenTheirConnectionIsGone) {
  std::function<void(std::string)> give;
  std::string stored;
  auto by =
      taker([&](std::shared_ptr<body> from) { return slow(std::move(from), &give, &stored); });
  take(*by, "x");
  by->broken();
  by.reset();
  give("it");
  poll();
  EXPECT_EQ(stored, "it");
}

TEST_F(Coroutines, DestroyedWhileWaitingLeakNothing) {
  std::function<void(std::string)> give;
  std::string stored;
  std::weak_ptr<body> left;
  auto by = taker([&](std::shared_ptr<body> from) {
    left = from;
    return slow(std::move(from), &give, &stored);
  });
  take(*by, "x");
  by.reset();
  give = nullptr;  // whoever was to give it is gone
  poll();
  EXPECT_TRUE(left.expired());
}

net::task<response> refuse(std::shared_ptr<body> from) {
  std::string piece;
  auto reading = from->next(piece);
  co_await std::move(reading);
  co_return said("no");
}

TEST_F(Coroutines, MayAnswerBeforeTheEndOfABody) {
  const auto by = taker(refuse);
  EXPECT_EQ(take(*by, "x"), "no");
}

TEST_F(Coroutines, EarlyAnswerStillReadsTheBody) {
  const auto by = taker(refuse, early_answer::at_end);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(take(*by, "x"), "more");
  EXPECT_EQ(end(*by), "200 no");
}

net::task<response> fail(std::shared_ptr<body> from) {
  std::string piece;
  auto reading = from->next(piece);
  co_await std::move(reading);
  throw std::runtime_error{"secret"};
}

TEST_F(Coroutines, ExceptionIsAnsweredWith500) {
  const auto by = taker(fail);
  const std::string told = take(*by, "x");
  EXPECT_NE(told.find("internal server error"), std::string::npos);
  EXPECT_EQ(told.find("secret"), std::string::npos);
}

// Under `tofu apply | curl -T -` a closed socket would be the end of the apply.
TEST_F(Coroutines, ExceptionInAStreamReadsItToItsEnd) {
  const auto by = taker(fail, early_answer::at_end);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(take(*by, "x"), "more");
  EXPECT_TRUE(end(*by).starts_with("500 "));
}

net::task<response> echo(const request asked, const std::string text) {
  co_return said(asked.path + " " + text);
}

TEST_F(Coroutines, AnswerRequests) {
  std::string told;
  const auto answers =
      answered_by(io_, [](request asked, std::string text) { return echo(asked, text); });
  {
    request asked;  // lives for the call
    asked.path = "/x";
    answers(asked, "body", [&](const response& answer) { told = answer.body; });
  }
  poll();
  EXPECT_EQ(told, "/x body");
}

net::task<std::string> both(std::function<void(std::function<void(std::string)>)> start) {
  auto waiting = net::given<std::string>(std::move(start));
  std::string first = co_await std::move(waiting);
  co_return first + "!";
}

TEST_F(Coroutines, AValueResumesThemAtOnceOrLaterAndOnce) {
  for (const bool later : {false, true}) {
    std::vector<std::string> told;
    std::function<void(std::string)> kept;
    const auto start = [&](const std::function<void(std::string)>& give) {
      kept = give;
      if (!later) give("a");
    };
    boost::asio::co_spawn(io_, both(start),
                          [&](const std::exception_ptr& thrown, const std::string& value) {
                            EXPECT_FALSE(thrown);
                            told.push_back(value);
                          });
    poll();
    EXPECT_EQ(told.empty(), later);
    kept("a");
    kept("b");
    poll();
    EXPECT_EQ(told, std::vector<std::string>{"a!"});
  }
}

}  // namespace
}  // namespace tofud::http
