#include "daemon/stack/ci_labels.hpp"

#include "daemon/stack/limits.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace tofud::stack {
namespace {

using variables = std::map<std::string, std::string>;

environment of(variables set) {
  return [set = std::move(set)](const char* name) -> std::optional<std::string> {
    const auto found = set.find(name);
    return found == set.end() ? std::nullopt : std::optional{found->second};
  };
}

/// "ci=github branch=main …"
std::string labels_of(variables set) {
  std::string text;
  for (const feed::label& each : ci_labels(of(std::move(set)))) {
    text += (text.empty() ? "" : " ") + each.key + "=" + each.value;
  }
  return text;
}

TEST(CiLabels, OutsideOfCiThereAreNone) {
  EXPECT_EQ(labels_of({{"HOME", "/home/ada"}, {"CI", "true"}}), "");
}

TEST(CiLabels, GitHubPush) {
  EXPECT_EQ(labels_of({{"GITHUB_ACTIONS", "true"},
                       {"GITHUB_REF", "refs/heads/release/1.2"},
                       {"GITHUB_REF_NAME", "release/1.2"},
                       {"GITHUB_SHA", "ffac537e6cbbf934b08745a378932722df287a53"},
                       {"GITHUB_ACTOR", "octocat"},
                       {"GITHUB_SERVER_URL", "https://github.com"},
                       {"GITHUB_REPOSITORY", "acme/infra"},
                       {"GITHUB_RUN_ID", "1658821493"}}),
            "ci=github branch=release/1.2 commit=ffac537e6cbbf934b08745a378932722df287a53 "
            "actor=octocat job=https://github.com/acme/infra/actions/runs/1658821493");
}

TEST(CiLabels, GitHubPullRequest) {
  EXPECT_EQ(labels_of({{"GITHUB_ACTIONS", "true"},
                       {"GITHUB_REF", "refs/pull/12/merge"},
                       {"GITHUB_HEAD_REF", "octocat/fix"},
                       {"GITHUB_SHA", "ffac537e"}}),
            "ci=github branch=octocat/fix commit=ffac537e pr=12");
}

TEST(CiLabels, GitHubTagNamesNoBranch) {
  EXPECT_EQ(labels_of({{"GITHUB_ACTIONS", "true"}, {"GITHUB_REF", "refs/tags/v1"}}), "ci=github");
}

TEST(CiLabels, GitLabMergeRequest) {
  EXPECT_EQ(labels_of({{"GITLAB_CI", "true"},
                       {"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "fix-vpc"},
                       {"CI_MERGE_REQUEST_IID", "7"},
                       {"CI_COMMIT_SHA", "1ecfd275763eff1d6b4844ea3168962458c9f27a"},
                       {"GITLAB_USER_LOGIN", "ada"},
                       {"CI_JOB_URL", "https://gitlab.com/acme/infra/-/jobs/379424655"}}),
            "ci=gitlab branch=fix-vpc commit=1ecfd275763eff1d6b4844ea3168962458c9f27a actor=ada "
            "job=https://gitlab.com/acme/infra/-/jobs/379424655 pr=7");
}

TEST(CiLabels, GitLabBranch) {
  EXPECT_EQ(labels_of({{"GITLAB_CI", "true"}, {"CI_COMMIT_BRANCH", "main"}}),
            "ci=gitlab branch=main");
}

TEST(CiLabels, Jenkins) {
  EXPECT_EQ(labels_of({{"JENKINS_URL", "https://ci.acme.test/"},
                       {"GIT_BRANCH", "origin/main"},
                       {"GIT_COMMIT", "0a1b2c"},
                       {"BUILD_URL", "https://ci.acme.test/job/infra/15/"}}),
            "ci=jenkins branch=main commit=0a1b2c job=https://ci.acme.test/job/infra/15/");
  EXPECT_EQ(labels_of({{"JENKINS_URL", "https://ci.acme.test/"},
                       {"BRANCH_NAME", "PR-31"},
                       {"CHANGE_BRANCH", "fix"},
                       {"CHANGE_AUTHOR", "ada"},
                       {"CHANGE_ID", "31"}}),
            "ci=jenkins branch=fix actor=ada pr=31");
}

TEST(CiLabels, Buildkite) {
  EXPECT_EQ(labels_of({{"BUILDKITE", "true"},
                       {"BUILDKITE_BRANCH", "main"},
                       {"BUILDKITE_COMMIT", "HEAD"},
                       {"BUILDKITE_PULL_REQUEST", "false"},
                       {"BUILDKITE_BUILD_CREATOR", "Ada Lovelace"},
                       {"BUILDKITE_BUILD_URL", "https://buildkite.com/acme/infra/builds/9"},
                       {"BUILDKITE_JOB_ID", "018b"}}),
            "ci=buildkite branch=main actor=Ada Lovelace "
            "job=https://buildkite.com/acme/infra/builds/9#018b");
}

TEST(CiLabels, CircleCi) {
  EXPECT_EQ(labels_of({{"CIRCLECI", "true"},
                       {"CIRCLE_BRANCH", "fix"},
                       {"CIRCLE_SHA1", "abc"},
                       {"CIRCLE_USERNAME", "ada"},
                       {"CIRCLE_BUILD_URL", "https://circleci.com/gh/acme/infra/22"},
                       {"CIRCLE_PULL_REQUEST", "https://github.com/acme/infra/pull/12"}}),
            "ci=circleci branch=fix commit=abc actor=ada "
            "job=https://circleci.com/gh/acme/infra/22 pr=12");
}

TEST(CiLabels, AzurePipelines) {
  EXPECT_EQ(labels_of({{"TF_BUILD", "True"},
                       {"BUILD_SOURCEBRANCH", "refs/heads/main"},
                       {"BUILD_SOURCEVERSION", "abc"},
                       {"BUILD_REQUESTEDFOR", "Ada"},
                       {"SYSTEM_COLLECTIONURI", "https://dev.azure.com/acme/"},
                       {"SYSTEM_TEAMPROJECT", "The Infra"},
                       {"BUILD_BUILDID", "5"}}),
            "ci=azure branch=main commit=abc actor=Ada "
            "job=https://dev.azure.com/acme/The%20Infra/_build/results?buildId=5");
}

TEST(CiLabels, LongOrMultilineLabelsAreSkipped) {
  EXPECT_EQ(labels_of({{"GITLAB_CI", "true"},
                       {"CI_COMMIT_BRANCH", std::string(limits::label_bytes + 1, 'b')},
                       {"GITLAB_USER_LOGIN", "a\nb"}}),
            "ci=gitlab");
}

TEST(WorkspaceOf, IsWhatStandsBehindTheAt) {
  EXPECT_EQ(workspace_of("github.com/acme/infra//net@prod"), "prod");
  EXPECT_EQ(workspace_of("github.com/acme/infra//net@prod#1a2b3c"), "prod");
  EXPECT_EQ(workspace_of("host:/home/a@b/infra@default"), "default");
  EXPECT_EQ(workspace_of("net/prod"), "");
  EXPECT_EQ(workspace_of("a@b/c"), "");
}

TEST(AddMissing, AnExplicitLabelWins) {
  std::vector<feed::label> labels{{"branch", "mine"}};
  add_missing(labels, {{"branch", "main"}, {"ci", "github"}});
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].value, "mine");
  EXPECT_EQ(labels[1].key, "ci");
}

}  // namespace
}  // namespace tofud::stack
