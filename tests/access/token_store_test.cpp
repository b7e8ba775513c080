#include "daemon/access/token_store.hpp"

#include "tests/access/scratch_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sys/stat.h>

namespace tofud::access {
namespace {

const time noon{std::chrono::hours{1'000'000}};

class TokenStore : public testing::Test {
 protected:
  tests::scratch_file file_;
  token_store store_{file_.path()};
};

TEST_F(TokenStore, FindsATokenByItsWholeText) {
  const std::string text = file_.add({true, false, true}, noon);
  EXPECT_EQ(store_.find(text, noon), nullptr);  // not yet read
  EXPECT_FALSE(store_.refresh(noon));
  const auto found = store_.find(text, noon);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->may, (scopes{true, false, true}));
  EXPECT_FALSE(found->is_owner);
  EXPECT_TRUE(found->permit->empty());
  std::string wrong = text;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  EXPECT_EQ(store_.find(wrong, noon), nullptr);
  EXPECT_EQ(store_.find("tofud_ffffffff_" + text.substr(15), noon), nullptr);
}

TEST_F(TokenStore, TheEndOfATokenIsReportedOnce) {
  const std::string text = file_.add({true, false, false}, noon);
  store_.refresh(noon);
  const auto permit = store_.find(text, noon)->permit;
  file_.change([](auto& all) { all.front().revoked = true; });
  EXPECT_TRUE(store_.refresh(noon));
  EXPECT_EQ(*permit, "the token was revoked");
  EXPECT_EQ(store_.find(text, noon), nullptr);
  EXPECT_FALSE(store_.refresh(noon));
}

TEST_F(TokenStore, ATokenExpiresWithoutAChangeOfTheFile) {
  const auto later = noon + std::chrono::seconds{10};
  const std::string text = file_.add({true, false, false}, noon, later);
  store_.refresh(noon);
  const auto permit = store_.find(text, noon)->permit;
  EXPECT_EQ(store_.find(text, later), nullptr);  // at once, whenever it is refreshed
  EXPECT_FALSE(store_.refresh(later - std::chrono::seconds{1}));
  EXPECT_TRUE(store_.refresh(later));
  EXPECT_EQ(*permit, "the token has expired");
}

TEST_F(TokenStore, ConnectionsOfATokenStayWhenOthersChange) {
  const std::string text = file_.add({true, false, false}, noon);
  store_.refresh(noon);
  const auto permit = store_.find(text, noon)->permit;
  const std::string other = file_.add({false, true, false}, noon);
  EXPECT_FALSE(store_.refresh(noon));
  EXPECT_TRUE(permit->empty());
  EXPECT_TRUE(store_.find(other, noon));
}

TEST_F(TokenStore, ARemovedOrChangedTokenEndsItsConnections) {
  const std::string text = file_.add({true, false, true}, noon);
  store_.refresh(noon);
  const auto first = store_.find(text, noon)->permit;
  file_.change([](auto& all) { all.front().may.raw = false; });
  EXPECT_TRUE(store_.refresh(noon));
  EXPECT_FALSE(first->empty());
  const auto second = store_.find(text, noon);
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->may.raw);
  file_.change([](auto& all) { all.clear(); });
  EXPECT_TRUE(store_.refresh(noon));
  EXPECT_FALSE(second->permit->empty());
}

TEST_F(TokenStore, AnUnreadableFileAdmitsNoToken) {
  const std::string text = file_.add({true, false, false}, noon);
  store_.refresh(noon);
  const auto permit = store_.find(text, noon)->permit;
  std::filesystem::remove(file_.path());
  std::filesystem::create_directory(file_.path());
  EXPECT_TRUE(store_.refresh(noon));
  EXPECT_FALSE(permit->empty());
  EXPECT_EQ(store_.take_complaints().size(), 1U);
  store_.refresh(noon);
  EXPECT_TRUE(store_.take_complaints().empty());
}

TEST_F(TokenStore, AFileThatOthersMayWriteAdmitsNoToken) {
  const std::string text = file_.add({true, false, false}, noon);
  store_.refresh(noon);
  ASSERT_TRUE(store_.find(text, noon));
  ASSERT_EQ(::chmod(file_.path().c_str(), 0660), 0);
  EXPECT_TRUE(store_.refresh(noon));
  EXPECT_FALSE(store_.find(text, noon));
  EXPECT_EQ(store_.take_complaints().size(), 1U);
  ASSERT_EQ(::chmod(file_.path().c_str(), 0600), 0);
  store_.refresh(noon);
  EXPECT_TRUE(store_.find(text, noon));
}

TEST_F(TokenStore, ATokenThatReachesOtherRunsEndsItsConnections) {
  const std::string text = file_.add({true, false, false}, noon);
  store_.refresh(noon);
  const auto first = store_.find(text, noon);
  EXPECT_EQ(first->within, nullptr);
  EXPECT_FALSE(store_.any_limited());
  file_.change([](auto& all) { EXPECT_TRUE(all.front().within.add_stack("net/*").empty()); });
  EXPECT_TRUE(store_.refresh(noon));
  EXPECT_FALSE(first->permit->empty());
  const auto second = store_.find(text, noon);
  ASSERT_TRUE(second && second->within);
  EXPECT_FALSE(second->sees("pay/prod", {}));
  EXPECT_TRUE(store_.any_limited());
  // Who only sends sees nothing.
  file_.change([](auto& all) { all.front().may = {false, true, false}; });
  store_.refresh(noon);
  EXPECT_FALSE(store_.any_limited());
}

TEST_F(TokenStore, RemembersToTheMinuteWhenATokenWasUsed) {
  const std::string text = file_.add({true, false, false}, noon);
  const std::string id = parse_token_text(text)->id;
  store_.refresh(noon);
  EXPECT_FALSE(store_.take_uses());
  store_.find(text.substr(0, text.size() - 1) + "-", noon);
  EXPECT_FALSE(store_.take_uses());
  store_.find(text, noon);
  const auto uses = store_.take_uses();
  ASSERT_TRUE(uses);
  EXPECT_EQ(*uses, (token_uses{{id, noon}}));
  store_.find(text, noon + std::chrono::seconds{30});
  EXPECT_FALSE(store_.take_uses());
  store_.find(text, noon + std::chrono::seconds{60});
  const auto later = store_.take_uses();
  ASSERT_TRUE(later);
  EXPECT_EQ(later->at(id), noon + std::chrono::seconds{60});
  // Another daemon goes on from there, and what is no line is passed over.
  const std::string beside = use_file_of(file_.path());
  ASSERT_TRUE(write_token_uses(beside, *later));
  std::ofstream{beside, std::ios::app} << "torn\nx yesterday\n";
  EXPECT_EQ(read_token_uses(beside), *later);
  token_store again{file_.path()};
  again.refresh(noon);
  again.find(text, noon + std::chrono::seconds{61});
  EXPECT_FALSE(again.take_uses());
}

}  // namespace
}  // namespace tofud::access
