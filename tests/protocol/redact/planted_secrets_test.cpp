// Secrets in every kind of place, and what has to stay as it is around them.
#include "protocol/json/quote.hpp"
#include "protocol/redact/stream_redactor.hpp"
#include "protocol/ui/parse_message.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::redact {
namespace {

rules with(std::vector<std::string> values,
           provisioner_output provisioners = provisioner_output::mask) {
  rules what;
  what.salt = "sixteen bytes...";
  what.provisioners = provisioners;
  for (std::string& value : values) what.secrets.push_back({"NAME", std::move(value)});
  return what;
}

std::string redacted(const rules& what, std::string_view stream) {
  stream_redactor redactor{what};
  std::string out;
  redactor.feed(stream, out);
  redactor.finish(out);
  return out;
}

std::string message(std::string_view members) {
  return R"({"@level":"info","@message":"m","@module":"tofu.ui",)" + std::string{members} + "}\n";
}

std::string in_json(std::string_view text) {
  std::string out;
  json::append_quoted(out, text);
  return out;
}

const std::string secret_text = "hunter2 \"quoted\" \xC3\xBC/\\x";
const std::string shown = mask_of("sixteen bytes...", secret_text);

TEST(PlantedSecrets, AreRedactedInEveryJsonSpelling) {
  const rules what = with({secret_text});
  for (const std::string& written : std::vector<std::string>{
           R"(hunter2 \"quoted\" ü/\\x)", R"(\u0068unter2 \"quoted\" \u00fc\/\\x)",
           R"(hunter\u0032\u0020\u0022quoted\" ü\/\u005cx)"}) {
    EXPECT_EQ(redacted(what, message(R"("type":"x","v":"a )" + written + R"( b")")),
              message(R"("type":"x","v":"a )" + shown + R"( b")"))
        << written;
  }
}

// A line whose escapes stand for no byte that is searched for is searched once; one with a percent
// sign, in every way there is. What is found must be the same.
TEST(PlantedSecrets, AreFoundWhateverTheOtherEscapesOfTheirLineStandFor) {
  const auto what =
      std::make_shared<const ready_rules>(with({"pass\"word\"1", "a1\nb2\nc3\nd4", "hunter2"}));
  stream_redactor redactor{what};
  const auto one_line = [&redactor](const std::string& line) {
    std::string out;
    redactor.feed(line, out);
    return out;
  };
  const std::string percent = R"(,"z":"%7a")";
  constexpr std::string_view pieces[] = {
      R"(\")",
      R"(\n)",
      R"(\t)",
      R"(\\)",
      R"(\/)",
      R"(pass\"word\"1)",
      R"(pass\\\"word\\\"1)",
      R"(a1\nb2\nc3\nd4)",
      R"(a1\\nb2\\nc3\\nd4)",
      "hunter2",
      "AccountKey=",
      "secret_access_key",
      "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY00",
      "ghp_",
      "0123456789abcdefghijABCDEFGHIJ456789",
      "%32",
      R"(module.a[\"b\"].c)",
      R"(","state":{"a":1},"b":")",
      R"(","st\u0061te":{"a":1},"b":")",
      R"(\"output\":\"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\")",
      "://user:",
      "@host",
  };
  std::mt19937 chance{20261128};
  int masked = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = R"("type":"x","v":")";
    for (auto left = 2 + chance() % 7; left > 0; --left)
      text += pieces[chance() % std::size(pieces)];
    text += '"';
    const std::string once = one_line(message(text));
    const std::string in_every_way = one_line(message(text + percent));
    ASSERT_EQ(in_every_way, once.substr(0, once.size() - 2) + percent + "}\n") << text;
    masked += once == message(text) ? 0 : 1;
  }
  EXPECT_GT(masked, 2'000);
  EXPECT_LT(masked, 18'000);
}

TEST(PlantedSecrets, AreMaskedInJsonThatStandsInAString) {
  const rules what = with({secret_text});
  const std::string inner = R"({"password":)" + in_json(secret_text) + "}";
  for (const std::string& text : {inner, in_json(inner)}) {
    const std::string out = redacted(what, message(R"("v":)" + in_json(text)));
    EXPECT_NE(out.find("(redacted:"), out.npos) << out;
    EXPECT_EQ(out.find("hunter2"), out.npos) << out;
  }
}

TEST(PlantedSecrets, AreMaskedInBase64AndInUrls) {
  const rules what = with({"hunter2?!>>"});
  for (const char* written : {"aHVudGVyMj8hPj4=", "aHVudGVyMj8hPj4", "aHVudGVyMj8hPj4K",
                              "hunter2%3F%21%3E%3E", "hunter2%3f!%3E>"}) {
    const std::string line = std::string{"x "} + written + " y\n";
    const std::string out = redacted(what, line);
    EXPECT_EQ(out.substr(0, 12), "x (redacted:") << out;
    EXPECT_EQ(out.substr(out.size() - 4), ") y\n") << out;
  }
  EXPECT_EQ(redacted(with({"\xFB\xFF\xBEsecret"}), "-_--c2VjcmV0\n").substr(0, 10), "(redacted:");
}

TEST(PlantedSecrets, AreMaskedInTheBase64OfMoreThanThem) {
  const std::string value = "hunter2?!>>";
  const rules what = with({value});
  for (const std::string before : {"u:", "us:", "use:", "user:", "{\"auths\":{\"", ""}) {
    for (const char* after : {"", "\n", "\"}", " and so on"}) {
      const std::string whole = before + value + after;
      std::string encoded(4 * ((whole.size() + 2) / 3) + 1, '\0');
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                      reinterpret_cast<const unsigned char*>(whole.data()),
                      static_cast<int>(whole.size()));
      encoded.pop_back();
      std::string for_urls = encoded;
      std::replace(for_urls.begin(), for_urls.end(), '+', '-');
      std::replace(for_urls.begin(), for_urls.end(), '/', '_');
      for (const std::string& written : {encoded, for_urls}) {
        const std::string out = redacted(what, "auth " + written + " end\n");
        EXPECT_NE(out.find("(redacted:"), out.npos) << out;
        EXPECT_EQ(out.substr(out.size() - 6), ") end\n") << out;
        // Of the value's own characters none is left, less those that it shares with what stands
        // before it.
        const std::size_t seen = out.find("(redacted:") - 5;
        EXPECT_LE(seen, 8 * before.size() / 6 + 2) << out;
      }
    }
  }
}

