// A lock error is tied to the run that holds or abandoned the lock.
#include "daemon/wall/lock_holder.hpp"
#include "daemon/wall/lock_info.hpp"
#include "tests/wall/history.hpp"

#include <gtest/gtest.h>

using namespace tofud;
using namespace tofud::wall;
using feed::run_status;

namespace {

// Of recording state-lock-contention, OpenTofu 1.12.6, local state.
constexpr std::string_view of_opentofu =
    "Error message: resource temporarily unavailable\nLock Info:\n"
    "  ID:        b50915f1-796c-9d56-2a2e-d23be590db27\n"
    "  Path:      terraform.tfstate\n"
    "  Operation: OperationTypeApply\n"
    "  Who:       root@vm\n"
    "  Version:   1.12.6\n"
    "  Created:   2026-11-21 05:17:51.038543393 +0000 UTC\n"
    "  Info:      \n\n\n"
    "OpenTofu acquires a state lock to protect the state from being written\n"
    "by multiple users at the same time. Please resolve the issue above and try\n"
    "again. For most commands, you can disable locking with the \"-lock=false\"\n"
    "flag, but this is not recommended.";

// As Terraform 1.5 prints it with the S3 backend and a DynamoDB table.
constexpr std::string_view of_terraform =
    "Error message: ConditionalCheckFailedException: The conditional request failed\nLock Info:\n"
    "  ID:        7d4e5a7c-0a1c-0c52-0a46-25f0a0a2a9d3\n"
    "  Path:      acme-tfstate/net/prod.tfstate\n"
    "  Operation: OperationTypePlan\n"
    "  Who:       runner@fv-az1234-56\n"
    "  Version:   1.5.7\n"
    "  Created:   2023-09-14 08:01:33.123456789 +0200 CEST\n"
    "  Info:      \n\n\n"
    "Terraform acquires a state lock to protect the state from being written\n"
    "by multiple users at the same time. Please resolve the issue above and try\n"
    "again. For most commands, you can disable locking with the \"-lock=false\"\n"
    "flag, but this is not recommended.";

lock_info made_in(std::int64_t n, std::string operation = "OperationTypeApply",
                  std::string path = "terraform.tfstate") {
  lock_info lock;
  lock.id = "b50915f1";
  lock.path = std::move(path);
  lock.operation = std::move(operation);
  lock.who = "ann@laptop";
  lock.created_at = minute(n) + std::chrono::seconds{2};
  return lock;
}

/// "held by a1", "abandoned by a1", "somebody else: ann@laptop".
std::string told(const stack_cards& cards, std::string_view stack = "net") {
  const auto& lock = cards.card(stack)->lock;
  if (!lock) return "no lock";
  if (lock->state == feed::lock_state::somebody_else) return "somebody else: " + lock->who;
  return std::string{name(lock->state)} + " by " + lock->holder;
}

std::string told_of(const std::vector<run_facts>& runs) {
  stack_cards cards;
  for (const run_facts& run : runs) cards.update(run);
  return told(cards);
}

}  // namespace

TEST(LockInfo, IsReadFromWhatOpenTofuPrints) {
  const auto lock = parse_lock_info(of_opentofu);
  ASSERT_TRUE(lock);
  EXPECT_EQ(lock->id, "b50915f1-796c-9d56-2a2e-d23be590db27");
  EXPECT_EQ(lock->path, "terraform.tfstate");
  EXPECT_EQ(lock->operation, "OperationTypeApply");
  EXPECT_EQ(lock->who, "root@vm");
  EXPECT_EQ(lock->version, "1.12.6");
  EXPECT_EQ(lock->info, "");
  EXPECT_EQ(lock->created_at, ui::parse_timestamp("2026-11-21T05:17:51.038543Z"));
}

