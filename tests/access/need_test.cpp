#include "daemon/access/need.hpp"

#include <gtest/gtest.h>

namespace tofud::access {
namespace {

struct row {
  const char *method, *path;
  need wanted;
};

const row rows[] = {
    {"GET", "/healthz", need::nothing},
    {"HEAD", "/readyz", need::nothing},
    {"POST", "/healthz", need::owner},
    {"GET", "/login.js", need::nothing},
    {"GET", "/plain.css", need::nothing},
    {"GET", "/metrics", need::whole},
    {"HEAD", "/%6detrics", need::whole},
    {"GET", "/metrics/", need::read},
    {"GET", "/", need::read},
    {"GET", "/page.js", need::read},
    {"GET", "/v1/stream", need::read},
    {"GET", "/v1/session/oidc", need::nothing},
    {"GET", "/v1/session/oidc/callback", need::nothing},
    {"GET", "/v1/session/oidc/x", need::read},
    {"GET", "/v1/notifications", need::owner},
    {"GET", "/v1/%6eotifications", need::owner},
    {"POST", "/v1/notifications/test", need::owner},
    {"GET", "/v1/runs", need::read},
    {"GET", "/stacks/x%2F%2Fy", need::read},
    {"GET", "/runs.js", need::read},
    {"GET", "/v1/runs/x", need::read},
    {"GET", "/v1/runs/x/log", need::read},
    {"GET", "/v1/runs/x/diff", need::read},
    {"GET", "/v1/runs/x/plan", need::read},
    {"GET", "/v1/runs/x/order", need::read},
    {"GET", "/v1/runs/x/stream.jsonl", need::raw},
    {"HEAD", "/v1/runs/x/stream.jsonl", need::raw},
    {"GET", "/v1/runs/x/events.jsonl", need::raw},
    // The router decodes segments, so these are the same paths.
    {"GET", "/v1/runs/x/stream%2Ejsonl", need::raw},
    {"GET", "/v1/runs/x/%73tream.jsonl", need::raw},
    {"GET", "/%76%31/runs/x/events.jsonl", need::raw},
    {"GET", "/v1/runs/x%2Fy/stream.jsonl", need::raw},
    {"GET", "/v1/runs/x/stream.jsonl/", need::read},
    {"GET", "//healthz", need::read},
    {"GET", "/healthz/x", need::read},
    {"GET", "/%zz", need::read},
    {"GET", "", need::read},
    {"HEAD", "/v1/runs/x/lines", need::ingest},
    {"POST", "/v1/runs", need::ingest},
    {"PUT", "/v1/runs", need::ingest},
    {"PATCH", "/v1/runs/x/lines", need::ingest},
    {"PUT", "/v1/runs/x/events/1", need::ingest},
    {"PUT", "/v1/runs/x/attachments/plan", need::ingest},
    {"GET", "/v1/session", need::someone},
    {"POST", "/v1/session", need::nothing},
    {"DELETE", "/v1/session", need::nothing},
    {"PUT", "/v1/session", need::owner},
    {"POST", "/v1/session/links", need::someone},
    {"DELETE", "/v1/runs/x", need::owner},
    {"POST", "/v1/reindex", need::owner},
    {"OPTIONS", "/v1/runs", need::owner},
    {"BREW", "/coffee", need::owner},
    {"get", "/healthz", need::owner},
};

class Need : public testing::TestWithParam<row> {};

TEST_P(Need, IsThatOfTheTable) {
  EXPECT_EQ(need_of(GetParam().method, GetParam().path), GetParam().wanted)
      << GetParam().method << " " << GetParam().path;
}

INSTANTIATE_TEST_SUITE_P(MethodsAndPaths, Need, testing::ValuesIn(rows));

}  // namespace
}  // namespace tofud::access
