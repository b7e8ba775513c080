#include "daemon/forge/job.hpp"

#include "daemon/forge/errors.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace tofud::forge {
namespace {

using variables = std::map<std::string, std::string>;

stack::environment of(variables set) {
  return [set = std::move(set)](const char* name) -> std::optional<std::string> {
    const auto found = set.find(name);
    return found == set.end() ? std::nullopt : std::optional{found->second};
  };
}

const std::string commit(40, 'a');

variables github() {
  return {{"GITHUB_ACTIONS", "true"}, {"GITHUB_REPOSITORY", "acme/infra"},
          {"GITHUB_SHA", commit},     {"GITHUB_REF", "refs/pull/7/merge"},
          {"GITHUB_RUN_ID", "55"},    {"GITHUB_SERVER_URL", "https://github.com"}};
}

TEST(Job, OfGitHubIsReadFromItsVariables) {
  const auto found = job_in(of(github()), {});
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->at, kind::github);
  EXPECT_EQ(found->api, "https://api.github.com");
  EXPECT_EQ(found->project, "acme/infra");
  EXPECT_EQ(found->pull_request, "7");
  EXPECT_EQ(found->commit, commit);
  EXPECT_EQ(found->page, "https://github.com/acme/infra/actions/runs/55");
}

TEST(Job, OfAPushHasNoPullRequest) {
  auto set = github();
  set["GITHUB_REF"] = "refs/heads/main";
  EXPECT_EQ(job_in(of(set), {})->pull_request, "");
}

TEST(Job, OfGiteaSetsTheVariablesOfGitHubToo) {
  auto set = github();
  set["GITEA_ACTIONS"] = "true";
  set["GITHUB_API_URL"] = "https://git.example.com/api/v1/";
  const auto found = job_in(of(set), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at, kind::gitea);
  EXPECT_EQ(found->api, "https://git.example.com/api/v1");
}

TEST(Job, OfGitLabTakesTheCommitOfTheBranchIfThereIsAMergedResult) {
  variables set{{"GITLAB_CI", "true"},
                {"CI_API_V4_URL", "https://gitlab.com/api/v4"},
                {"CI_PROJECT_ID", "12"},
                {"CI_MERGE_REQUEST_IID", "3"},
                {"CI_COMMIT_SHA", commit}};
  EXPECT_EQ(job_in(of(set), {})->commit, commit);
  set["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] = std::string(40, 'b');
  EXPECT_EQ(job_in(of(set), {})->commit, std::string(40, 'b'));
}

TEST(Job, TakesWhatAUserSaysHimself) {
  const auto found =
      job_in(of(github()), {"gitlab", "https://gitlab.com/api/v4", "12", "3", commit, "bot"});
  ASSERT_TRUE(found);
  // Nothing of another forge's job.
  EXPECT_EQ(found->page, "");
  EXPECT_EQ(found->at, kind::gitlab);
  EXPECT_EQ(found->pull_request, "3");
  EXPECT_TRUE(found->author_is_given);
}

TEST(Job, IsRefusedWithAReason) {
  EXPECT_TRUE(job_in(of({}), {}).error().is(error::no_forge));
  EXPECT_TRUE(job_in(of({}), {.forge = "gitea"}).error().is(error::bad_api));
  EXPECT_TRUE(
      job_in(of({}), {.forge = "gitea", .api = "https://x/api/v1"}).error().is(error::no_project));
  for (const char* api : {"http://x", "https://", "https://x/?y", "https://x/#y", "https://a b"})
    EXPECT_TRUE(job_in(of(github()), {.api = api}).error().is(error::bad_api)) << api;
  for (const char* number : {"0", "-1", "07", "7a", "../7", "99999999999999999999"})
    EXPECT_TRUE(job_in(of(github()), {.pull_request = number}).error().is(error::bad_number))
        << number;
  for (const char* id : {"HEAD", "abc", "../../../../../../../../../../../../../x"})
    EXPECT_TRUE(job_in(of(github()), {.commit = id}).error().is(error::bad_commit)) << id;
}

TEST(Job, ATokenOfGitHubGoesToNoOtherForge) {
  const auto set = github();
  const auto other =
      job_in(of(set), {.forge = "gitea", .api = "https://x/api/v1", .project = "a/b"});
  ASSERT_TRUE(other);
  EXPECT_TRUE(token_for(*other, of({{"GITHUB_TOKEN", "t"}}), "").error().is(error::no_token));
  auto own = set;
  own["GITEA_ACTIONS"] = "true";
  own["GITHUB_API_URL"] = "https://x/api/v1";
  EXPECT_EQ(*token_for(*job_in(of(own), {}), of({{"GITHUB_TOKEN", "t"}}), ""), "t");
}

TEST(Job, TokensComeFromTheForgesOwnVariable) {
  const auto found = job_in(of(github()), {});
  EXPECT_EQ(*token_for(*found, of({{"GH_TOKEN", "t"}}), ""), "t");
  EXPECT_TRUE(token_for(*found, of({{"GITLAB_TOKEN", "t"}}), "").error().is(error::no_token));
  EXPECT_TRUE(token_for(*found, of({{"GITHUB_TOKEN", "a b"}}), "").error().is(error::bad_token));
  EXPECT_TRUE(token_for(*found, of({}), "/nonexistent").error().is(error::unreadable_token));
}

}  // namespace
}  // namespace tofud::forge