TEST(PlantedSecrets, AreMaskedInBase64ThatIsBrokenIntoLines) {
  std::string value;
  for (int i = 0; i < 40; ++i) value += "line " + std::to_string(i * 7919) + "?>\n";
  const rules what = with({value});
  std::string encoded(4 * ((value.size() + 2) / 3) + 1, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                  reinterpret_cast<const unsigned char*>(value.data()),
                  static_cast<int>(value.size()));
  encoded.pop_back();
  for (const std::size_t width : {64U, 76U}) {
    for (std::size_t at = 0; at + 16 < encoded.size(); at += width) {
      const std::string line = encoded.substr(at, width);
      for (const std::string& printed :
           {line + "\n", message(R"("type":"x","v":)" + in_json("  " + line))}) {
        const std::string out = redacted(what, printed);
        EXPECT_NE(out.find("(redacted:"), out.npos) << out;
        EXPECT_EQ(out.find(line.substr(0, 12)), out.npos) << out;
      }
    }
  }
}

TEST(PlantedSecrets, MultilineSecretIsRedactedLineByLine) {
  const std::string value = "first line of it\nab\n  the third line\n";
  const rules what = with({value});
  const std::string out = redacted(what, message(R"("v":)" + in_json("<" + value + ">")));
  EXPECT_EQ(out, message(R"("v":"<)" + mask_of(what.salt, "first line of it") + R"(\n)" +
                         mask_of(what.salt, "ab") + R"(\n)" +
                         mask_of(what.salt, "  the third line") + R"(\n>")"));
  // One by one the short line can't be told from any other.
  EXPECT_EQ(redacted(what, "the third line\r\nab\n"),
            mask_of(what.salt, "the third line") + "\r\nab\n");
}

