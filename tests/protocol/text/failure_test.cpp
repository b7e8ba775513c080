#include "protocol/text/failure.hpp"

#include <gtest/gtest.h>

namespace tofud::tests {
namespace {

enum class error { unreadable, too_large, forgotten };

constexpr auto sentences = text::catalogue<error>(
    {{error::unreadable, "can't read {}: {}"}, {error::too_large, "{} has over {} bytes"}});

std::string_view sentence(error what) { return sentences[what]; }

using text::failure;

TEST(Failure, SaysItsSentenceWithItsDetailsInTheirOrder) {
  const failure gone{error::unreadable, "a.pem", "no such file"};
  EXPECT_TRUE(gone.is(error::unreadable));
  EXPECT_FALSE(gone.is(error::too_large));
  EXPECT_EQ(gone.text(), "can't read a.pem: no such file");
  EXPECT_EQ((failure{error::too_large, "b.pem", 512}.text()), "b.pem has over 512 bytes");
}

enum class another { unreadable };
std::string_view sentence(another) { return "it failed: {}"; }

TEST(Failure, IsOfTheEnumItWasMadeWith) {
  EXPECT_FALSE((failure{another::unreadable, "x"}.is(error::unreadable)));
  EXPECT_TRUE((failure{another::unreadable, "x"}.is(another::unreadable)));
}

TEST(Failure, MayBeADetailOfAnother) {
  EXPECT_EQ((failure{another::unreadable, failure{error::too_large, "b.pem", 512}}.text()),
            "it failed: b.pem has over 512 bytes");
}

TEST(Failure, BracesInADetailStayWhatTheyAre) {
  EXPECT_EQ((failure{error::unreadable, "{}", "{}"}.text()), "can't read {}: {}");
}

TEST(Failure, DetailsThatAreMissingLeaveTheirPlaceAndThoseTooManyArePassedOver) {
  EXPECT_EQ((failure{error::unreadable, "x"}.text()), "can't read x: {}");
  EXPECT_EQ((failure{error::too_large, "x", 1, "y"}.text()), "x has over 1 bytes");
}

TEST(Failure, AValueWithoutASentenceHasAnEmptyOne) {
  EXPECT_EQ(failure{error::forgotten}.text(), "");
}

}  // namespace
}  // namespace tofud::tests
