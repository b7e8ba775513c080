#include "daemon/stack/git_remote.hpp"

#include "tests/stack/scratch_tree.hpp"

#include <gtest/gtest.h>

namespace tofud::stack {
namespace {

TEST(RemoteName, IsTheSameForEveryWayToWriteIt) {
  for (const char* url :
       {"git@github.com:acme/infra.git", "https://github.com/acme/infra",
        "https://github.com/acme/infra.git/", "https://user:secret@GitHub.com:443/acme/infra.git",
        "ssh://git@github.com:22/acme/infra.git", "git://github.com:9418/acme/infra",
        "http://github.com:80/acme/infra/", "github.com:acme/infra",
        "  git@github.com:/acme/infra.git\n"}) {
    EXPECT_EQ(remote_name(url), "github.com/acme/infra") << url;
  }
}

TEST(RemoteName, KeepsAPortThatIsNotTheDefault) {
  EXPECT_EQ(remote_name("ssh://git@git.acme.test:2222/a/b.git"), "git.acme.test:2222/a/b");
  EXPECT_EQ(remote_name("https://git.acme.test:22/a"), "git.acme.test:22/a");
}

TEST(RemoteName, KeepsTheCaseOfThePath) {
  EXPECT_EQ(remote_name("git@H:Acme/Infra"), "h/Acme/Infra");
}

TEST(RemoteName, HasNoPassword) {
  EXPECT_EQ(remote_name("https://oauth2:glpat-secret@gitlab.com/a/b.git"), "gitlab.com/a/b");
  EXPECT_EQ(remote_name("https://x:p@ss@gitlab.com/a"), "gitlab.com/a");
  EXPECT_EQ(remote_name("https://gitlab.com/a/b.git?token=secret"), "gitlab.com/a/b");
  EXPECT_EQ(remote_name("https://gitlab.com/a/b#secret"), "gitlab.com/a/b");
}

TEST(RemoteUrl, IsOriginsElseTheFirstByName) {
  const std::string upstream = "[remote \"upstream\"]\n\turl = u\n";
  EXPECT_EQ(remote_url(upstream + "[remote \"origin\"]\n\turl = o\n\tfetch = x\n"), "o");
  EXPECT_EQ(remote_url(upstream + "[remote \"backup\"]\n  URL=\"b\"\n"), "b");
  EXPECT_EQ(remote_url("[core]\n\turl = no\n"), "");
}

TEST(RepositoryOf, IsTheNearestParentWithOne) {
  const scratch_tree tree;
  tree.file("repo/.git/config", "[remote \"origin\"]\n\turl = git@h:a/b.git\n");
  tree.folder("repo/live/net");
  const auto found = repository_of(tree.path("repo/live/net"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->top, tree.path("repo"));
  EXPECT_EQ(found->remote, "h/a/b");
}

TEST(RepositoryOf, FollowsTheLinkOfALinkedWorkTree) {
  const scratch_tree tree;
  tree.file("main/.git/config", "[remote \"origin\"]\n\turl = git@h:a/b.git\n");
  tree.file("main/.git/worktrees/w/commondir", "../..\n");
  tree.file("w/.git", "gitdir: " + tree.path("main/.git/worktrees/w").string() + "\n");
  const auto found = repository_of(tree.path("w"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->remote, "h/a/b");
  EXPECT_EQ(found->top, tree.path("w"));
}

TEST(RepositoryOf, FollowsTheLinkOfASubmodule) {
  const scratch_tree tree;
  tree.file("main/.git/modules/s/config", "[remote \"origin\"]\n\turl = git@h:a/sub.git\n");
  tree.file("main/s/.git", "gitdir: ../.git/modules/s\n");
  EXPECT_EQ(repository_of(tree.path("main/s"))->remote, "h/a/sub");
}

TEST(RepositoryOf, RepositoryWithoutRemoteHasNoName) {
  const scratch_tree tree;
  tree.file("repo/.git/config", "[core]\n");
  EXPECT_EQ(repository_of(tree.path("repo"))->remote, "");
}

}  // namespace
}  // namespace tofud::stack
