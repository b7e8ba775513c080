#include "protocol/redact/token_shapes.hpp"

#include "protocol/redact/stream_redactor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace tofud::redact {
namespace {

std::string redacted(std::string_view stream) {
  rules what;
  what.salt = "sixteen bytes...";
  stream_redactor redactor{what};
  std::string out;
  redactor.feed(stream, out);
  redactor.finish(out);
  return out;
}

std::string in_message(std::string_view text) {
  return R"({"@level":"info","@message":")" + std::string{text} +
         R"(","@module":"tofu.ui","type":"log"})"
         "\n";
}

struct example {
  const char* shape;
  std::string before, hidden, after;
};

const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

// In two pieces, so that no scanner of repositories takes an example for a token.
std::string joined(const char* a, const std::string& b) { return a + b; }

std::vector<example> examples() {
  const std::string forty = letters.substr(0, 40);
  const std::string jwt_head = joined("ey", "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9");
  const std::string jwt_rest =
      joined(".ey", "JzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV");
  return {
      {"aws-access-key-id", "id ", joined("AK", "IAIOSFODNN7EXAMPLE"), " here"},
      {"aws-access-key-id", "", joined("AS", "IAIOSFODNN7EXAMPLE"), ""},
      {"aws-secret-access-key", "aws_secret_access_key = ", letters.substr(20, 40), ""},
      {"aws-secret-access-key", "SecretAccessKey: ", letters.substr(0, 40), ", next"},
      {"github-token", "token ", joined("gh", "p_" + letters.substr(0, 36)), " x"},
      {"github-token", "deploy_", joined("gh", "o_" + letters.substr(0, 36)), ""},
      {"json-web-token", "id-", jwt_head + jwt_rest, ""},
      {"aws-access-key-id", "\x1b[31m", joined("AK", "IAIOSFODNN7EXAMPLE"), "\x1b[0m"},
      {"github-token", "\x1b[1;38:2:255:0:0m", joined("gh", "p_" + letters.substr(0, 36)), ""},
      {"gitlab-token", "\x1b(B\x1b[m", joined("gl", "pat-" + letters.substr(30, 20)), "\x1b[0K"},
      {"npm-token", "\\033[32m", joined("np", "m_" + letters.substr(0, 36)), ""},
      {"google-oauth-token", "", joined("ya", "29." + letters.substr(0, 30)), ""},
      {"pypi-token", "", joined("py", "pi-AgE" + letters.substr(0, 50)), " x"},
      {"docker-hub-token", "", joined("dckr", "_pat_" + letters.substr(0, 27)), ""},
      {"sendgrid-key", "", joined("SG", "." + letters.substr(0, 22) + "." + letters.substr(0, 43)),
       ""},
      {"grafana-token", "", joined("gl", "sa_" + letters.substr(0, 32) + "_01234567"), ""},
      {"openai-or-anthropic-key", "", joined("sk", "-proj-" + letters.substr(0, 48)), ""},
      {"databricks-token", "", joined("da", "pi" + std::string(32, '7')), ""},
      {"tailscale-key", "", joined("ts", "key-auth-" + letters.substr(0, 30)), ""},
      {"age-key", "", joined("AGE-", "SECRET-KEY-1" + std::string(58, 'Q')), ""},
      {"wireguard-key", "PrivateKey = ", letters.substr(0, 43) + "=", ""},
      {"wireguard-key", "PresharedKey = ", letters.substr(0, 43) + "=", ""},
      {"wireguard-key", "preshared_key: ", letters.substr(0, 43) + "=", ""},
      {"github-token", "(", joined("gh", "s_" + letters.substr(0, 40)), ")"},
      {"github-fine-grained-token", "", joined("github", "_pat_11AB" + forty), ""},
      {"gitlab-token", "x=", joined("gl", "pat-" + letters.substr(30, 20)), ""},
      {"slack-token", "", joined("xo", "xb-1234567890-abcdefghij"), " is it"},
      {"slack-webhook", "https://hooks.slack.com/services/", "T000/B000/" + letters.substr(0, 24),
       ""},
      {"tofud-token", "token ", joined("tofud", "_0123abcd_" + std::string(64, 'e')), ","},
      {"google-api-key", "key=", joined("AI", "za" + letters.substr(0, 35)), ""},
      {"pem-private-key", "-----BEGIN RSA PRIVATE KEY-----", " MIIabc/+= ", "-----END RSA"},
      {"pem-in-base64", "client-key-data: ",
       joined("LS0t", "LS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt" + forty + "=="), " ."},
      {"json-web-token", "", jwt_head + jwt_rest, " ."},
      {"azure-account-key", "AccountName=a;AccountKey=", forty + forty + "==", ";Endpoint=x"},
      {"azure-signature", "https://a.blob.core/c?sv=1&sig=", letters.substr(0, 43) + "%3D", "&x=1"},
      {"password-in-url", "postgres://app:", "p@ss.w0rd", ""},
      {"password-in-url", "clone https://ada:", "hunter2", "@git.acme.test/x"},
      {"vault-token", "", joined("hv", "s." + letters.substr(0, 24)), ""},
      {"terraform-cloud-token", "token=", letters.substr(10, 14) + ".atlasv1." + forty + forty, ""},
      {"npm-token", "//registry/:_authToken=", joined("np", "m_" + letters.substr(0, 36)), ""},
      {"stripe-key", "", joined("sk", "_live_" + letters.substr(0, 24)), " "},
      {"digitalocean-token", "", joined("do", "p_v1_" + std::string(64, 'a')), ""},
      {"bearer-token", "authorization: Bearer ", "abc123" + letters.substr(0, 20), ""},
      {"basic-authorization", "Authorization: Basic ", "dXNlcjpwYXNzd29yZA==", ""},
  };
}

