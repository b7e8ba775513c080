#include "daemon/forge/job.hpp"

#include "daemon/client/limits.hpp"
#include "daemon/client/server_token.hpp"
#include "daemon/client/web_url.hpp"
#include "daemon/files/regular_file.hpp"
#include "daemon/forge/errors.hpp"
#include "daemon/forge/limits.hpp"
#include "protocol/json/members.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tofud::forge {
namespace {

std::string said(const stack::environment& env, const char* name) { return env(name).value_or(""); }

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 18 && text.front() != '0' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<kind> kind_named(std::string_view word) {
  for (const kind each : {kind::github, kind::gitlab, kind::gitea}) {
    if (word == name(each)) return each;
  }
  return {};
}

std::optional<kind> kind_of_job(const stack::environment& env) {
  const auto is_set = [&env](const char* name) { return !said(env, name).empty(); };
  if (is_set("GITEA_ACTIONS") || is_set("FORGEJO_ACTIONS")) return kind::gitea;
  if (is_set("GITHUB_ACTIONS")) return kind::github;
  if (is_set("GITLAB_CI")) return kind::gitlab;
  return {};
}

/// What the job was started by: the payload of a webhook.
void read_event(job& into, const std::string& path) {
  if (path.empty()) return;
  const auto text = files::read_regular_file(path, limits::forge_event_bytes);
  if (!text) return;
  boost::system::error_code failed;
  const auto event = boost::json::parse(*text, failed);
  const auto* object = failed ? nullptr : event.if_object();
  const auto* found = object == nullptr ? nullptr : object->if_contains("pull_request");
  const auto* pull = found == nullptr ? nullptr : found->if_object();
  if (pull == nullptr) return;
  if (const auto* number = pull->if_contains("number"); number != nullptr && number->is_int64())
    into.pull_request = std::to_string(number->get_int64());
  // GITHUB_SHA is a merge that nobody looks at.
  const auto* head = pull->if_contains("head");
  if (head != nullptr && head->is_object()) into.commit = json::text_at(head->get_object(), "sha");
}

void read_actions(job& into, const stack::environment& env) {
  into.project = said(env, "GITHUB_REPOSITORY");
  into.api = said(env, "GITHUB_API_URL");
  if (into.at == kind::github && into.api.empty()) into.api = "https://api.github.com";
  into.commit = said(env, "GITHUB_SHA");
  const std::string ref = said(env, "GITHUB_REF");
  constexpr std::string_view pulls = "refs/pull/";
  if (ref.starts_with(pulls))
    into.pull_request = ref.substr(pulls.size(), ref.find('/', pulls.size()) - pulls.size());
  read_event(into, said(env, "GITHUB_EVENT_PATH"));
  into.step_summary = said(env, "GITHUB_STEP_SUMMARY");
  into.author = into.at == kind::github ? "github-actions[bot]" : "gitea-actions";
  const std::string run = said(env, "GITHUB_RUN_ID");
  const std::string server = said(env, "GITHUB_SERVER_URL");
  if (!run.empty() && server.starts_with("https://"))
    into.page = server + "/" + into.project + "/actions/runs/" + run;
}

void read_gitlab(job& into, const stack::environment& env) {
  into.project = said(env, "CI_PROJECT_ID");
  into.api = said(env, "CI_API_V4_URL");
  into.pull_request = said(env, "CI_MERGE_REQUEST_IID");
  // Of a merged result CI_COMMIT_SHA is a commit that is on no branch.
  into.commit = said(env, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA");
  if (into.commit.empty()) into.commit = said(env, "CI_COMMIT_SHA");
  into.page = said(env, "CI_JOB_URL");
}

struct token_names {
  std::array<const char*, 3> variables;
  const char* first;
};

token_names tokens_of(kind of) {
  switch (of) {
    case kind::github:
      return {{"GITHUB_TOKEN", "GH_TOKEN", ""}, "GITHUB_TOKEN"};
    case kind::gitlab:
      return {{"GITLAB_TOKEN", "", ""},
              "GITLAB_TOKEN (a project access token; CI_JOB_TOKEN can't comment)"};
    case kind::gitea:
      break;
  }
  return {{"GITEA_TOKEN", "FORGEJO_TOKEN", "GITHUB_TOKEN"}, "GITEA_TOKEN"};
}

}  // namespace

text::result<std::string> token_for(const job& of, const stack::environment& env,
                                    const std::string& file) {
  std::string token;
  const token_names names = tokens_of(of.at);
  if (!file.empty()) {
    const auto read = files::read_regular_file(file, limits::login_bytes);
    if (!read) return text::failure{error::unreadable_token, file};
    token = read->substr(0, read->find_first_of("\r\n"));
  } else {
    // A token of GitHub goes to no other forge: only Gitea's own jobs have one of theirs there.
    const bool is_elsewhere = of.at == kind::gitea && !of.is_own;
    for (const std::string_view each : names.variables) {
      if (each.empty() || (is_elsewhere && each == "GITHUB_TOKEN")) continue;
      if (token.empty()) token = said(env, each.data());
    }
  }
  if (token.empty()) return text::failure{error::no_token, name(of.at), std::string{names.first}};
  if (!client::is_token(token)) return text::failure{error::bad_token, name(of.at)};
  return {boost::system::in_place_value, std::move(token)};
}

std::string_view name(kind of) {
  switch (of) {
    case kind::github:
      return "github";
    case kind::gitlab:
      return "gitlab";
    case kind::gitea:
      break;
  }
  return "gitea";
}

text::result<job> job_in(const stack::environment& env, const wishes& given) {
  job found;
  const auto here = kind_of_job(env);
  const auto at = given.forge.empty() ? here : kind_named(given.forge);
  if (!at) return text::failure{error::no_forge};
  found.at = *at;
  // Of another forge than the job's its variables say nothing.
  found.is_own = here == at;
  if (found.is_own) {
    if (found.at == kind::gitlab)
      read_gitlab(found, env);
    else
      read_actions(found, env);
  }
  const auto wished = [](std::string& into, const std::string& word) {
    if (!word.empty()) into = word;
  };
  wished(found.api, given.api);
  wished(found.project, given.project);
  wished(found.pull_request, given.pull_request);
  wished(found.commit, given.commit);
  wished(found.author, given.author);
  found.author_is_given = !given.author.empty();
  while (found.api.ends_with('/')) found.api.pop_back();
  if (!client::parse_web_url(found.api, nullptr) || found.api.find('?') != std::string::npos)
    return text::failure{error::bad_api};  // what stands there by mistake may be a secret
  if (found.project.empty()) return text::failure{error::no_project};
  if (!found.pull_request.empty() && !is_number(found.pull_request))
    return text::failure{error::bad_number, found.pull_request};
  if (!found.commit.empty() && !is_commit(found.commit))
    return text::failure{error::bad_commit, found.commit};
  return {boost::system::in_place_value, std::move(found)};
}

}  // namespace tofud::forge