TEST(PlantedSecrets, AreRedactedInEveryMemberWithForeignText) {
  const rules what = with({"hunter22"});
  const std::string hidden = mask_of(what.salt, "hunter22");
  for (
      const std::string& members : std::vector<std::string>{
          R"("type":"apply_start","hook":{"resource":{"addr":"a.b[\"hunter22\"]","module":"module.hunter22","resource":"a.hunter22","implied_provider":"hunter22","resource_type":"hunter22","resource_name":"hunter22","resource_key":"hunter22"},"action":"create","id_key":"hunter22","id_value":"x hunter22"})",
          R"("type":"provision_progress","hook":{"resource":{"addr":"a.b"},"provisioner":"hunter22","output":"echo hunter22"})",
          R"("type":"planned_change","change":{"resource":{"addr":"a.hunter22"},"previous_resource":{"addr":"b.hunter22"},"action":"move","reason":"x hunter22"})",
          R"("type":"diagnostic","diagnostic":{"severity":"error","summary":"a hunter22","detail":"b\nhunter22\n","address":"a.hunter22","range":{"filename":"hunter22.tf","start":{"line":1,"column":2,"byte":3}},"snippet":{"context":"hunter22","code":"x = \"hunter22\"\ny = 1","start_line":1,"highlight_start_offset":0,"highlight_end_offset":1,"values":[{"traversal":"hunter22","statement":"is \"hunter22\""}],"function_call":{"hunter22":["hunter22"]}}})",
          R"("type":"outputs","outputs":{"hunter22":{"sensitive":false,"type":"string","value":"hunter22"},"b":{"sensitive":false,"type":["object",{"hunter22":"string"}],"value":{"hunter22":["hunter22"]},"deprecated":"hunter22"}})",
          R"("type":"test_run","test_run":{"path":"hunter22","run":"hunter22","status":"pass"})",
          R"("type":"test_abstract","test_abstract":{"hunter22":["hunter22"]})",
          R"("type":"of_a_later_version","hunter22":{"hunter22":"hunter22"},"action":"hunter22")",
          R"("@testfile":"hunter22","@testrun":"hunter22","type":"hunter22","@timestamp":"hunter22")",
      }) {
    std::string wanted = members;
    std::size_t count = 0;
    for (std::size_t at = 0; (at = wanted.find("hunter22", at)) != wanted.npos; ++count) {
      wanted.replace(at, 8, hidden);
    }
    ASSERT_GT(count, 0U);
    EXPECT_EQ(redacted(what, message(members)), message(wanted));
  }
}

TEST(PlantedSecrets, KeywordsOfTheProtocolStay) {
  const rules what = with({"create", "planned_change", "tofu.ui", "resource", "2026-11-21",
                           "@level", "diagnostic", "warning", "cannot_update", "addr\":\""});
  const std::string line =
      R"({"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-11-21T05:24:25.903178Z","change":{"resource":{"addr":"a.b"},"action":"create","reason":"cannot_update"},"type":"planned_change"})"
      "\n";
  EXPECT_EQ(redacted(what, line), line);
}

TEST(PlantedSecrets, NumbersOfTheProtocolStay) {
  const rules what = with({"123456"});
  EXPECT_EQ(
      redacted(what,
               message(R"("changes":{"add":123456,"operation":"plan"},"type":"change_summary")")),
      message(R"("changes":{"add":123456,"operation":"plan"},"type":"change_summary")"));
}

TEST(PlantedSecrets, SecretInANestedAddressIsRedactedInEachPart) {
  const rules what = with({"called from", "data.c[0]"});
  EXPECT_EQ(
      redacted(
          what,
          message(
              R"("diagnostic":{"severity":"error","summary":"s","address":"action.a, called from data.c[0]"},"type":"diagnostic")")),
      message(
          R"("diagnostic":{"severity":"error","summary":"s","address":"action.a, called from )" +
          mask_of(what.salt, "data.c[0]") + R"("},"type":"diagnostic")"));
}

