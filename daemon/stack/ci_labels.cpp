#include "daemon/stack/ci_labels.hpp"

#include "daemon/stack/limits.hpp"

#include <algorithm>
#include <iterator>

namespace tofud::stack {
namespace {

/// The first of these that is set and says something.
std::string first_of(const environment& env, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (auto value = env(name); value && !value->empty()) return *value;
  }
  return "";
}

std::string without(std::string_view opening, std::string text) {
  if (text.starts_with(opening)) text.erase(0, opening.size());
  return text;
}

struct job {
  std::string branch, commit, actor, url, pr;
};

job github(const environment& env) {
  job found;
  const std::string ref = first_of(env, {"GITHUB_REF"});
  // Of a pull request HEAD_REF is the branch, and REF_NAME "12/merge".
  found.branch = first_of(env, {"GITHUB_HEAD_REF"});
  if (found.branch.empty() && ref.starts_with("refs/heads/")) {
    found.branch = without("refs/heads/", ref);
  }
  found.commit = first_of(env, {"GITHUB_SHA"});
  found.actor = first_of(env, {"GITHUB_ACTOR"});
  const std::string run = first_of(env, {"GITHUB_RUN_ID"});
  const std::string repository = first_of(env, {"GITHUB_REPOSITORY"});
  if (!run.empty() && !repository.empty()) {
    found.url = env("GITHUB_SERVER_URL").value_or("https://github.com") + "/" + repository +
                "/actions/runs/" + run;
  }
  if (ref.starts_with("refs/pull/")) {
    const std::string number = without("refs/pull/", ref);
    found.pr = number.substr(0, number.find('/'));
  }
  return found;
}

job gitlab(const environment& env) {
  return {first_of(env, {"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_BRANCH"}),
          first_of(env, {"CI_COMMIT_SHA"}), first_of(env, {"GITLAB_USER_LOGIN"}),
          first_of(env, {"CI_JOB_URL"}), first_of(env, {"CI_MERGE_REQUEST_IID"})};
}

job jenkins(const environment& env) {
  // Of a pull request BRANCH_NAME is "PR-12"; GIT_BRANCH is "origin/main".
  return {without("origin/", first_of(env, {"CHANGE_BRANCH", "BRANCH_NAME", "GIT_BRANCH"})),
          first_of(env, {"GIT_COMMIT"}),
          first_of(env, {"CHANGE_AUTHOR", "BUILD_USER_ID", "BUILD_USER"}),
          first_of(env, {"BUILD_URL"}), first_of(env, {"CHANGE_ID"})};
}

job buildkite(const environment& env) {
  job found{first_of(env, {"BUILDKITE_BRANCH"}), first_of(env, {"BUILDKITE_COMMIT"}),
            first_of(env, {"BUILDKITE_BUILD_CREATOR", "BUILDKITE_BUILD_AUTHOR"}),
            first_of(env, {"BUILDKITE_BUILD_URL"}), first_of(env, {"BUILDKITE_PULL_REQUEST"})};
  if (found.commit == "HEAD") found.commit.clear();  // not looked up yet
  if (found.pr == "false") found.pr.clear();
  const std::string step = first_of(env, {"BUILDKITE_JOB_ID"});
  if (!found.url.empty() && !step.empty()) found.url += "#" + step;
  return found;
}

job circle(const environment& env) {
  job found{first_of(env, {"CIRCLE_BRANCH"}), first_of(env, {"CIRCLE_SHA1"}),
            first_of(env, {"CIRCLE_USERNAME"}), first_of(env, {"CIRCLE_BUILD_URL"}),
            first_of(env, {"CIRCLE_PR_NUMBER", "CIRCLE_PULL_REQUEST"})};
  // https://github.com/acme/infra/pull/12
  found.pr.erase(0, found.pr.rfind('/') + 1);
  return found;
}

job azure(const environment& env) {
  job found;
  const std::string branch =
      first_of(env, {"SYSTEM_PULLREQUEST_SOURCEBRANCH", "BUILD_SOURCEBRANCH"});
  if (!branch.starts_with("refs/pull/") && !branch.starts_with("refs/tags/")) {
    found.branch = without("refs/heads/", branch);
  }
  found.commit = first_of(env, {"BUILD_SOURCEVERSION"});
  found.actor = first_of(env, {"BUILD_REQUESTEDFOR"});
  found.pr =
      first_of(env, {"SYSTEM_PULLREQUEST_PULLREQUESTNUMBER", "SYSTEM_PULLREQUEST_PULLREQUESTID"});
  const std::string collection = first_of(env, {"SYSTEM_COLLECTIONURI"});
  const std::string project = first_of(env, {"SYSTEM_TEAMPROJECT"});
  const std::string build = first_of(env, {"BUILD_BUILDID"});
  if (!collection.empty() && !project.empty() && !build.empty()) {
    found.url = collection + project + "/_build/results?buildId=" + build;
    for (std::size_t at = 0; (at = found.url.find(' ', at)) != found.url.npos;) {
      found.url.replace(at, 1, "%20");
    }
  }
  return found;
}

struct system {
  const char* name;
  const char* variable;  // set in its jobs, and nowhere else
  job (*job_of)(const environment& env);
};

constexpr system systems[] = {
    {"github", "GITHUB_ACTIONS", github}, {"gitlab", "GITLAB_CI", gitlab},
    {"jenkins", "JENKINS_URL", jenkins},  {"buildkite", "BUILDKITE", buildkite},
    {"circleci", "CIRCLECI", circle},     {"azure", "TF_BUILD", azure}};

/// One line of text that a card has room for.
bool is_shown(const std::string& value) {
  return !value.empty() && value.size() <= limits::label_bytes &&
         std::none_of(value.begin(), value.end(),
                      [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

}  // namespace

std::vector<feed::label> ci_labels(const environment& env) {
  const auto* here =
      std::find_if(std::begin(systems), std::end(systems),
                   [&env](const system& each) { return env(each.variable).value_or("") != ""; });
  if (here == std::end(systems)) return {};
  job found = here->job_of(env);
  std::vector<feed::label> labels{{"ci", here->name},
                                  {"branch", std::move(found.branch)},
                                  {"commit", std::move(found.commit)},
                                  {"actor", std::move(found.actor)},
                                  {"job", std::move(found.url)},
                                  {"pr", std::move(found.pr)}};
  std::erase_if(labels, [](const feed::label& each) { return !is_shown(each.value); });
  return labels;
}

std::string_view workspace_of(std::string_view stack) {
  const std::size_t at = stack.rfind('@');
  // git@host:path is no workspace; those of OpenTofu have no slash.
  if (at == stack.npos || stack.find('/', at) != stack.npos) return {};
  std::string_view name = stack.substr(at + 1);
  constexpr std::size_t mark = 7;  // "#1a2b3c", of the backend
  const bool marked =
      name.size() > mark && name[name.size() - mark] == '#' &&
      name.find_first_not_of("0123456789abcdef", name.size() - mark + 1) == name.npos;
  if (marked) name.remove_suffix(mark);
  return name;
}

void add_missing(std::vector<feed::label>& labels, const std::vector<feed::label>& more) {
  for (const feed::label& each : more) {
    const bool there = std::any_of(labels.begin(), labels.end(), [&each](const feed::label& other) {
      return other.key == each.key;
    });
    if (!there) labels.push_back(each);
  }
}

}  // namespace tofud::stack