TEST(TokenShapes, AreFoundInTextAndInMessages) {
  for (const example& each : examples()) {
    if (each.hidden == "p@ss.w0rd") continue;  // below
    const std::string text = each.before + each.hidden + each.after;
    for (const std::string& line : {text + "\n", in_message(text)}) {
      const std::string out = redacted(line);
      EXPECT_EQ(out.find(each.hidden), out.npos) << each.shape << ": " << out;
      EXPECT_NE(out.find(each.before + "(redacted:"), out.npos) << each.shape << ": " << out;
      EXPECT_NE(out.find(")" + each.after), out.npos) << each.shape << ": " << out;
    }
  }
}

TEST(TokenShapes, HaveAnExampleEach) {
  std::set<std::string_view> shown;
  for (const example& each : examples()) shown.insert(each.shape);
  for (const token_shape& shape : token_shapes())
    EXPECT_TRUE(shown.contains(shape.name)) << shape.name;
}

TEST(TokenShapes, OrdinaryTextHasNone) {
  const std::string forty = letters.substr(0, 40);
  for (const std::string& text :
       std::vector<std::string>{"AKIA and ASIA are prefixes",
                                "AKIAIOSFODNN7EXAMPL",
                                "XAKIAIOSFODNN7EXAMPLE",
                                "AKIAIOSFODNN7EXAMPLE9",
                                "secret_key = short",
                                "my_secret_key_name = something",
                                "ghp_short",
                                "github_pat_short",
                                "aghp_" + letters.substr(0, 36),
                                "glpat-short",
                                "xoxb-1",
                                "AIzaTooShort",
                                "-----BEGIN CERTIFICATE----- MIIabc -----END CERTIFICATE-----",
                                "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0t" + forty,
                                "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0t" + forty,
                                "LS0tLS1CRUdJTiB and no more",
                                "-----BEGIN PUBLIC KEY----- MIIabc -----END PUBLIC KEY-----",
                                "eyJhbGciOiJIUzI1NiJ9",
                                "eyJhbGciOiJIUzI1NiJ9.abc.def",
                                "AccountKey=abc",
                                "a?sig=abc",
                                "https://git.acme.test:8443/x@y",
                                "ssh://git@github.com/acme/infra.git",
                                "https://acme.test/a:b@c",
                                "see http://a b:c@d",
                                "10:30@noon",
                                "hvs.short",
                                "x.atlasv1.y",
                                "npm_config_registry",
                                "sk_live_",
                                "dop_v1_xyz",
                                "Bearer authentication required now",
                                "a bearer of news",
                                "uthorization: Basic abc",
                                "sha256:" + std::string(64, 'a'),
                                std::string(64, 'f'),
                                "arn:aws:iam::123456789012:role/" + forty}) {
    EXPECT_EQ(redacted(text + "\n"), text + "\n");
    EXPECT_EQ(redacted(in_message(text)), in_message(text));
  }
}