TEST(LockInfo, IsReadFromWhatTerraformPrintsInAZoneOfItsOwn) {
  const auto lock = parse_lock_info(of_terraform);
  ASSERT_TRUE(lock);
  EXPECT_EQ(lock->path, "acme-tfstate/net/prod.tfstate");
  EXPECT_EQ(lock->operation, "OperationTypePlan");
  EXPECT_EQ(lock->created_at, ui::parse_timestamp("2023-09-14T06:01:33.123456Z"));
}

TEST(LockInfo, DateOfTheYearOneIsNone) {
  const auto lock = parse_lock_info(
      "Lock Info:\n  ID:        org/workspace\n  Created:   0001-01-01 00:00:00 +0000 UTC\n");
  ASSERT_TRUE(lock);
  EXPECT_EQ(lock->id, "org/workspace");
  EXPECT_EQ(lock->created_at, std::nullopt);
}

TEST(LockInfo, IsReadFromTheFileOfABackend) {
  const auto lock = parse_lock_file(
      R"({"ID":"fdf45504","Operation":"OperationTypeApply","Info":"","Who":"root@vm",)"
      R"("Version":"1.12.6","Created":"2026-11-22T14:42:20.486365156Z","Path":"terraform.tfstate"})");
  ASSERT_TRUE(lock);
  EXPECT_EQ(lock->id, "fdf45504");
  EXPECT_EQ(lock->operation, "OperationTypeApply");
  EXPECT_EQ(lock->who, "root@vm");
  EXPECT_EQ(lock->path, "terraform.tfstate");
  EXPECT_EQ(lock->created_at, ui::parse_timestamp("2026-11-22T14:42:20.486365Z"));
  for (const std::string_view none :
       {"", "{}", "[]", R"({"ID":7})", R"({"ID":"")", "{\"ID\":\"a\""})
    EXPECT_FALSE(parse_lock_file(none)) << none;
}

TEST(LockInfo, ErrorWithoutOneHasNone) {
  EXPECT_FALSE(parse_lock_info("Error message: HTTP remote state already locked"));
  EXPECT_FALSE(parse_lock_info(""));
}

