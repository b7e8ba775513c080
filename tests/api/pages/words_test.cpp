#include "daemon/api/pages/words.hpp"

#include <gtest/gtest.h>

using namespace tofud;
using namespace tofud::pages;
using namespace std::chrono_literals;

TEST(PageWords, AgeHasOneUnit) {
  EXPECT_EQ(age_text(-5s), "0 s");
  EXPECT_EQ(age_text(59s), "59 s");
  EXPECT_EQ(age_text(60s), "1 min");
  EXPECT_EQ(age_text(59min), "59 min");
  EXPECT_EQ(age_text(47h), "47 h");
  EXPECT_EQ(age_text(49h), "2 d");
}

TEST(PageWords, ChangesAreWrittenAsInAPlan) {
  EXPECT_EQ(changes_text(std::nullopt), "");
  EXPECT_EQ(changes_text(feed::change_counts{3, 1, 0, 2, 0}), "+3 ~1 -2");
  EXPECT_EQ(changes_text(feed::change_counts{0, 0, 0, 0, 0}), "");
  EXPECT_EQ(changes_text(feed::change_counts{0, 0, 2, 0, 1}), "2 imported, 1 forgotten");
}

TEST(PageWords, EveryStatusHasASignOfItsOwn) {
  for (std::size_t a = 0; a < feed::run_statuses; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_NE(sign_of(static_cast<feed::run_status>(a)),
                sign_of(static_cast<feed::run_status>(b)));
    }
  }
}
