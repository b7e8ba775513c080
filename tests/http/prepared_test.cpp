// GETs that wait until what they ask for is there.
#include "tests/http/bodies.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tofud::http {
namespace {

using tests::Bodies;
using tests::client;
using tests::get_request;
using tests::request_of;
using tests::with_length;

class Prepared : public Bodies {
 protected:
  Prepared() {
    routes_.before([this](const request& asked, router::when_ready ready) {
      asked_.push_back(asked.method + " " + asked.path);
      if (asked.path != "/hello") return true;
      if (at_once_) {
        ready(refused_);
      } else {
        ready_ = std::move(ready);
      }
      return false;
    });
  }
  std::vector<std::string> asked_;
  router::when_ready ready_;
  bool at_once_ = false;
  std::optional<response> refused_;
};

TEST_F(Prepared, AGetWaitsUntilWhatItNeedsIsThere) {
  client one{io_, port_};
  one.send(get_request("/hello"));
  ASSERT_TRUE(until([&] { return ready_ != nullptr; }));
  io_.restart();
  io_.poll();
  one.receive();
  EXPECT_EQ(one.got(), "");
  ready_(std::nullopt);
  ready_(std::nullopt);
  ASSERT_TRUE(one.until_got("hello\n"));
  one.hang_up();
  ASSERT_TRUE(until([&] { return listener_.connections() == 0; }));
  ready_(std::nullopt);
}

TEST_F(Prepared, AReadyResourceIsAnsweredAtOnce) {
  at_once_ = true;
  EXPECT_EQ(ask(get_request("/hello", "Connection: close\r\n")).status(), 200);
}

TEST_F(Prepared, AnImpossibleResourceIsRefused) {
  at_once_ = true;
  refused_ = problem(409, "it can't be read");
  const auto said = ask(get_request("/hello", "Connection: close\r\n"));
  EXPECT_EQ(said.status(), 409);
  EXPECT_NE(said.got().find("it can't be read"), std::string::npos);
}

TEST_F(Prepared, RequestsOfEveryMethodArePrepared) {
  at_once_ = true;
  const auto one =
      ask(request_of("HEAD", "/hello", "") + with_length("POST", "/echo", "a") +
          request_of("DELETE", "/later", "") + get_request("/nowhere", "Connection: close\r\n"));
  EXPECT_EQ(asked_, (std::vector<std::string>{"HEAD /hello", "POST /echo", "DELETE /later",
                                              "GET /nowhere"}));
}

TEST_F(Prepared, RequestIsRoutedWithoutPreparation) {
  client one{io_, port_};
  one.send(get_request("/hello"));
  ASSERT_TRUE(until([&] { return ready_ != nullptr; }));
  ready_ = nullptr;
  ASSERT_TRUE(one.until_got("hello\n"));
}

}  // namespace
}  // namespace tofud::http