TEST(LockInfo, AnyTextAfterTheHeadingIsTaken) {
  for (std::size_t size = 0; size <= of_opentofu.size(); ++size) {
    parse_lock_info(of_opentofu.substr(0, size));  // cut anywhere, it is read without harm
  }
  EXPECT_EQ(parse_lock_info("Lock Info:\n  Who:   " + std::string(10'000, 'x'))->who.size(), 512);
}

TEST(Lock, IsHeldByTheRunThatWasOnWhenItWasMade) {
  EXPECT_EQ(told_of({apply("a1", 1).goes_on(), apply("a2", 5).locked_out_by(made_in(1))}),
            "held by a1");
}

TEST(Lock, InterruptedOrLostRunAbandonsIt) {
  for (const auto status : {run_status::interrupted, run_status::lost}) {
    EXPECT_EQ(
        told_of({apply("a1", 1).ended(status).until(3), apply("a2", 5).locked_out_by(made_in(1))}),
        "abandoned by a1");
  }
}

TEST(Lock, FailedRunAbandonsItBeforeTheError) {
  EXPECT_EQ(told_of({apply("a1", 1).ended(run_status::failed).until(3),
                     apply("a2", 5).locked_out_by(made_in(1))}),
            "abandoned by a1");
}

TEST(Lock, RunThatEndedLaterReleasedIt) {
  EXPECT_EQ(told_of({apply("a1", 1).until(9), apply("a2", 5).locked_out_by(made_in(1))}),
            "released by a1");
}

TEST(Lock, SilentRunAbandonsItUntilItComesBack) {
  made_run holder = apply("a1", 1).goes_on();
  holder.facts().contact = feed::run_contact::lost;
  EXPECT_EQ(told_of({holder, apply("a2", 5).locked_out_by(made_in(1))}), "abandoned by a1");
  holder.facts().contact = feed::run_contact::ok;
  EXPECT_EQ(told_of({holder, apply("a2", 5).locked_out_by(made_in(1))}), "held by a1");
}

TEST(Lock, LaterOrFinishedRunDoesNotHoldIt) {
  EXPECT_EQ(told_of({apply("a1", 2).goes_on(), apply("a2", 5).locked_out_by(made_in(1))}),
            "somebody else: ann@laptop");
  EXPECT_EQ(told_of({apply("a1", 1).until(2), apply("a2", 5).locked_out_by(made_in(4))}),
            "somebody else: ann@laptop");
}

TEST(Lock, OperationMustFitWhatTheRunDoes) {
  EXPECT_EQ(told_of({plan("p1", 1).goes_on(), apply("a2", 5).locked_out_by(made_in(1))}),
            "somebody else: ann@laptop");
  EXPECT_EQ(told_of({plan("p1", 1).goes_on(),
                     apply("a2", 5).locked_out_by(made_in(1, "OperationTypePlan"))}),
            "held by p1");
  made_run guessed = plan("p1", 1).goes_on();
  guessed.facts().command_told = false;
  EXPECT_EQ(told_of({guessed, apply("a2", 5).locked_out_by(made_in(1))}), "held by p1");
}

TEST(Lock, LastRunToBeginBeforeItTookIt) {
  EXPECT_EQ(told_of({apply("a1", 1).goes_on(), apply("a2", 3).goes_on(),
                     apply("a3", 5).locked_out_by(made_in(3))}),
            "held by a2");
}

TEST(Lock, TheLocksClockIsThatOfItsHolder) {
  // Its clock is three minutes behind: by ours it ended after the other ran into the lock.
  made_run holder = apply("a1", 1).until(3);
  holder.facts().clock_offset = std::chrono::minutes{3};
  EXPECT_EQ(told_of({holder, apply("a2", 5).locked_out_by(made_in(1))}), "released by a1");
  holder.facts().clock_offset = std::chrono::minutes{0};
  EXPECT_EQ(told_of({holder, apply("a2", 5).locked_out_by(made_in(1))}), "abandoned by a1");
}

TEST(Lock, OtherStackIsMatchedByTheStatePath) {
  const std::string path = "acme-tfstate/net/prod.tfstate";
  const lock_info lock = made_in(1, "OperationTypeApply", path);
  const lock_info earlier = made_in(-9, "OperationTypeApply", path);
  stack_cards cards;
  cards.update(apply("a1", 1).in("laptop:/home/ann/net@default").goes_on());
  cards.update(apply("a2", 5).locked_out_by(lock));
  EXPECT_EQ(told(cards), "somebody else: ann@laptop");
  // Once it is known that runs from that directory lock the same state.
  cards.update(plan("p0", 0).in("laptop:/home/ann/net@default").locked_out_by(earlier));
  EXPECT_EQ(told(cards), "held by a1");
  cards.update(apply("a1", 1).in("laptop:/home/ann/net@default").until(9));
  EXPECT_EQ(told(cards), "released by a1");
}

TEST(Lock, RelativePathTiesNoOtherStack) {
  stack_cards cards;
  cards.update(apply("a1", 1).in("dns").goes_on());
  cards.update(plan("p0", 0).in("dns").locked_out_by(made_in(-9)));
  cards.update(apply("a2", 5).locked_out_by(made_in(1)));
  EXPECT_EQ(told(cards), "somebody else: ann@laptop");
}

TEST(Lock, IsNoLongerShownOnceALaterRunHadIt) {
  EXPECT_EQ(told_of({apply("a2", 5).locked_out_by(made_in(1)), plan("p1", 6)}), "no lock");
  EXPECT_EQ(told_of({apply("a2", 5).locked_out_by(made_in(1)), plan("p1", 6).goes_on()}),
            "somebody else: ann@laptop");
}

TEST(Lock, ALockWithoutADescriptionBelongsToNoKnownRun) {
  EXPECT_EQ(told_of({apply("a1", 1).goes_on(), apply("a2", 5).locked_out_by({})}),
            "somebody else: ");
}