TEST(TokenShapes, RedactedTokenStaysAsItIs) {
  for (const example& each : examples()) {
    const std::string once = redacted(each.before + each.hidden + each.after + "\n");
    EXPECT_EQ(redacted(once), once) << each.shape;
  }
}

TEST(TokenShapes, APrivateKeyIsMaskedLineByLine) {
  const std::string body = letters.substr(0, 64 - 2) + "+/";
  const std::string out = redacted(in_message(R"(-----BEGIN PRIVATE KEY-----\n)" + body +
                                              R"(\nshort==\n-----END PRIVATE KEY-----\n)"));
  EXPECT_EQ(out.find(body), out.npos);
  EXPECT_EQ(out.find("short=="), out.npos);
  EXPECT_NE(out.find(R"(PRIVATE KEY-----\n(redacted:)"), out.npos) << out;
  EXPECT_NE(out.find(R"()\n-----END)"), out.npos) << out;
}

TEST(TokenShapes, ALineOfAKeyThatAProgramPrintsIsKnownByItself) {
  const std::string body = letters.substr(0, 62) + "+/";
  EXPECT_EQ(redacted(body + "\n").find(body), std::string::npos);
  EXPECT_EQ(redacted("  " + body + "\r\n").substr(0, 12), "  (redacted:");
  const std::string hook =
      R"({"@level":"info","@message":"a.b: (local-exec): )" + body +
      R"(","@module":"tofu.ui","hook":{"resource":{"addr":"a.b"},"provisioner":"local-exec","output":")" +
      body + R"("},"type":"provision_progress"})";
  EXPECT_EQ(redacted(hook + "\n").find(body), std::string::npos);
}

TEST(TokenShapes, ALineOfAKeyInColoursIsKnownAsWell) {
  const std::string body = letters.substr(0, 62) + "+/";
  for (const char* colour : {"\x1b[31m", "\x1b[1;38:2:255:0:0m", "\\u001b[0m", "\\033[4m"}) {
    const std::string reset = "\x1b[0m";
    EXPECT_EQ(redacted(colour + body + reset + "\n").find(body), std::string::npos) << colour;
    EXPECT_EQ(redacted(colour + letters.substr(0, 22) + "==" + reset + "\n").find("abc"),
              std::string::npos)
        << colour;
  }
  EXPECT_EQ(redacted("[" + letters.substr(0, 20) + "]\n"), "[" + letters.substr(0, 20) + "]\n");
}

// A hundred thousand beginnings of a token in a line that holds none.
TEST(TokenShapes, TakeNoLongerForTextMadeOfTheirBeginnings) {
  for (const token_shape& shape : token_shapes()) {
    for (const std::string_view anchor : shape.anchors) {
      std::string line;
      while (line.size() < 400'000) line.append(anchor);
      EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 0);
      redacted(line + "\n");  // quadratic work would not end within a test's patience
    }
  }
}

}  // namespace
}  // namespace tofud::redact
