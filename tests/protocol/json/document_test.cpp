#include "protocol/json/document.hpp"

#include "protocol/json/limits.hpp"
#include "protocol/text/utf8.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace tofud::json {
namespace {

keep keep_all(std::string_view, std::size_t, std::string_view) { return keep::tree; }

// By the name of the key, at whatever depth the parser asks.
keep by_name(std::string_view, std::size_t, std::string_view key) {
  if (key == "raw") return keep::raw;
  if (key == "skip") return keep::skip;
  if (key == "mark") return keep::mark;
  return keep::tree;
}

// Parses with `policy` and writes again what was kept.
struct document {
  explicit document(std::string text, key_policy policy = keep_all)
      : source{std::move(text)}, parser{policy}, error{parser.parse(source)} {}
  value root() const { return parser.root(); }
  std::string json() const {
    std::string out;
    root().append_json(out);
    return out;
  }
  std::string source;
  document_parser parser;
  std::optional<parse_error> error;
};

std::string nested(std::size_t depth, std::string_view open = "[", std::string_view close = "]") {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

// Visits everything; proves that what an error left behind can be read to its end.
std::size_t count_values(value at) {
  std::size_t count = 1;
  for (const value child : at) count += count_values(child);
  return count;
}

TEST(Document, HoldsEveryKindOfValue) {
  const document d{R"({"o":{"x":1},"a":[1,2],"s":"t","n":-7,"t":true,"f":false,"z":null})"};
  ASSERT_FALSE(d.error.has_value());
  const value root = d.root();
  EXPECT_TRUE(root.is(kind::object));
  EXPECT_TRUE(root["o"].is(kind::object));
  EXPECT_TRUE(root["a"].is(kind::array));
  EXPECT_EQ(root["s"].string(), "t");
  EXPECT_EQ(root["n"].integer(), -7);
  EXPECT_TRUE(root["t"].is(kind::boolean_true));
  EXPECT_TRUE(root["f"].is(kind::boolean_false));
  EXPECT_TRUE(root["z"].is(kind::null));
  EXPECT_EQ(root["o"]["x"].text(), "1");
  EXPECT_EQ(d.json(), d.source);
}

TEST(Document, MembersAndElementsComeInOrder) {
  const document d{R"({"b":[10,20,30],"a":{}})"};
  std::vector<std::string_view> keys, elements;
  for (const value member : d.root()) keys.push_back(member.key());
  for (const value element : d.root()["b"]) elements.push_back(element.text());
  EXPECT_EQ(keys, (std::vector<std::string_view>{"b", "a"}));
  EXPECT_EQ(elements, (std::vector<std::string_view>{"10", "20", "30"}));
}

TEST(Document, AMissingMemberIsEmptyAndSafeToRead) {
  const document d{R"({"s":"t"})"};
  const value none = d.root()["no"]["such"]["thing"];
  EXPECT_FALSE(none);
  EXPECT_EQ(none.text(), "");
  EXPECT_EQ(none.key(), "");
  EXPECT_FALSE(none.string().has_value());
  EXPECT_FALSE(none.integer().has_value());
  EXPECT_EQ(count_values(none), 1U);
  std::string out;
  none.append_json(out);
  EXPECT_EQ(out, "");
  EXPECT_FALSE(d.root()["s"]["inside"]);
  EXPECT_FALSE(value{});
}

TEST(Document, AValueHasOneKind) {
  const document d{R"({"s":"7","n":7,"b":true})"};
  EXPECT_FALSE(d.root()["n"].string().has_value());
  EXPECT_FALSE(d.root()["s"].integer().has_value());
  EXPECT_FALSE(d.root()["b"].integer().has_value());
  EXPECT_FALSE(d.root().string().has_value());
}

TEST(Document, NumbersKeepTheirText) {
  for (const char* const number :
       {"0", "-0", "-0.0", "1.0", "0.1", "1e400", "-1E+400", "1e-400", "12345678901234567",
        "0.12345678901234567", "18446744073709551616", "123456789012345678901234567890",
        "-123456789012345678901234567890.5", "1E5", "9007199254740993",
        "3.141592653589793238462643383279"}) {
    const document d{"{\"n\":" + std::string{number} + ",\"raw\":[" + number + "]}", by_name};
    ASSERT_FALSE(d.error.has_value()) << number;
    EXPECT_EQ(d.root()["n"].text(), number);
    EXPECT_EQ(d.root()["raw"].text(), "[" + std::string{number} + "]");
    EXPECT_EQ(d.json(), d.source);
  }
}

TEST(Document, OnlyIntegersThatFitAreIntegers) {
  const auto integer = [](std::string number) { return document{"[" + number + "]"}; };
  EXPECT_EQ((*integer("9223372036854775807").root().begin()).integer(), INT64_MAX);
  EXPECT_EQ((*integer("-9223372036854775808").root().begin()).integer(), INT64_MIN);
  EXPECT_FALSE((*integer("9223372036854775808").root().begin()).integer().has_value());
  EXPECT_FALSE((*integer("1.0").root().begin()).integer().has_value());
  EXPECT_FALSE((*integer("1e3").root().begin()).integer().has_value());
}

TEST(Document, StringsAreUnescaped) {
  const document d{R"({"\u0061\n":"\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00\u0000 <&>"})"};
  ASSERT_FALSE(d.error.has_value());
  const value text = *d.root().begin();
  EXPECT_EQ(text.key(), "a\n");
  const std::string expected{"\"\\/\b\f\n\r\té€😀\0 <&>", 22};
  EXPECT_EQ(text.string(), expected);
}

TEST(Document, StringsWithoutEscapesAreViewsOfTheSource) {
  const document d{R"({"key":"plain"})"};
  const value text = *d.root().begin();
  EXPECT_EQ(text.text().data(), d.source.data() + 8);
  EXPECT_EQ(text.key().data(), d.source.data() + 2);
}

TEST(Document, ManyLongEscapedStringsStayValidUntilTheNextDocument) {
  std::string source = "[";
  for (int i = 0; i < 100; ++i) {
    source += i == 0 ? "" : ",";
    source += "\"" + std::to_string(i) + "\\n" + std::string(5000, 'x') + "\"";
  }
  const document d{source + "]"};
  int i = 0;
  for (const value text : d.root()) {
    EXPECT_EQ(text.string(), std::to_string(i++) + "\n" + std::string(5000, 'x'));
  }
  EXPECT_EQ(i, 100);
}

TEST(Document, LastOfDuplicateKeysWins) {
  const document d{R"({"a":1,"b":2,"a":{"c":3},"a":"last"})"};
  EXPECT_EQ(d.root()["a"].string(), "last");
  EXPECT_EQ(d.root()["b"].integer(), 2);
}

TEST(Document, NestingOfThirtyThreeIsFine) {
  // Boost.JSON's own default stops at 32.
  const document d{nested(33)};
  EXPECT_FALSE(d.error.has_value());
  EXPECT_EQ(count_values(d.root()), 33U);
}

TEST(Document, NestingUpToTheLimitIsReadAndOneMoreIsTooDeep) {
  EXPECT_FALSE(document{nested(limits::json_depth)}.error.has_value());
  EXPECT_EQ(document{nested(limits::json_depth + 1)}.error, parse_error::too_deep);
  EXPECT_EQ(document{nested(100'000)}.error, parse_error::too_deep);
  EXPECT_EQ(document{"{\"skip\":" + nested(100'000) + "}"}.error, parse_error::too_deep);
  EXPECT_EQ((document{"{\"raw\":" + nested(100'000) + "}", by_name}.error), parse_error::too_deep);
}

TEST(Document, MoreValuesThanTheLimitAreTooMany) {
  std::string many = "[0";
  for (std::size_t i = 2; i < limits::json_nodes; ++i) many += ",0";
  EXPECT_FALSE(document{many + "]"}.error.has_value());
  const document more{many + ",0]"};
  EXPECT_EQ(more.error, parse_error::too_many);
  EXPECT_EQ(count_values(more.root()), limits::json_nodes);
}

TEST(Document, RawSkippedAndMarkedValuesCountAgainstTheLimitAsWell) {
  for (const char* const member : {"\"raw\":0", "\"raw\":[]", "\"mark\":0", "\"mark\":{}"}) {
    std::string many = "{\"a\":0";
    for (std::size_t i = 0; i < limits::json_nodes; ++i) many.append(",").append(member);
    EXPECT_EQ((document{many + "}", by_name}.error), parse_error::too_many) << member;
  }
}

TEST(KeepPolicy, RawValuesAreOneTextWithoutSpaces) {
  const document d{
      R"({ "a" : 1, "raw" : { "x" : [ 1.50 , "t\n\u0041" , null ] , "y" : { } } , "b" : [ ] })",
      by_name};
  ASSERT_FALSE(d.error.has_value());
  EXPECT_TRUE(d.root()["raw"].is(kind::raw));
  EXPECT_EQ(d.root()["raw"].text(), R"({"x":[1.50,"t\nA",null],"y":{}})");
  EXPECT_EQ(d.json(), R"({"a":1,"raw":{"x":[1.50,"t\nA",null],"y":{}},"b":[]})");
}

TEST(KeepPolicy, RawScalarsOfEveryKindKeepTheirJson) {
  for (const char* const scalar :
       {"\"t\\\"\"", "1e400", "true", "false", "null", "[]", "{}", "\"\""}) {
    const document d{"{\"raw\":" + std::string{scalar} + ",\"b\":1}", by_name};
    EXPECT_EQ(d.root()["raw"].text(), scalar);
    EXPECT_TRUE(d.root()["raw"].is(kind::raw)) << scalar;
    EXPECT_EQ(d.root()["b"].integer(), 1) << scalar;
  }
}

TEST(KeepPolicy, KeysInsideARawValueAreNotAskedFor) {
  const document d{R"({"raw":{"skip":1,"mark":[2],"raw":{"skip":3}}})", by_name};
  EXPECT_EQ(d.root()["raw"].text(), R"({"skip":1,"mark":[2],"raw":{"skip":3}})");
}

TEST(KeepPolicy, SkippedValuesLeaveNothing) {
  const document d{R"({"skip":{"secret":["x",{"y":1}]},"a":1,"skip":"secret","skip":[],"b":2})",
                   by_name};
  EXPECT_EQ(d.json(), R"({"a":1,"b":2})");
  EXPECT_FALSE(d.root()["skip"]);
  EXPECT_EQ(count_values(d.root()), 3U);
}

TEST(KeepPolicy, MarkedValuesLeaveANull) {
  const document d{R"({"a":1,"mark":{"secret":["x",{"y":1}]},"b":2})", by_name};
  EXPECT_EQ(d.json(), R"({"a":1,"mark":null,"b":2})");
  EXPECT_TRUE(d.root()["mark"].is(kind::null));
}

TEST(KeepPolicy, IsAskedWithDepthAndTopKeyDownToDepthThree) {
  static std::vector<std::string> asked;
  asked.clear();
  const document d{
      R"({"a":{"b":{"c":{"d":1}},"e":[{"f":1}]},"g":1})",
      [](std::string_view top, std::size_t depth, std::string_view key) {
        asked.push_back(std::string{top} + "/" + std::to_string(depth) + "/" + std::string{key});
        return keep::tree;
      }};
  EXPECT_EQ(asked, (std::vector<std::string>{"/1/a", "a/2/b", "a/3/c", "a/2/e", "/1/g"}));
  EXPECT_EQ(d.json(), d.source);
}

TEST(KeepPolicy, NothingOfOneDocumentIsLeftInTheNext) {
  document_parser parser{by_name};
  EXPECT_TRUE(parser.parse(R"({"raw":{"x":[1,"a\n)"));  // breaks off inside the raw value
  EXPECT_FALSE(parser.parse(R"({"b":{"c":"\t"}})").has_value());
  std::string out;
  parser.root().append_json(out);
  EXPECT_EQ(out, R"({"b":{"c":"\t"}})");
  EXPECT_TRUE(parser.parse(R"({"skip":{"x":[1,)"));
  EXPECT_FALSE(parser.parse("[1]").has_value());
  EXPECT_TRUE(parser.root().is(kind::array));
}

// In the manner of JSONTestSuite; texts of our own.
constexpr std::array accepted{"{}",
                              "[]",
                              " {} ",
                              "\t[\r\n]\n",
                              "{}\r",
                              "null",
                              "true",
                              "false",
                              "\"\"",
                              "0",
                              "-0",
                              "1",
                              "-1.5e+10",
                              "1E-2",
                              "[1 , 2]",
                              "[[],{}]",
                              "{\"\":0}",
                              "{\"a\":{\"a\":{}}}",
                              "{\"a\":1,\"a\":1}",
                              "[\"\\u0000\"]",
                              "[\"\\uD834\\udd1e\"]",
                              "[\"\\uFFFF\"]",
                              "[\"/\\/\"]",
                              "[\"\x7f\"]",
                              "[\"\u2028\"]",
                              "[\"\\\\u0000\"]",
                              "[1e400]",
                              "[-1e-400]",
                              "[123456789012345678901234567890]",
                              "[0.00000000000000000000000000001]"};

constexpr std::array rejected{"",
                              " ",
                              "{",
                              "}",
                              "[",
                              "]",
                              "{\"",
                              "{\"a",
                              "{\"a\"",
                              "{\"a\":",
                              "{\"a\":1",
                              "{\"a\":1,",
                              "{\"a\":1,}",
                              "[1,",
                              "[1,]",
                              "[,1]",
                              "[1,,2]",
                              "[1 2]",
                              "{,}",
                              "{\"a\"}",
                              "{\"a\" 1}",
                              "{\"a\"::1}",
                              "{\"a\":1 \"b\":2}",
                              "{a:1}",
                              "{'a':1}",
                              "{1:1}",
                              "{null:1}",
                              "[}",
                              "{]",
                              "[1}",
                              "{\"a\":1]",
                              "{}{}",
                              "[] []",
                              "{} x",
                              "1 2",
                              "1,",
                              "//x\n1",
                              "/**/1",
                              "#1",
                              "+1",
                              "-",
                              "--1",
                              "01",
                              "-01",
                              "1.",
                              ".5",
                              "1.e1",
                              "1e",
                              "1e+",
                              "1e1.5",
                              "0x10",
                              "0e",
                              "1_000",
                              "1a",
                              "NaN",
                              "nan",
                              "Infinity",
                              "-Infinity",
                              "inf",
                              "True",
                              "TRUE",
                              "nul",
                              "nulll",
                              "tru",
                              "undefined",
                              "\"",
                              "\"a",
                              "'a'",
                              "\"a\"b",
                              "\"\\\"",
                              "\"\\x41\"",
                              "\"\\a\"",
                              "\"\\u12\"",
                              "\"\\u12G4\"",
                              "\"\\U00e9\"",
                              "\"\\uD800\"",
                              "\"\\uDC00\"",
                              "\"\\uD800\\uD800\"",
                              "\"\\uD800a\"",
                              "\"\n\"",
                              "\"\t\"",
                              "\"\x01\"",
                              "\"\x1f\"",
                              "[\"\xff\"]",
                              "[\"\xc0\xaf\"]",
                              "[\"\xed\xa0\x80\"]",
                              "[\"\xf4\x90\x80\x80\"]",
                              "[\"\xe2\x82\"]",
                              "\xef\xbb\xbf{}",
                              "\xff",
                              "\xc2\xa0{}",
                              "\f{}",
                              "[\v1]",
                              "{\"\xff\":1}",
                              "[\x31\xff]"};

TEST(Document, ValidJsonIsAccepted) {
  for (const char* const text : accepted) EXPECT_FALSE(document{text}.error.has_value()) << text;
}

TEST(Document, AnythingElseIsASyntaxError) {
  for (const char* const text : rejected)
    EXPECT_EQ(document{text}.error, parse_error::syntax) << text;
  using namespace std::string_literals;
  for (const std::string& text : {"\0"s, "[\0]"s, "{}\0"s, "\"\0\""s}) {
    EXPECT_EQ(document{text}.error, parse_error::syntax);
  }
}

TEST(Document, CutAnywhereItFailsAndWhatWasReadIteratesSafely) {
  const std::string whole =
      R"({"a":[1,{"b":"x\n"},[]],"raw":{"y":["\u20ac",2]},"skip":[{"s":1}],"mark":{"m":[]},"c":{"d":{"e":{"f":1}}}})";
  ASSERT_FALSE((document{whole, by_name}.error.has_value()));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const document d{whole.substr(0, size), by_name};
    EXPECT_EQ(d.error, parse_error::syntax) << size;
    EXPECT_LE(count_values(d.root()), 20U) << size;
    std::string out;
    d.root().append_json(out);
    boost::system::error_code ec;
    boost::json::parse(d.root() ? out : "null", ec);
    EXPECT_FALSE(ec) << out;
  }
}

TEST(Document, RandomlyDamagedTextNeverGivesUnreadableValues) {
  const std::string whole =
      R"({"a":[1,{"b":"x\n"}],"raw":{"y":["\u20ac",2]},"skip":[1],"mark":{"m":[]}})";
  std::mt19937 random{3};
  document_parser parser{by_name};
  for (int i = 0; i < 20'000; ++i) {
    std::string text = whole;
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
      text[random() % text.size()] = "{}[]\",:\\0a\n\xe2"[random() % 12];
    }
    const bool good = !parser.parse(text);
    std::string out;
    parser.root().append_json(out);
    boost::system::error_code ec;
    boost::json::parse(text, ec);
    ASSERT_EQ(good, !ec) << text;
    if (parser.root()) {
      boost::json::parse(out, ec);
      ASSERT_FALSE(ec) << text << " gave " << out;
    }
    ASSERT_TRUE(text::valid_utf8(out)) << text;
  }
}

TEST(Document, ErrorsHaveASentence) {
  for (const parse_error error :
       {parse_error::syntax, parse_error::too_deep, parse_error::too_many}) {
    EXPECT_NE(describe(error), "");
  }
}

}  // namespace
}  // namespace tofud::json