TEST(PlantedSecrets, NumericSecretIsRedactedAsANumber) {
  const rules what = with({"123456"});
  EXPECT_EQ(
      redacted(
          what,
          message(
              R"("outputs":{"pin":{"sensitive":false,"type":"number","value":123456}},"type":"outputs")")),
      message(R"("outputs":{"pin":{"sensitive":false,"type":"number","value":")" +
              mask_of(what.salt, "number 123456") + R"("}},"type":"outputs")"));
}

TEST(PlantedSecrets, SecretInTextBeforeAMessageKeepsTheMessage) {
  const rules what = with({"hunter22"});
  const std::string hidden = mask_of(what.salt, "hunter22");
  EXPECT_EQ(redacted(what, "say {hunter22" + message(R"("type":"x","v":"hunter22")")),
            "say {" + hidden + message(R"("type":"x","v":")" + hidden + R"(")"));
}

TEST(PlantedSecrets, RedactedTextNeverBecomesAMessage) {
  // What is no JSON because of the secret would be a message without it.
  const rules what = with({"\\secret"});
  const std::string line = R"({"@level":"info","@message":"\secret","@module":"tofu.ui"})";
  const std::string out = redacted(what, line + "\n");
  EXPECT_EQ(out, mask_of(what.salt, line) + "\n");
}

TEST(PlantedSecrets, SecretInOtherJsonIsRedactedAsText) {
  const rules what = with({"hunter22"});
  EXPECT_EQ(redacted(what, "{\"@module\":\"http\",\"h\":\"\\u0068unter22\"}\n"),
            "{\"@module\":\"http\",\"h\":\"" + mask_of(what.salt, "\\u0068unter22") + "\"}\n");
}

TEST(PlantedSecrets, SecretBesideInvalidUtf8IsRedacted) {
  const rules what = with({"hunter22", "pass\xFFword"});
  EXPECT_EQ(
      redacted(what, "\xFE hunter22 pass\xFFword\n"),
      "\xFE " + mask_of(what.salt, "hunter22") + " " + mask_of(what.salt, "pass\xFFword") + "\n");
  const std::string out = redacted(what, message("\"v\":\"\xFE hunter22 pass\xFFword\""));
  EXPECT_EQ(out.find("hunter22"), out.npos);
  EXPECT_EQ(out.find("word"), out.npos) << out;
}

TEST(PlantedSecrets, TooShortSecretIsNotRedacted) {
  EXPECT_EQ(redacted(with({"true", "prod", "1", ""}), "true prod 1\n"), "true prod 1\n");
}

TEST(StateDump, BecomesOneLineWithoutTheState) {
  const std::string before =
      R"({"@level":"info","@message":"Emergency state dump","@module":"tofu.ui","state":)";
  const std::string after = R"(,"type":"log"})";
  EXPECT_EQ(redacted(with({}), before + R"({"version":4,"s":["}\"{",{"a":1}]})" + after + "\n"),
            before + "null" + after + "\n");
}

TEST(Payloads, StateAndTestDocumentsBecomeNull) {
  EXPECT_EQ(
      redacted(
          with({}),
          message(
              R"("diagnostic":{"severity":"error","summary":"s","detail":"","difference":{"before":"x","after":["y"]},"range":null},"type":"diagnostic")")),
      message(
          R"("diagnostic":{"severity":"error","summary":"s","detail":"","difference":null,"range":null},"type":"diagnostic")"));
  EXPECT_EQ(
      redacted(
          with({}),
          message(
              R"("change":{"resource":{"addr":"a"},"action":"import","importing":{"id":"x"},"generated_config":"resource \"a\" {}"},"type":"planned_change")")),
      message(
          R"("change":{"resource":{"addr":"a"},"action":"import","importing":null,"generated_config":null},"type":"planned_change")"));
  EXPECT_EQ(redacted(with({}),
                     message(R"("test_plan" : {"a":[1,2]} ,"test_state":"x","type":"test_plan")")),
            message(R"("test_plan" : null ,"test_state":null,"type":"test_plan")"));
}

