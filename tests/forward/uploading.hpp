// A conversation between a forwarder and a daemon that a test writes.
#pragma once

#include "daemon/forward/upload.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::forward::tests {

using namespace std::chrono_literals;
using supply = upload::supply;

inline constexpr const char* granted =
    R"({"run":"r1","offset":0,"max_patch":100,"keepalive_s":15})";

/// A conversation at a pace of its own.
class Uploading : public testing::Test {
 protected:
  upload machine_{R"({"upload_id":"u"})", "s3cret", [this] { return random_; }};
  double random_ = 1.0;
  upload::time now_ = upload::time{} + 1h;
  supply ready_;

  upload::step next() { return machine_.next(now_, ready_); }

  /// "PATCH lines 0+5", "PATCH lines 5+0 complete", "PUT events/1", "wait 25", "over".
  std::string said() {
    const auto step = next();
    if (std::holds_alternative<upload::over>(step)) return "over";
    if (const auto* pause = std::get_if<upload::wait>(&step)) {
      if (pause->until == upload::time::max()) return "wait for the answer";
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(pause->until - now_);
      return "wait " + std::to_string(left.count());
    }
    sent_ = std::get<upload::send>(step);
    std::string text = sent_.head.method;
    const std::string base = "/v1/runs";
    EXPECT_TRUE(sent_.head.target.starts_with(base));
    text += sent_.head.target == base ? " runs" : sent_.head.target.substr(base.size());
    if (sent_.head.method == "PATCH") {
      text += " " + header("Upload-Offset") + "+" + std::to_string(sent_.bytes);
      EXPECT_EQ(header("Upload-Offset"), std::to_string(sent_.from));
      if (!header("Upload-Complete").empty()) text += " complete";
    }
    return text;
  }

  std::string header(const std::string& name) const {
    for (const auto& each : sent_.head.headers) {
      if (each.name == name) return each.value;
    }
    return "";
  }

  void answer(unsigned status, const std::string& offset = "", const std::string& body = "",
              const std::string& retry_after = "") {
    machine_.answered(now_,
                      {status, {{"Upload-Offset", offset}, {"Retry-After", retry_after}}, body});
  }

  void conflict(const std::string& code, const std::string& offset = "") {
    answer(409, offset, R"({"code":")" + code + R"(","message":"why"})");
  }

  /// A run that the daemon has taken, with nothing in it.
  void greet(const char* body = granted) {
    ASSERT_EQ(said(), "POST runs");
    answer(201, "", body);
  }

  void is_stopped(upload_stop::until again, const std::string& reason) {
    EXPECT_EQ(said(), "over");
    ASSERT_TRUE(machine_.stopped());
    EXPECT_EQ(machine_.stopped()->again, again);
    EXPECT_EQ(machine_.stopped()->reason, reason);
    EXPECT_FALSE(machine_.complete());
  }

  /// With ten bytes and a plan attached at one of them; whatever is sent first was asked for.
  void attach_at(std::uint64_t offset) {
    greet();
    machine_.add_event(offset, R"({"event":"attachment"})", feed::attachment::plan);
    plan_put = "PUT/r1/attachments/plan?event=1&offset=" + std::to_string(offset);
    ready_ = {0, 10};
    ASSERT_EQ(said(), offset == 0 ? plan_put : "PATCH/r1/lines 0+" + std::to_string(offset));
  }

  void start_over() {
    machine_ = upload{R"({"upload_id":"u"})", "s3cret", [this] { return random_; }};
  }

  void goes_on_without() {
    ASSERT_EQ(said(), "PUT/r1/events/1");
    EXPECT_EQ(sent_.head.body, R"({"offset":0,"event":"attachment_left_out","part":"plan"})");
    EXPECT_FALSE(sent_.document);
    answer(204);
    now_ += 1s;
    EXPECT_EQ(said(), "PATCH/r1/lines 0+10");
    EXPECT_FALSE(machine_.stopped());
  }

  upload::send sent_;
  std::string plan_put;
};

}  // namespace tofud::forward::tests
