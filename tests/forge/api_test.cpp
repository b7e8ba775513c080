#include "daemon/forge/api.hpp"

#include "daemon/forge/asker.hpp"
#include "daemon/forge/errors.hpp"
#include "daemon/forge/limits.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace tofud::forge {
namespace {

using std::chrono::seconds;

job some_job(kind at, std::string api) {
  job made;
  made.at = at;
  made.api = std::move(api);
  made.project = "acme/in fra";
  made.commit = std::string(40, 'a');
  return made;
}

TEST(Api, HasTheForgesPathsAndHeaders) {
  const job github = some_job(kind::github, "https://ghe.example.com/api/v3");
  const auto by = api::of(github, "t");
  EXPECT_EQ(by->who_am_i().target, "/api/v3/user");
  EXPECT_EQ(by->comments("7", 2).target,
            "/api/v3/repos/acme/in%20fra/issues/7/comments?per_page=100&page=2");
  EXPECT_EQ(by->create("7", "a\"b").body, R"({"body":"a\"b"})");
  EXPECT_EQ(by->change("7", "1", "x").method, "PATCH");
  EXPECT_EQ(by->who_am_i().headers.front(), (client::header{"Authorization", "Bearer t"}));
  EXPECT_EQ(by->set_status({state::failure, "c", "d", ""}).body,
            R"({"state":"failure","context":"c","description":"d"})");
  const job gitlab = some_job(kind::gitlab, "https://gitlab.com/api/v4");
  const auto other = api::of(gitlab, "t");
  EXPECT_EQ(other->change("7", "1", "x").target,
            "/api/v4/projects/acme%2Fin%20fra/merge_requests/7/notes/1");
  EXPECT_EQ(other->change("7", "1", "x").method, "PUT");
  EXPECT_EQ(other->set_status({state::failure, "c", "d", "https://x"}).body,
            R"({"state":"failed","name":"c","description":"d","target_url":"https://x"})");
}

TEST(Api, ReadsWhatForgesAnswer) {
  const job github = some_job(kind::github, "https://api.github.com");
  const auto by = api::of(github, "t");
  const auto some =
      by->comments_in(R"([{"id":5,"user":{"login":"a"},"body":"b","html_url":"u"},7,{"id":"x"}])");
  ASSERT_TRUE(some);
  ASSERT_EQ(some->size(), 2U);
  EXPECT_EQ((*some)[0].id, "5");
  EXPECT_EQ((*some)[0].author, "a");
  EXPECT_EQ((*some)[1].id, "");
  EXPECT_TRUE(by->comments_in("{}").error().is(error::bad_answer));
  EXPECT_TRUE(by->comments_in("[").error().is(error::bad_answer));
  EXPECT_EQ(
      *by->pull_request_in(
          R"([{"number":1,"merged_at":null},{"number":2,"merged_at":"2026"},{"number":3,"merged_at":"2025"}])"),
      "2");
  EXPECT_EQ(*by->pull_request_in("[]"), "");
  EXPECT_EQ(by->author_in(R"({"login":7})"), "");
}

TEST(LimitedFor, KnowsEachWayToAskForPatience) {
  const auto now = std::chrono::system_clock::time_point{seconds{1'000}};
  const auto answer = [](unsigned status, std::vector<client::header> headers,
                         std::string body = "") {
    return client::response{status, std::move(headers), std::move(body)};
  };
  EXPECT_EQ(limited_for(answer(200, {{"Retry-After", "5"}}), now), std::nullopt);
  EXPECT_EQ(limited_for(answer(403, {}), now), std::nullopt);
  EXPECT_EQ(limited_for(answer(403, {{"retry-after", "5"}}), now), seconds{5});
  EXPECT_EQ(limited_for(answer(429, {}), now), limits::forge_limited_wait);
  EXPECT_EQ(limited_for(answer(403, {}, "You have exceeded a secondary rate limit"), now),
            limits::forge_limited_wait);
  EXPECT_EQ(limited_for(
                answer(403, {{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", "1030"}}), now),
            seconds{30});
  EXPECT_EQ(
      limited_for(answer(403, {{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", "30"}}), now),
      seconds{1});
  EXPECT_EQ(limited_for(answer(403, {{"X-RateLimit-Remaining", "7"}}), now), std::nullopt);
}

}  // namespace
}  // namespace tofud::forge
