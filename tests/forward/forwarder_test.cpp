// A run on its way to a daemon over a real socket.
#include "daemon/forward/forwarder.hpp"

#include "protocol/text/sizes.hpp"
#include "tests/client/canned_daemon.hpp"
#include "tests/forward/upper_case.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace tofud::forward {
namespace {

using namespace std::chrono_literals;

class Forwarding : public testing::Test {
 protected:
  std::optional<std::string> answer(const std::string& head, const std::string& body) {
    if (breaks_ > 0) {
      --breaks_;
      return std::nullopt;
    }
    const auto with_offset = [this] {
      return "Upload-Offset: " + std::to_string(stored_.size()) + "\r\n";
    };
    if (head.starts_with("POST /v1/runs ")) {
      const std::string granted =
          R"({"run":"r","offset":)" + std::to_string(stored_.size()) + R"(,"max_patch":1000})";
      return "HTTP/1.1 201 Created\r\nContent-Length: " + std::to_string(granted.size()) +
             "\r\n\r\n" + granted;
    }
    if (head.starts_with("PUT")) {
      events_.push_back(head.substr(0, head.find(" HTTP")) + " " + body);
      return "HTTP/1.1 204 No Content\r\n\r\n";
    }
    if (head.starts_with("HEAD")) return "HTTP/1.1 200 OK\r\n" + with_offset() + "\r\n";
    const std::string field = "Upload-Offset: ";
    const auto from = std::stoull(head.substr(head.find(field) + field.size()));
    if (loses_ > 0 && stored_.size() > loses_)
      stored_.resize(stored_.size() - std::exchange(loses_, 0));
    if (from > stored_.size()) {
      const std::string gap = R"({"code":"gap"})";
      return "HTTP/1.1 409 Conflict\r\n" + with_offset() +
             "Content-Length: " + std::to_string(gap.size()) + "\r\n\r\n" + gap;
    }
    stored_.replace(from, std::string::npos, body);
    complete_ = head.find("Upload-Complete: ?1") != std::string::npos;
    return "HTTP/1.1 204 No Content\r\n" + with_offset() + "\r\n";
  }

  void run() {
    while (!over_ && io_.run_one_for(60s) > 0) {
    }
    ASSERT_TRUE(over_);
  }

  boost::asio::io_context io_{1};
  std::string source_;
  std::string stored_;
  std::vector<std::string> events_;
  int breaks_ = 0;
  std::size_t loses_ = 0;
  bool complete_ = false, over_ = false, taken_ = false;
  client::tests::canned_daemon daemon_{
      io_, [this](const std::string& head, const std::string& body) { return answer(head, body); }};
  forwarder forwarder_{io_,
                       daemon_.address(),
                       upload{"{}", "s", [] { return 0.01; }},
                       {[this](std::uint64_t offset, std::span<char> room) {
                          const std::string piece = source_.substr(
                              std::min<std::size_t>(offset, source_.size()), room.size());
                          std::memcpy(room.data(), piece.data(), piece.size());
                          return piece.size();
                        },
                        tests::begin_upper_case},
                       {[this] { taken_ = true; }, [this] { over_ = true; }}};
};

TEST_F(Forwarding, ARunThatGrowsArrivesRedactedWithItsEvents) {
  source_ = "one\nlong two\nthr";
  forwarder_.start();
  while (stored_.find("LONG TWO\n") == std::string::npos && io_.run_one_for(60s) > 0) {
  }
  EXPECT_TRUE(taken_);
  source_ += "ee";
  forwarder_.tell({{0, R"({"event":"label"})"}, {std::nullopt, R"({"event":"exit","status":1})"}});
  forwarder_.source_over();
  run();
  EXPECT_EQ(stored_, tests::upper_cased(source_));
  EXPECT_TRUE(complete_);
  EXPECT_EQ(events_, (std::vector<std::string>{
                         R"(PUT /v1/runs/r/events/1 {"offset":0,"event":"label"})",
                         R"(PUT /v1/runs/r/events/2 {"offset":)" + std::to_string(stored_.size()) +
                             R"(,"event":"exit","status":1})"}));
  EXPECT_EQ(forwarder_.unsent(source_.size()), 0u);
}

TEST_F(Forwarding, MebibytesArriveThoughConnectionsBreakAndBytesAreLost) {
  for (int i = 0; source_.size() < 3 * limits::mib; ++i)
    source_ += "line " + std::to_string(i) + "\n";
  stored_ = tests::upper_cased(source_).substr(0, source_.size() - 40'000);
  breaks_ = 2;
  loses_ = 10'000;
  forwarder_.start();
  forwarder_.source_over();
  run();
  EXPECT_EQ(stored_, tests::upper_cased(source_));
  EXPECT_TRUE(forwarder_.state().complete());
  EXPECT_TRUE(forwarder_.was_in_contact());
}

}  // namespace
}  // namespace tofud::forward
