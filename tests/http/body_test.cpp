// Bodies of requests through real sockets: who gets them, when they are read, how they end.
#include "daemon/http/listener.hpp"
#include "tests/http/loopback.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tofud::http {
namespace {

using namespace std::chrono_literals;
using tests::client;
using tests::get_request;

std::string request_of(std::string_view method, std::string_view target, std::string_view headers,
                       std::string_view body = "") {
  std::string text{method};
  text.append(" ").append(target).append(" HTTP/1.1\r\nHost: localhost\r\n");
  return text.append(headers).append("\r\n").append(body);
}

std::string with_length(std::string_view method, std::string_view target, std::string_view body,
                        std::string_view more_headers = "") {
  return request_of(
      method, target,
      "Content-Length: " + std::to_string(body.size()) + "\r\n" + std::string{more_headers}, body);
}

response said(std::string text, int status = 200) {
  response answer;
  answer.status = status;
  answer.content_type = "text/plain";
  answer.body = std::move(text);
  return answer;
}

/// What a taker was told, and what it holds back.
struct seen {
  std::string bytes;
  std::vector<std::size_t> pieces;
  bool ended = false, broken = false, destroyed = false;
  bool holds = false;  // `next` and `answer` are kept here
  std::optional<response> refuses_at_once;
  std::function<void(std::optional<response>)> next;
  std::function<void(response)> answer;
};

class recording_taker : public body_taker {
 public:
  explicit recording_taker(std::shared_ptr<seen> into) : into_{std::move(into)} {}
  ~recording_taker() override { into_->destroyed = true; }
  void take(std::string bytes, std::function<void(std::optional<response>)> next) override {
    into_->pieces.push_back(bytes.size());
    into_->bytes += bytes;
    if (into_->holds) {
      into_->next = std::move(next);
    } else {
      next(std::exchange(into_->refuses_at_once, std::nullopt));
    }
  }
  void end(std::function<void(response)> answer) override {
    into_->ended = true;
    if (into_->holds) {
      into_->answer = std::move(answer);
    } else {
      answer(said("took " + std::to_string(into_->bytes.size()) + "\n"));
    }
  }
  void broken() noexcept override { into_->broken = true; }

 private:
  std::shared_ptr<seen> into_;
};

class Bodies : public testing::Test {
 protected:
  explicit Bodies(listener_options options = {},
                  std::optional<std::chrono::milliseconds> stalls = 10s)
      : listener_{io_, routes_, options} {
    routes_.take(
        "PUT", "/put", {1'000'000, stalls},
        [this](const request& asked) -> std::variant<response, std::unique_ptr<body_taker>> {
          if (asked.parameter("who")) return problem(401, "not you");
          return std::make_unique<recording_taker>(body_);
        });
    routes_.take_whole(
        "POST", "/echo", 1000,
        [](const request& asked, std::string body, const std::function<void(response)>& answer) {
          answer(said(asked.query + ":" + body + "\n"));
        });
    routes_.take_whole(
        "POST", "/throws", 1000,
        [](const request&, const std::string&, const std::function<void(response)>&) {
          throw std::runtime_error{"secret"};
        });
    routes_.answer_later("GET", "/later",
                         [this](const request&, std::function<void(response)> answer) {
                           later_.push_back(std::move(answer));
                         });
    routes_.answer_later(
        "DELETE", "/later",
        [](const request&, const std::function<void(response)>& answer) { answer(said("", 204)); });
    routes_.get("/hello", [](const request&) { return said("hello\n"); });
    listen_address where;
    where.port = 0;
    const auto bound = listener_.bind(where);
    if (!bound) throw std::runtime_error{bound.error().message};
    port_ = bound->port();
    listener_.start();
  }

  client ask(std::string_view bytes) {
    client one{io_, port_};
    one.send(bytes);
    EXPECT_TRUE(one.until_end()) << bytes.substr(0, 100) << " -> " << one.got().substr(0, 200);
    return one;
  }
  bool until(const std::function<bool()>& happened) { return tests::wait_until(io_, happened); }

  boost::asio::io_context io_{1};
  router routes_;
  listener listener_;
  std::uint16_t port_ = 0;
  std::shared_ptr<seen> body_ = std::make_shared<seen>();
  std::vector<std::function<void(response)>> later_;
};

TEST_F(Bodies, AWholeBodyIsGivenToItsHandler) {
  const auto one = ask(with_length("POST", "/echo?a", "hello", "Connection: close\r\n"));
  EXPECT_EQ(one.status(), 200);
  EXPECT_EQ(one.after_head(), "a:hello\n");
}

TEST_F(Bodies, ARequestWithoutABodyHasAnEmptyOne) {
  EXPECT_EQ(ask(request_of("POST", "/echo?a", "Connection: close\r\n")).after_head(), "a:\n");
  EXPECT_EQ(ask(with_length("POST", "/echo?b", "", "Connection: close\r\n")).after_head(), "b:\n");
  EXPECT_TRUE(body_->pieces.empty());
}

TEST_F(Bodies, RequestsFollowABodyOnTheSameConnection) {
  const auto one =
      ask(with_length("POST", "/echo?1", "first") +
          request_of("POST", "/echo?2", "Transfer-Encoding: chunked\r\n",
                     "3\r\nsec\r\n3;x=y\r\nond\r\n0\r\nTrailer: gone\r\n\r\n") +
          get_request("/hello") + with_length("POST", "/echo?3", "", "Connection: close\r\n"));
  const auto& all = one.got();
  for (const auto* part : {"1:first\n", "2:second\n", "hello\n", "3:\n"})
    EXPECT_NE(all.find(part), std::string::npos) << part;
  EXPECT_LT(all.find("1:first"), all.find("2:second"));
  EXPECT_LT(all.find("2:second"), all.find("hello\n"));
}

TEST_F(Bodies, AnAnswerMayComeLater) {
  client one{io_, port_};
  one.send(get_request("/later"));
  ASSERT_TRUE(until([&] { return !later_.empty(); }));
  later_.front()(said("at last\n"));
  later_.front()(said("twice\n"));
  ASSERT_TRUE(one.until_got("at last\n"));
  one.send(get_request("/hello"));
  ASSERT_TRUE(one.until_got("hello\n"));
  EXPECT_EQ(one.got().find("twice"), std::string::npos);
}

}  // namespace
}  // namespace tofud::http
