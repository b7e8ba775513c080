#include "daemon/http/router.hpp"

#include <gtest/gtest.h>

namespace tofud::http {
namespace {

router some_routes() {
  router routes;
  const auto named = [](std::string name) {
    return [name](const request&) {
      response answer;
      answer.body = name;
      return answer;
    };
  };
  routes.get("/", named("page"));
  routes.get("/v1/runs", named("runs"));
  routes.get("/v1/runs/*", named("run"));
  routes.get("/v1/runs/*/row", named("row"));
  routes.get_stream("/v1/stream", [](handover&) { return std::optional<response>{}; });
  const auto never = [](const request&, const std::function<void(response)>&) {};
  const auto nobody = [](const request&) { return std::unique_ptr<body_taker>{}; };
  routes.take("PATCH", "/v1/runs/*/lines", {100, std::nullopt}, nobody);
  routes.get("/v1/runs/*/lines", named("lines"));
  routes.answer_later("HEAD", "/v1/runs/*/lines", never);
  routes.take_whole(
      "POST", "/v1/runs", 7,
      [](const request&, const std::string&, const std::function<void(response)>&) {});
  routes.answer_later("DELETE", "/v1/runs/*", never);
  return routes;
}

struct found {
  std::string name;
  std::vector<std::string> captures;
  bool operator==(const found&) const = default;
};

found find(std::string path, std::string method = "GET") {
  auto routes = some_routes();
  request asked;
  asked.method = std::move(method);
  asked.path = std::move(path);
  const auto result = routes.find(asked);
  if (result.by == nullptr)
    return {result.allow.empty() ? "none" : "allow " + result.allow, asked.captures};
  if (const auto* plain = std::get_if<router::answer>(result.by))
    return {(*plain)(asked).body, asked.captures};
  if (std::get_if<router::stream>(result.by)) return {"stream", asked.captures};
  if (std::get_if<router::later>(result.by)) return {"later", asked.captures};
  const auto& by = std::get<router::body>(*result.by);
  return {"body of " + std::to_string(by.rules.most_bytes), asked.captures};
}

TEST(Router, FindsPathsAndTheirSegments) {
  EXPECT_EQ(find("/"), (found{"page", {}}));
  EXPECT_EQ(find("/v1/runs"), (found{"runs", {}}));
  EXPECT_EQ(find("/v1/runs/20261121T0312-7f3a"), (found{"run", {"20261121T0312-7f3a"}}));
  EXPECT_EQ(find("/v1/runs/a%2Fb/row"), (found{"row", {"a/b"}}));
  EXPECT_EQ(find("/v1/stream"), (found{"stream", {}}));
}

TEST(Router, FindsNothingElse) {
  for (const auto* path :
       {"", "//", "/v1", "/v1/", "/v1/runs/", "/v1/runs//row", "/v1/runs/a/other",
        "/v1/runs/a/row/", "/V1/runs", "/v1/runs/%zz", "/../v1/runs"}) {
    EXPECT_EQ(find(path).name, "none") << path;
  }
}

TEST(Router, MethodsOfAPathHaveTheirOwnHandlers) {
  EXPECT_EQ(find("/v1/runs/a", "DELETE"), (found{"later", {"a"}}));
  EXPECT_EQ(find("/v1/runs", "POST"), (found{"body of 7", {}}));
  EXPECT_EQ(find("/v1/runs/a/lines", "PATCH"), (found{"body of 100", {"a"}}));
  EXPECT_EQ(find("/v1/runs/a/lines"), (found{"lines", {"a"}}));
}

TEST(Router, HeadHasARouteOfItsOwnOrThatOfGet) {
  EXPECT_EQ(find("/v1/runs/a/lines", "HEAD"), (found{"later", {"a"}}));
  EXPECT_EQ(find("/v1/runs/a", "HEAD"), (found{"run", {"a"}}));
}

TEST(Router, NamesTheMethodsAPathKnows) {
  EXPECT_EQ(find("/v1/runs/a", "PATCH"), (found{"allow DELETE, GET, HEAD", {}}));
  EXPECT_EQ(find("/v1/runs/a/lines", "OPTIONS"), (found{"allow GET, HEAD, PATCH", {}}));
  EXPECT_EQ(find("/v1/stream", "POST"), (found{"allow GET, HEAD", {}}));
  EXPECT_EQ(find("/", "get"), (found{"allow GET, HEAD", {}}));
}

TEST(Router, CountsWhatEachRouteWasAsked) {
  auto routes = some_routes();
  request asked;
  for (const auto* method : {"GET", "HEAD", "PATCH"}) {
    asked.method = method;
    asked.path = routes.counted().front().pattern;
    routes.find(asked);
  }
  const auto counted = routes.counted();
  EXPECT_EQ(counted.front().pattern, "/");
  EXPECT_EQ(counted.front().requests, 2U);  // nothing answers a PATCH there
  std::uint64_t all = 0;
  for (const auto& route : counted) all += route.requests;
  EXPECT_EQ(all, 2U);
}

}  // namespace
}  // namespace tofud::http
