// Who a request is taken for, and what it may: a table of clients without rights, tokens and
// proxies.
#include "daemon/access/gate.hpp"

#include "tests/access/scratch_file.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <utility>
#include <vector>

namespace tofud::access {
namespace {

const time noon{std::chrono::hours{1'000'000}};
constexpr std::uint16_t port = 8638;

class Gate : public testing::Test {
 protected:
  static rules behind_a_proxy() {
    rules given;
    given.proxies = {*parse_proxy("10.1.0.0/16")};
    given.user_header = "x-forwarded-user";
    given.hosts = {*http::parse_authority("tofud.example.com")};
    return given;
  }
  static http::request asking(std::string method, std::string path,
                              std::vector<http::header> headers = {}) {
    http::request asked;
    asked.method = std::move(method);
    asked.target = path;
    asked.path = path.substr(0, path.find('?'));
    if (asked.path.size() < path.size()) asked.query = path.substr(asked.path.size() + 1);
    asked.port = port;
    asked.from = {"127.0.0.1", false};
    asked.headers = std::move(headers);
    asked.headers.push_back({"host", "localhost:8638"});
    return asked;
  }
  int status(gate& by, http::request asked) {
    const auto refused = by.ask(asked, noon);
    return refused ? refused->status : 0;
  }

  tests::scratch_file file_;
};

TEST_F(Gate, TheOwnUserOnLoopbackMayDoEverything) {
  gate one{{}, file_.path()};
  for (const auto& [method, path] : {std::pair{"GET", "/v1/runs"}, {"DELETE", "/v1/runs/x"}}) {
    auto asked = asking(method, path);
    asked.from.is_ours = true;
    EXPECT_FALSE(one.ask(asked, noon));
    EXPECT_TRUE(asked.by->is_owner);
    EXPECT_FALSE(asked.permit);
  }
}

TEST_F(Gate, ARequestThroughAProxyIsNotTrustedForItsUser) {
  rules given;
  given.groups_header = "x-auth-request-groups";
  gate one{given, file_.path()};
  for (const char* header :
       {"forwarded", "via", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-anything",
        "x-real-ip", "cf-connecting-ip", "true-client-ip", "x-auth-request-groups"}) {
    auto asked = asking("GET", "/v1/runs", {{header, ""}});
    asked.from.is_ours = true;
    EXPECT_EQ(status(one, asked), 401) << header;
    asked.via = http::transport::local;
    EXPECT_EQ(status(one, asked), 401) << header;
  }
}

TEST_F(Gate, ATrustedProxyNamesTheUser) {
  gate one{behind_a_proxy(), file_.path()};
  auto asked =
      asking("GET", "/v1/runs",
             {{"x-forwarded-user", "alice"}, {"x-forwarded-for", "203.0.113.9, 192.0.2.1"}});
  asked.from.address = "10.1.2.3";
  ASSERT_FALSE(one.ask(asked, noon));
  EXPECT_EQ(asked.by->who, "alice");
  EXPECT_EQ(asked.by->may, (scopes{true, false, false}));
  EXPECT_EQ(asked.from.address, "192.0.2.1");
}

TEST_F(Gate, AnotherPeersUserHeaderIsIgnored) {
  gate one{behind_a_proxy(), file_.path()};
  for (const char* address : {"10.2.0.1", "127.0.0.1", "::1", ""}) {
    auto asked =
        asking("GET", "/v1/runs", {{"x-forwarded-user", "alice"}, {"x-forwarded-for", "10.1.0.1"}});
    asked.from.address = address;
    if (asked.from.address.empty()) asked.via = http::transport::local;
    EXPECT_EQ(status(one, asked), 401) << address;
  }
}

TEST_F(Gate, HostAndSchemeAreThoseOfATrustedProxy) {
  gate one{behind_a_proxy(), file_.path()};
  const auto from = [&](const char* address, const char* host, const char* origin) {
    auto asked = asking("GET", "/v1/runs",
                        {{"x-forwarded-user", "alice"},
                         {"x-forwarded-host", host},
                         {"x-forwarded-proto", "http, https"},
                         {"origin", origin}});
    asked.from.address = address;
    return status(one, asked);
  };
  EXPECT_EQ(from("10.1.0.1", "tofud.example.com", "https://tofud.example.com"), 0);
  EXPECT_EQ(from("10.1.0.1", "a.example, tofud.example.com", "https://tofud.example.com"), 0);
  EXPECT_EQ(from("10.1.0.1", "tofud.example.com", "http://tofud.example.com"), 403);
  EXPECT_EQ(from("10.1.0.1", "evil.example", "https://evil.example"), 421);
  EXPECT_EQ(from("10.2.0.1", "tofud.example.com", "https://tofud.example.com"), 403);
}

TEST_F(Gate, AUserIsInOneOfTheGroupsIfThereAreAny) {
  rules given = behind_a_proxy();
  given.groups_header = "x-forwarded-groups";
  given.groups = {"ops", "on call"};
  gate one{given, file_.path()};
  for (const auto& [groups, wanted] : {std::pair{"ops", 0},
                                       {"dev, ops", 0},
                                       {" on call ,x", 0},
                                       {"dev", 403},
                                       {"", 403},
                                       {"opsx", 403},
                                       {"ops x", 403}}) {
    auto asked =
        asking("GET", "/v1/runs", {{"x-forwarded-user", "alice"}, {"x-forwarded-groups", groups}});
    asked.from.address = "10.1.0.1";
    EXPECT_EQ(status(one, asked), wanted) << groups;
  }
}

TEST_F(Gate, TwoUserHeadersAreNoUser) {
  gate one{behind_a_proxy(), file_.path()};
  auto asked =
      asking("GET", "/v1/runs", {{"x-forwarded-user", "alice"}, {"x-forwarded-user", "bob"}});
  asked.from.address = "10.1.0.1";
  EXPECT_EQ(status(one, asked), 400);
}

TEST_F(Gate, ATokenNeedsTheScopeOfTheRoute) {
  gate one{{}, file_.path()};
  const std::string token = file_.add({false, true, false}, noon);
  EXPECT_FALSE(one.refresh(noon));
  const auto with = [&](const char* method, const char* path) {
    return status(one, asking(method, path, {{"authorization", "Bearer " + token}}));
  };
  EXPECT_EQ(with("PUT", "/v1/runs"), 0);
  EXPECT_EQ(with("GET", "/v1/runs"), 403);
  EXPECT_EQ(with("GET", "/v1/runs/x/stream.jsonl"), 403);
  EXPECT_EQ(with("DELETE", "/v1/runs/x"), 403);
  EXPECT_EQ(with("GET", "/healthz"), 0);
  file_.change([](auto& all) { all.front().revoked = true; });
  EXPECT_TRUE(one.refresh(noon));
  EXPECT_EQ(with("PUT", "/v1/runs"), 401);
  EXPECT_EQ(with("GET", "/healthz"), 0);
}

TEST_F(Gate, ANewTokenIsAcceptedAtOnce) {
  gate one{{}, file_.path()};
  one.refresh(noon);
  const std::string first = file_.add({true, false, false}, noon);
  const auto get = [&](const std::string& token) {
    return asking("GET", "/v1/runs", {{"authorization", "Bearer " + token}});
  };
  EXPECT_EQ(status(one, get(first)), 0);
  file_.change([](auto& all) { all.clear(); });
  const std::string second = file_.add({true, false, false}, noon);
  EXPECT_EQ(status(one, get(second)), 0);
  // What another token's look has found is not lost.
  EXPECT_TRUE(one.refresh(noon));
  EXPECT_FALSE(one.refresh(noon));
}

TEST_F(Gate, TheBasePathIsRemovedAndPathsOutsideAreNotFound) {
  rules given;
  given.base_path = "/tofud";
  gate one{given, file_.path()};
  auto asked = asking("GET", "/tofud/v1/runs");
  asked.from.is_ours = true;
  ASSERT_FALSE(one.ask(asked, noon));
  EXPECT_EQ(asked.path, "/v1/runs");
  EXPECT_EQ(asked.base, "/tofud");
  for (const auto& [path, wanted] : {std::pair{"/v1/runs", 404},
                                     {"/tofud", 308},
                                     {"/tofudx/", 404},
                                     {"/tofud%2Fv1", 404},
                                     {"/", 404}}) {
    auto other = asking("GET", path);
    other.from.is_ours = true;
    EXPECT_EQ(status(one, other), wanted) << path;
  }
}

// ---- pages of other servers ------------------------------------------------------------------

struct other_page_row {
  const char *method, *path, *origin, *wants;  // wants: Access-Control-Request-Method, or null
  int status;                                  // 0: may pass
  bool may_read;                               // the answer holds what lets the page read it
};

std::ostream& operator<<(std::ostream& out, const other_page_row& one) {
  return out << one.method << " " << one.path << " of " << (one.origin ? one.origin : "nowhere")
             << (one.wants ? " for " : "") << (one.wants ? one.wants : "");
}

class OtherPages : public testing::TestWithParam<other_page_row> {};

TEST_P(OtherPages, HaveTheRightsOfTheTable) {
  const auto& row = GetParam();
  const tests::scratch_file file;
  rules given;
  given.base_path = "/tofud";
  given.origins = {*http::parse_origin("https://portal.example.com")};
  gate one{given, file.path()};
  http::request asked;
  asked.method = row.method;
  asked.path = asked.target = std::string{"/tofud"} + row.path;
  asked.port = port;
  asked.from = {"127.0.0.1", true};  // whose browser may everything, if its page may
  asked.headers.push_back({"host", "localhost:8638"});
  asked.headers.push_back({"content-type", "application/json"});
  if (row.origin != nullptr) {
    asked.headers.push_back({"origin", row.origin});
    asked.headers.push_back({"sec-fetch-site", "cross-site"});
  }
  if (row.wants != nullptr) {
    asked.headers.push_back({"access-control-request-method", row.wants});
    asked.headers.push_back({"access-control-request-headers", "authorization,last-event-id"});
  }
  const auto answer = one.ask(asked, noon);
  EXPECT_EQ(answer ? answer->status : 0, row.status);
  const std::string head =
      http::response_head(asked, answer ? *answer : http::response{}, http::connection_end::keep);
  const auto says = [&](const std::string& line) {
    return head.find("\r\n" + line) != std::string::npos;
  };
  EXPECT_TRUE(says("Vary: Origin\r\n")) << head;
  EXPECT_FALSE(says("Access-Control-Allow-Origin: *")) << head;
  EXPECT_EQ(says("Access-Control-Allow-Origin: https://portal.example.com\r\n"), row.may_read)
      << head;
  EXPECT_EQ(says("Access-Control-Allow-Credentials: true\r\n"), row.may_read) << head;
  EXPECT_EQ(says("Access-Control-Allow-Methods: "), row.status == 204) << head;
  EXPECT_EQ(says("Access-Control-Allow-Headers: Authorization, "), row.status == 204) << head;
  EXPECT_EQ(head.find("Last-Event-ID") != std::string::npos, row.status == 204) << head;
}

const char* const portal = "https://portal.example.com";

const other_page_row other_pages[] = {
    // Of the list: it may look, wherever something is to be seen, and log in and out.
    {"GET", "/v1/runs", portal, nullptr, 0, true},
    {"HEAD", "/v1/runs", portal, nullptr, 0, true},
    {"GET", "/v1/stream", portal, nullptr, 0, true},
    {"GET", "/v1/runs/x/stream.jsonl", portal, nullptr, 0, true},
    {"POST", "/v1/session", portal, nullptr, 0, true},
    {"DELETE", "/v1/session", portal, nullptr, 0, true},
    {"GET", "/v1/session", portal, nullptr, 0, true},
    // What it may not is refused, and it may read why.
    {"PUT", "/v1/runs", portal, nullptr, 403, true},
    {"POST", "/v1/runs", portal, nullptr, 403, true},
    {"DELETE", "/v1/runs/x", portal, nullptr, 403, true},
    {"PATCH", "/v1/runs/x/lines", portal, nullptr, 403, true},
    {"POST", "/v1/reindex", portal, nullptr, 403, true},
    {"POST", "/v1/session/links", portal, nullptr, 403, true},
    {"POST", "/v1/%73ession", portal, nullptr, 0, true},  // as the router reads it
    {"POST", "/v1/session/", portal, nullptr, 403, true},
    {"POST", "/v1/sessions", portal, nullptr, 403, true},
    {"get", "/v1/runs", portal, nullptr, 403, true},
    // What a browser asks first.
    {"OPTIONS", "/v1/runs", portal, "GET", 204, true},
    {"OPTIONS", "/v1/stream", portal, "GET", 204, true},
    {"OPTIONS", "/v1/runs", portal, "HEAD", 204, true},
    {"OPTIONS", "/v1/session", portal, "POST", 204, true},
    {"OPTIONS", "/v1/session", portal, "DELETE", 204, true},
    {"OPTIONS", "/v1/runs", portal, "PUT", 403, true},
    {"OPTIONS", "/v1/runs/x", portal, "DELETE", 403, true},
    {"OPTIONS", "/v1/session", portal, "PUT", 403, true},
    {"OPTIONS", "/v1/runs", portal, "get", 403, true},
    {"OPTIONS", "/v1/runs", portal, "", 403, true},
    {"OPTIONS", "/v1/runs", portal, "GET\r\nX-Injected: 1", 403, true},
    {"OPTIONS", "/v1/runs", portal, nullptr, 403, true},
    // Not of the list: nothing tells them anything.
    {"GET", "/v1/runs", "https://evil.example", nullptr, 403, false},
    {"OPTIONS", "/v1/runs", "https://evil.example", "GET", 403, false},
    {"OPTIONS", "/v1/runs", "null", "GET", 403, false},
    {"GET", "/v1/runs", "null", nullptr, 403, false},
    {"GET", "/v1/runs", "*", nullptr, 403, false},
    {"OPTIONS", "/v1/runs", "https://portal.example.com.evil.example", "GET", 403, false},
    {"OPTIONS", "/v1/runs", "http://portal.example.com", "GET", 403, false},
    {"OPTIONS", "/v1/runs", "https://portal.example.com:8443", "GET", 403, false},
    // Programs need no leave and get none.
    {"GET", "/v1/runs", nullptr, nullptr, 0, false},
    {"OPTIONS", "/v1/runs", nullptr, "GET", 0, false},  // the router's 405
};

INSTANTIATE_TEST_SUITE_P(Gate, OtherPages, testing::ValuesIn(other_pages));

TEST_F(Gate, WithoutAListNoOriginGetsCorsHeaders) {
  gate one{{}, file_.path()};
  auto asked = asking("GET", "/v1/runs");
  asked.from.is_ours = true;
  ASSERT_FALSE(one.ask(asked, noon));
  const std::string head = http::response_head(asked, {}, http::connection_end::keep);
  EXPECT_EQ(head.find("Vary"), std::string::npos) << head;
  EXPECT_EQ(head.find("Access-Control"), std::string::npos) << head;
}

TEST_F(Gate, SocketServesPathsWithAndWithoutTheBasePath) {
  rules given;
  given.base_path = "/tofud";
  gate one{given, file_.path()};
  for (const auto& [path, base] : {std::pair{"/v1/runs", ""}, {"/tofud/v1/runs", "/tofud"}}) {
    auto asked = asking("GET", path);
    asked.via = http::transport::local;
    asked.from = {"", true};
    ASSERT_FALSE(one.ask(asked, noon)) << path;
    EXPECT_EQ(asked.path, "/v1/runs");
    EXPECT_EQ(asked.base, base);
  }
}

TEST_F(Gate, AReloadChangesTheRulesAndKeepsTheOwnNames) {
  gate one{behind_a_proxy(), file_.path()};
  one.add_own_host(*http::parse_authority("192.168.1.5"));
  const auto named = [&](const char* host) {
    auto asked = asking("GET", "/healthz");
    asked.headers = {{"host", host}};
    return status(one, asked);
  };
  EXPECT_EQ(named("tofud.example.com"), 0);
  rules given = behind_a_proxy();
  given.hosts = {*http::parse_authority("other.example.com")};
  given.base_path = "/elsewhere";
  one.follow(given);
  EXPECT_EQ(named("tofud.example.com"), 421);
  EXPECT_EQ(named("other.example.com"), 0);
  EXPECT_EQ(named("192.168.1.5"), 0);
  EXPECT_FALSE(one.refresh(noon));
}

TEST_F(Gate, UsersThatAReloadLocksOutAreDisconnected) {
  rules first = behind_a_proxy();
  first.groups_header = "x-groups";
  const auto with = [&first](auto change) {
    rules other = first;
    change(other);
    return other;
  };
  struct step {
    const char* what;
    rules then;
    bool ends;
  };
  const std::vector<step> steps{
      {"the same", first, false},
      {"another name", with([](rules& r) { r.hosts.clear(); }), false},
      {"another proxy as well",
       with([](rules& r) { r.proxies.push_back(*parse_proxy("10.9.0.0/16")); }), false},
      {"her group", with([](rules& r) { r.groups = {"ops"}; }), false},
      {"more scopes", with([](rules& r) { r.users_may = every_scope; }), false},
      {"no proxy", with([](rules& r) { r.proxies.clear(); }), true},
      {"another header", with([](rules& r) { r.user_header = "x-user"; }), true},
      {"other groups", with([](rules& r) { r.groups = {"dev"}; }), true},
      {"groups of another header", with([](rules& r) {
         r.groups_header = "x-other";
         r.groups = {"ops"};
       }),
       true},
      {"no scopes", with([](rules& r) { r.users_may = {}; }), true},
  };
  for (const step& each : steps) {
    gate one{first, file_.path()};
    auto asked = asking("GET", "/v1/stream", {{"x-forwarded-user", "alice"}, {"x-groups", "ops"}});
    asked.from.address = "10.1.0.1";
    ASSERT_FALSE(one.ask(asked, noon)) << each.what;
    ASSERT_TRUE(asked.permit) << each.what;
    one.follow(each.then);
    EXPECT_EQ(!asked.permit->empty(), each.ends) << each.what;
    EXPECT_EQ(one.refresh(noon), each.ends) << each.what;
  }
}

TEST_F(Gate, ASessionOfAUserEndsWithThem) {
  gate one{behind_a_proxy(), file_.path()};
  auto asked = asking("GET", "/v1/runs", {{"x-forwarded-user", "alice"}});
  asked.from.address = "10.1.0.1";
  ASSERT_FALSE(one.ask(asked, noon));
  const std::string cookie = one.open().begin(*asked.by, noon);
  EXPECT_TRUE(one.open().find(cookie, noon));
  one.follow({});
  EXPECT_FALSE(one.open().find(cookie, noon));
}

TEST_F(Gate, TokensStayValidAfterAReload) {
  gate one{behind_a_proxy(), file_.path()};
  const std::string token = file_.add({true, false, false}, noon);
  auto asked = asking("GET", "/v1/runs", {{"authorization", "Bearer " + token}});
  ASSERT_FALSE(one.ask(asked, noon));
  one.follow({});
  EXPECT_TRUE(asked.permit->empty());
  EXPECT_FALSE(one.refresh(noon));
}

TEST_F(Gate, APeerOfTheSocketsGroupIsNoOwner) {
  gate one{{}, file_.path()};
  auto asked = asking("GET", "/v1/runs/x/stream.jsonl");
  asked.via = http::transport::local;
  asked.from = {};
  EXPECT_EQ(status(one, asked), 401);
  asked.from.is_admitted = true;
  EXPECT_EQ(status(one, asked), 0);
  asked.method = "DELETE";
  asked.path = "/v1/runs/x";
  EXPECT_EQ(status(one, asked), 403);
}

TEST_F(Gate, GroupsOfAProxysUserSayWhichStacksHeReaches) {
  auto given = behind_a_proxy();
  given.groups_header = "x-groups";
  given.stacks_of_groups = {{"net", "net/*"}, {"ops", "*"}, {"dns", "dns/*"}};
  gate one{given, file_.path()};
  bool limited = false;
  one.on_limited([&](bool is) { limited = is; });
  one.refresh(noon);
  EXPECT_TRUE(limited);
  const auto of = [&](const std::string& groups, const char* path = "/v1/runs") {
    auto asked = asking("GET", path, {{"x-forwarded-user", "ada"}, {"x-groups", groups}});
    asked.from.address = "10.1.0.7";
    const auto refused = one.ask(asked, noon);
    return std::pair{refused ? refused->status : 0, asked.by};
  };
  const auto [in, net] = of("dev, net");
  EXPECT_EQ(in, 0);
  ASSERT_TRUE(net->within);
  EXPECT_TRUE(net->sees("net/prod", {}));
  EXPECT_FALSE(net->sees("dns/prod", {}));
  EXPECT_TRUE(of("net,dns").second->sees("dns/prod", {}));
  EXPECT_EQ(of("ops").second->within, nullptr);
  // Who is in none of them sees nothing, rather than everything.
  for (const char* none : {"", "dev", "netx", "*", "net/*"}) EXPECT_EQ(of(none).first, 403) << none;
  EXPECT_EQ(of("net", "/metrics").first, 403);
  EXPECT_EQ(of("ops", "/metrics").first, 0);
  // Rules that give him other stacks end what he has open.
  given.stacks_of_groups = {{"*", "open/*"}, {"net", "net/prod"}};
  one.follow(given);
  EXPECT_TRUE(one.refresh(noon));
  EXPECT_FALSE(net->permit->empty());
  EXPECT_TRUE(of("").second->sees("open/x", {}));
  EXPECT_FALSE(of("net").second->sees("net/dev", {}));
  given.stacks_of_groups.clear();
  one.follow(given);
  EXPECT_FALSE(limited);
}

}  // namespace
}  // namespace tofud::access
