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
  return routes;
}

struct found {
  std::string name;
  std::vector<std::string> captures;
  bool operator==(const found&) const = default;
};

found find(std::string path) {
  const auto routes = some_routes();
  request asked;
  asked.path = std::move(path);
  const auto result = routes.find(asked);
  if (result.streaming) return {"stream", asked.captures};
  if (!result.plain) return {"none", {}};
  return {(*result.plain)(asked).body, asked.captures};
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

}  // namespace
}  // namespace tofud::http
