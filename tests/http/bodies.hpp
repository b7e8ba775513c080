// Routes that take bodies in every way there is, and what those who took them saw.
#pragma once

#include "daemon/http/message/limits.hpp"
#include "tests/http/serving.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tofud::tests {

inline std::string request_of(std::string_view method, std::string_view target,
                              std::string_view headers, std::string_view body = "") {
  std::string text{method};
  text.append(" ").append(target).append(" HTTP/1.1\r\nHost: localhost\r\n");
  return text.append(headers).append("\r\n").append(body);
}

inline std::string with_length(std::string_view method, std::string_view target,
                               std::string_view body, std::string_view more_headers = "") {
  return request_of(
      method, target,
      "Content-Length: " + std::to_string(body.size()) + "\r\n" + std::string{more_headers}, body);
}

inline http::response said(std::string text, int status = 200) {
  http::response answer;
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
  std::optional<http::response> refuses_at_once;
  std::function<void(std::optional<http::response>)> next;
  std::function<void(http::response)> answer;
};

class recording_taker : public http::body_taker {
 public:
  explicit recording_taker(std::shared_ptr<seen> into) : into_{std::move(into)} {}
  ~recording_taker() override { into_->destroyed = true; }
  void take(std::string bytes, std::function<void(std::optional<http::response>)> next) override {
    into_->pieces.push_back(bytes.size());
    into_->bytes += bytes;
    if (into_->holds) {
      into_->next = std::move(next);
    } else {
      next(std::exchange(into_->refuses_at_once, std::nullopt));
    }
  }
  void end(std::function<void(http::response)> answer) override {
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

class Bodies : public serving {
 protected:
  explicit Bodies(http::listener_options options = {},
                  std::optional<std::chrono::milliseconds> stalls = std::chrono::seconds{10})
      : serving{options, stalls.value_or(limits::body_stalled_after)} {
    routes_.take("PUT", "/put", {1'000'000, stalls},
                 [this](const http::request& asked)
                     -> std::variant<http::response, std::unique_ptr<http::body_taker>> {
                   if (asked.parameter("who")) return http::problem(401, "not you");
                   return std::make_unique<recording_taker>(body_);
                 });
    routes_.take("PUT", "/stream", {std::numeric_limits<std::uint64_t>::max(), std::nullopt},
                 [this](const http::request&)
                     -> std::variant<http::response, std::unique_ptr<http::body_taker>> {
                   return std::make_unique<recording_taker>(body_);
                 });
    routes_.take_whole("POST", "/echo", 1000,
                       [](const http::request& asked, std::string body,
                          const std::function<void(http::response)>& answer) {
                         answer(said(asked.query + ":" + body + "\n"));
                       });
    routes_.take_whole(
        "POST", "/throws", 1000,
        [](const http::request&, const std::string&, const std::function<void(http::response)>&) {
          throw std::runtime_error{"secret"};
        });
    routes_.answer_later("GET", "/later",
                         [this](const http::request&, std::function<void(http::response)> answer) {
                           later_.push_back(std::move(answer));
                         });
    routes_.answer_later(
        "DELETE", "/later",
        [](const http::request&, const std::function<void(http::response)>& answer) {
          answer(said("", 204));
        });
    routes_.get("/hello", [](const http::request&) { return said("hello\n"); });
    start();
  }

  bool until(const std::function<bool()>& happened) { return wait_until(io_, happened); }

  std::shared_ptr<seen> body_ = std::make_shared<seen>();
  std::vector<std::function<void(http::response)>> later_;
};

}  // namespace tofud::tests
