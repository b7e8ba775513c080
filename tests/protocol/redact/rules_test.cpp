#include "protocol/redact/rules.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::redact {
namespace {

rules example() {
  return {{{"MY_TOKEN", "s3cr3t\n\xFF"}, {"mask-file", "zwei"}},
          std::string("\0salt\xFF", 6),
          provisioner_output::drop};
}

TEST(MaskFile, ReadsWhatWasWritten) {
  const std::string text = to_mask_file(example());
  EXPECT_EQ(text.back(), '\n');
  const auto read = parse_mask_file(text);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, example());
}

TEST(MaskFile, OtherVersionIsRefused) {
  EXPECT_EQ(
      parse_mask_file(R"({"tofud_mask":9})").error().text(),
      "this rules file has version 9, but this tofud knows version 2: use the tofud that wrote it");
}

TEST(MaskFile, OtherDocumentIsRefusedWithTheReason) {
  const std::string begin = "this is not a rules file of tofud: ";
  const std::string head = R"({"tofud_mask":2,"salt":"00","provisioner_output":"mask")";
  EXPECT_EQ(parse_mask_file("").error().text(), begin + "it is not a JSON object");
  EXPECT_EQ(parse_mask_file("{}").error().text(), begin + "\"tofud_mask\" is not a version");
  EXPECT_EQ(parse_mask_file(R"({"tofud_mask":2})").error().text(),
            begin + "\"salt\" is not a string");
  EXPECT_EQ(parse_mask_file(R"({"tofud_mask":2,"salt":"0"})").error().text(),
            begin + "\"salt\" is not hexadecimal");
  EXPECT_EQ(parse_mask_file(R"({"tofud_mask":2,"salt":"00"})").error().text(),
            begin + "\"provisioner_output\" is neither \"mask\" nor \"drop\"");
  EXPECT_EQ(parse_mask_file(head + "}").error().text(), begin + "\"secrets\" is not a list");
  EXPECT_EQ(parse_mask_file(head + R"(,"secrets":[7]})").error().text(),
            begin + "a secret has no \"name\" and \"value\"");
  EXPECT_EQ(parse_mask_file(head + R"(,"secrets":[{"name":"a","value":"xyz"}]})").error().text(),
            begin + "the \"value\" of a secret is not hexadecimal");
}

TEST(Digest, IsOverNamesAndNeverOverValues) {
  rules other = example();
  for (secret& each : other.secrets) each.value = "another value";
  other.salt = "other salt";
  EXPECT_EQ(digest(other), digest(example()));
  EXPECT_EQ(digest(other).substr(0, 7), "sha256:");
  EXPECT_EQ(digest(other).size(), 7U + 64U);
  other.secrets.back().name = "OTHER";
  EXPECT_NE(digest(other), digest(example()));
  rules masks = example();
  masks.provisioners = provisioner_output::mask;
  EXPECT_NE(digest(masks), digest(example()));
}

TEST(Digest, NewlineInANameChangesTheDigest) {
  rules one{{{"a\nb", "x"}}, "", {}};
  rules two{{{"a", "x"}, {"b", "x"}}, "", {}};
  EXPECT_NE(digest(one), digest(two));
}

TEST(MaskOf, DependsOnTextAndSalt) {
  EXPECT_EQ(mask_of("salt", "value"), mask_of("salt", "value"));
  EXPECT_NE(mask_of("salt", "value"), mask_of("salt", "other"));
  EXPECT_NE(mask_of("salt", "value"), mask_of("pepper", "value"));
  EXPECT_EQ(mask_of("salt", "value").size(), std::string{"(redacted:ab12cd)"}.size());
}

}  // namespace
}  // namespace tofud::redact
