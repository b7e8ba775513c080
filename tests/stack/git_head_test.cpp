#include "daemon/stack/git_head.hpp"

#include "tests/stack/scratch_tree.hpp"

#include <gtest/gtest.h>

namespace tofud::stack {
namespace {

const std::string one(40, '1');
const std::string two(40, 'a');

TEST(HeadCommit, IsThatOfTheBranch) {
  const scratch_tree tree;
  tree.file("repo/.git/HEAD", "ref: refs/heads/main\n");
  tree.file("repo/.git/refs/heads/main", one + "\n");
  tree.folder("repo/live/net");
  EXPECT_EQ(head_commit(tree.path("repo/live/net")), one);
}

TEST(HeadCommit, StandsInPackedRefsAfterAClone) {
  const scratch_tree tree;
  tree.file("repo/.git/HEAD", "ref: refs/heads/feature/x\n");
  tree.file("repo/.git/packed-refs", "# pack-refs with: peeled fully-peeled sorted\n" + two +
                                         " refs/heads/feature\n" + one +
                                         " refs/heads/feature/x\n^" + two + "\n");
  EXPECT_EQ(head_commit(tree.path("repo")), one);
}

TEST(HeadCommit, IsHeadItselfWhenItIsDetached) {
  const scratch_tree tree;
  tree.file("repo/.git/HEAD", two + "\n");
  EXPECT_EQ(head_commit(tree.path("repo")), two);
}

TEST(HeadCommit, LinkedWorkTreeHasItsOwn) {
  const scratch_tree tree;
  tree.file("main/.git/HEAD", "ref: refs/heads/main\n");
  tree.file("main/.git/refs/heads/main", one + "\n");
  tree.file("main/.git/refs/heads/fix", two + "\n");
  tree.file("main/.git/worktrees/w/HEAD", "ref: refs/heads/fix\n");
  tree.file("main/.git/worktrees/w/commondir", "../..\n");
  tree.file("w/.git", "gitdir: " + tree.path("main/.git/worktrees/w").string() + "\n");
  EXPECT_EQ(head_commit(tree.path("w")), two);
}

TEST(HeadCommit, IsNoneWithoutACommitOrARepository) {
  const scratch_tree tree;
  tree.file("new/.git/HEAD", "ref: refs/heads/main\n");
  tree.file("odd/.git/HEAD", "ref: ../../secret\n");
  tree.file("reftable/.git/HEAD", "ref: refs/heads/.invalid\n");
  tree.file("circle/.git/HEAD", "ref: refs/heads/a\n");
  tree.file("circle/.git/refs/heads/a", "ref: refs/heads/a\n");
  for (const char* name : {"new", "odd", "reftable", "circle", "none"}) {
    EXPECT_FALSE(head_commit(tree.path(name))) << name;
  }
}

}  // namespace
}  // namespace tofud::stack
