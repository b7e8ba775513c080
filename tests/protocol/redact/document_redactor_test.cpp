#include "protocol/redact/document_redactor.hpp"

#include "protocol/redact/stream_redactor.hpp"

#include <gtest/gtest.h>

namespace tofud::redact {
namespace {

rules with(std::vector<std::string> values) {
  rules what;
  what.salt = "sixteen bytes...";
  for (std::string& value : values) what.secrets.push_back({"NAME", std::move(value)});
  return what;
}

std::string redacted(const rules& what, std::string_view document) {
  return redacted_document(document, std::make_shared<const ready_rules>(what));
}

std::string mask(const rules& what, std::string_view text) { return mask_of(what.salt, text); }

TEST(DocumentRedactor, ADocumentWithoutSecretsStaysAsItIs) {
  const std::string document = "{ \"a\" : [1e400, \"\\u00fc\\/\"],\n\"b\":null}\n";
  EXPECT_EQ(redacted(with({"hunter2"}), document), document);
}

TEST(DocumentRedactor, ASecretIsMaskedInValuesAndKeysEscapedOrNot) {
  const rules what = with({"say \"hunter2\""});
  const std::string hidden = mask(what, "say \"hunter2\"");
  EXPECT_EQ(redacted(what, R"({"after":{"say \"hunter2\"":["a say \u0022hunter2\" b"]}})"),
            R"({"after":{")" + hidden + R"(":["a )" + hidden + R"( b"]}})");
}

TEST(DocumentRedactor, ANumberBecomesTextUnlessTheFormatNeedsIt) {
  const rules what = with({"123456"});
  EXPECT_EQ(redacted(what, R"({"line":123456,"after":{"line":123456}})"),
            R"({"line":123456,"after":{"line":")" + mask(what, "number 123456") + R"("}})");
}

TEST(DocumentRedactor, KeywordsOfTheFormatsStay) {
  const rules what = with({"delete", "managed", "address", "string"});
  const std::string kept =
      R"({"address":"a.b","mode":"managed","type":["list","string"],"change":{"actions":["delete"]}})";
  EXPECT_EQ(redacted(what, kept), kept);
  EXPECT_EQ(redacted(what, R"({"after":{"mode":"managed"},"mode":"hunter delete"})"),
            R"({"after":{"mode":")" + mask(what, "managed") + R"("},"mode":"hunter )" +
                mask(what, "delete") + R"("})");
}

// Rows of the stream are found by it.
TEST(DocumentRedactor, AddressesAreRedactedAsInTheStream) {
  const rules what = with({"hunter2"});
  const auto line = [](std::string_view address) {
    return R"({"@level":"info","@message":"m","hook":{"resource":{"addr":")" +
           std::string{address} + R"("}},"type":"apply_start"})";
  };
  const std::string address = R"(aws_vpc.a[\"hunter2\"])";
  stream_redactor stream{what};
  std::string out;
  stream.feed(line(address) + "\n", out);
  const std::string document = redacted(what, R"({"address":")" + address + R"("})");
  const std::string masked = document.substr(12, document.size() - 14);
  EXPECT_EQ(out, line(masked) + "\n");
}

TEST(DocumentRedactor, RedactingTwiceChangesNothing) {
  const rules what = with({"hunter2", "123456"});
  const std::string once = redacted(what, R"({"after":{"hunter2":"x hunter2","n":123456}})");
  EXPECT_EQ(redacted(what, once), once);
}

// A line may end in the middle of a document; what it holds is masked all the same.
TEST(DocumentRedactor, LinesAreRedactedOneByOne) {
  const rules what = with({"hunter2"});
  const std::string document =
      "{\"resource_changes\":[\n{\"after\":\"hunter2\"},\n{\"after\":[7]}\n]}\n";
  std::string out = redacted(what, document);
  EXPECT_EQ(out, "{\"resource_changes\":[\n{\"after\":\"" + mask(what, "hunter2") +
                     "\"},\n{\"after\":[7]}\n]}\n");
}

}  // namespace
}  // namespace tofud::redact