TEST(Payloads, SensitiveOutputIsRedactedWhereverItsMarkStands) {
  EXPECT_EQ(
      redacted(
          with({}),
          message(
              R"("outputs":{"a":{"value":[1],"sensitive":true},"b":{"sensitive":false,"value":2},"c":{"sensitive" : true,"value":{"x":"}"}}},"type":"outputs")")),
      message(
          R"("outputs":{"a":{"value":null,"sensitive":true},"b":{"sensitive":false,"value":2},"c":{"sensitive" : true,"value":null}},"type":"outputs")"));
}

TEST(ProvisionerOutput, IsLeftOutWhereAllOfItIsDropped) {
  const rules what = with({}, provisioner_output::drop);
  const auto hook = [](const std::string& said, const std::string& output) {
    return R"({"@level":"info","@message":")" + said +
           R"(","@module":"tofu.ui","hook":{"resource":{"addr":"a.b"},"provisioner":"local-exec","output":")" +
           output + R"("},"type":"provision_progress"})" + "\n";
  };
  EXPECT_EQ(redacted(what, hook("a.b: (local-exec): text", "text")),
            hook("(left out)", "(left out)"));
  const auto action = [](const std::string& said) {
    return R"({"@level":"info","@message":")" + said +
           R"(","@module":"terraform.ui","type":"action_progress"})" + "\n";
  };
  EXPECT_EQ(redacted(what, action(R"(one\n\ntwo\n)")), action(R"((left out)\n\n(left out)\n)"));
  const auto failed = [](const std::string& output) {
    return message(
        R"("diagnostic":{"severity":"error","summary":"local-exec provisioner error","detail":"Error running command 'x': exit status 3. Output: )" +
        output + R"("},"type":"diagnostic")");
  };
  EXPECT_EQ(redacted(what, failed(R"(text\n)")), failed("(left out)"));
}

TEST(LinesTooDeep, AreStillTooDeepAndHoldNoSecret) {
  const rules what = with({"hunter22"});
  const std::string line = R"({"@level":"info","@message":"m hunter22","@module":"tofu.ui","a":)" +
                           std::string(2000, '[') + R"("\u0068unter22)";
  const std::string out = redacted(what, line + "\n");
  EXPECT_EQ(out.find("hunter22"), out.npos);
  EXPECT_EQ(out.find("\\u0068"), out.npos);
  ui::message_parser parser;
  EXPECT_TRUE(
      std::holds_alternative<ui::malformed>(parser.parse(out.substr(0, out.size() - 1)).body));
  EXPECT_EQ(parser.parse(out.substr(0, out.size() - 1)).head->text,
            "m " + mask_of(what.salt, "hunter22"));
}

TEST(TornLines, ATornLineWithASecretIsRedacted) {
  const rules what = with({"hunter22-and-more"});
  const std::string clean = R"({"@level":"info","@mess)";
  EXPECT_EQ(redacted(what, clean), clean);
  for (const std::string& torn : {clean + "hunter22-and-more", clean + "age\":\"hunter22"}) {
    EXPECT_EQ(redacted(what, torn), "{" + std::string(torn.size() - 1, ' '));
  }
  EXPECT_EQ(redacted(what, "text hunter22-"), "text " + mask_of(what.salt, "hunter22-"));
}

TEST(LinesOfFullLength, NeverBecomeLongerThanALineMayBe) {
  const rules what = with({"hunter2"});
  stream_redactor redactor{what, 40};
  std::string out;
  redactor.feed("hunter2 hunter2 hunter2 hunter2 hunter2\n", out);
  EXPECT_LE(out.size(), 41U);
  EXPECT_EQ(out.find("hunter2"), out.npos);
}

}  // namespace
}  // namespace tofud::redact
