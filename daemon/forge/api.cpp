#include "daemon/forge/api.hpp"

#include "daemon/client/server_token.hpp"
#include "daemon/client/web_url.hpp"
#include "daemon/forge/errors.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/percent.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <utility>

namespace tofud::forge {
namespace {

namespace js = boost::json;

constexpr std::string_view hundred = "per_page=100&page=";

std::string number_at(const js::object& from, std::string_view key) {
  const js::value* found = from.if_contains(key);
  return found != nullptr && found->is_int64() ? std::to_string(found->get_int64()) : "";
}

std::string text_within(const js::object& from, std::string_view object, std::string_view key) {
  const js::value* found = from.if_contains(object);
  return found != nullptr && found->is_object() ? json::text_at(found->get_object(), key) : "";
}

std::string page_path(unsigned page) { return std::string{hundred} + std::to_string(page); }

std::string with_body(const std::string& text) { return js::serialize(js::object{{"body", text}}); }

text::result<js::value> parsed(std::string_view body, const char* what) {
  boost::system::error_code failed;
  js::value read = js::parse(body, failed);
  if (failed) return text::failure{error::bad_answer, std::string{what}};
  return {boost::system::in_place_value, std::move(read)};
}

/// The number of the pull request among these that was merged last, else of the first.
text::result<std::string> last_merged(std::string_view body, std::string_view number) {
  const auto read = parsed(body, "the request for pull requests");
  if (!read) return read.error();
  std::string found, last;
  const js::array* all = read->if_array();
  for (std::size_t i = 0; all != nullptr && i < all->size(); ++i) {
    const js::object* each = (*all)[i].if_object();
    if (each == nullptr) continue;
    std::string merged = json::text_at(*each, "merged_at");
    if (!found.empty() && merged <= last) continue;
    found = number_at(*each, number);
    last = std::move(merged);
  }
  return {boost::system::in_place_value, std::move(found)};
}

/// Of GitHub, https://docs.github.com/rest/issues/comments and rest/commits/statuses.
class github : public api {
 public:
  github(const job& of, std::string base, std::vector<client::header> headers)
      : api{of, std::move(base), std::move(headers)} {
    repository_ = "/repos";
    for (std::string_view left = of.project; !left.empty();) {
      const std::size_t end = std::min(left.find('/'), left.size());
      repository_ += '/';
      text::append_percent_encoded(repository_, left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }

  client::request pull_requests() const override {
    return asked("GET", repository_ + "/commits/" + job_.commit + "/pulls");
  }
  text::result<std::string> pull_request_in(std::string_view body) const override {
    return last_merged(body, "number");
  }
  client::request comments(const std::string& pull, unsigned page) const override {
    return asked("GET", repository_ + "/issues/" + pull + "/comments?" + page_path(page));
  }
  client::request create(const std::string& pull, const std::string& text) const override {
    return asked("POST", repository_ + "/issues/" + pull + "/comments", with_body(text));
  }
  client::request change(const std::string&, const std::string& id,
                         const std::string& text) const override {
    return asked("PATCH", repository_ + "/issues/comments/" + id, with_body(text));
  }
  client::request remove(const std::string&, const std::string& id) const override {
    return asked("DELETE", repository_ + "/issues/comments/" + id);
  }
  client::request set_status(const commit_status& what) const override {
    constexpr const char* states[] = {"pending", "success", "failure"};
    js::object body{{"state", states[static_cast<int>(what.state)]},
                    {"context", what.context},
                    {"description", what.description}};
    if (!what.page.empty()) body["target_url"] = what.page;
    return asked("POST", repository_ + "/statuses/" + job_.commit, js::serialize(body));
  }

 protected:
  const std::string& repository() const { return repository_; }

 private:
  posted_comment read(const js::object& from) const override {
    return {number_at(from, "id"), text_within(from, "user", "login"), json::text_at(from, "body"),
            json::text_at(from, "html_url")};
  }
  std::string repository_;
};

/// Of Gitea and Forgejo: GitHub's, nearly. https://docs.gitea.com/api
class gitea final : public github {
 public:
  using github::github;

  client::request pull_requests() const override {
    return asked("GET", repository() + "/commits/" + job_.commit + "/pull");
  }
  text::result<std::string> pull_request_in(std::string_view body) const override {
    const auto read = parsed(body, "the request for pull requests");
    if (!read) return read.error();
    const js::object* pull = read->if_object();
    return {boost::system::in_place_value, pull == nullptr ? "" : number_at(*pull, "number")};
  }
  client::request comments(const std::string& pull, unsigned) const override {
    return asked("GET", repository() + "/issues/" + pull + "/comments");
  }
  bool has_pages() const override { return false; }
};

/// Of GitLab, https://docs.gitlab.com/api/notes and api/commits.
class gitlab final : public api {
 public:
  gitlab(const job& of, std::string base, std::vector<client::header> headers)
      : api{of, std::move(base), std::move(headers)}, project_{"/projects/"} {
    text::append_percent_encoded(project_, of.project);
  }

  client::request pull_requests() const override {
    return asked("GET", project_ + "/repository/commits/" + job_.commit + "/merge_requests");
  }
  text::result<std::string> pull_request_in(std::string_view body) const override {
    return last_merged(body, "iid");
  }
  client::request comments(const std::string& pull, unsigned page) const override {
    return asked("GET", notes(pull) + "?sort=asc&order_by=created_at&" + page_path(page));
  }
  client::request create(const std::string& pull, const std::string& text) const override {
    return asked("POST", notes(pull), with_body(text));
  }
  client::request change(const std::string& pull, const std::string& id,
                         const std::string& text) const override {
    return asked("PUT", notes(pull) + "/" + id, with_body(text));
  }
  client::request remove(const std::string& pull, const std::string& id) const override {
    return asked("DELETE", notes(pull) + "/" + id);
  }
  client::request set_status(const commit_status& what) const override {
    constexpr const char* states[] = {"pending", "success", "failed"};
    js::object body{{"state", states[static_cast<int>(what.state)]},
                    {"name", what.context},
                    {"description", what.description}};
    if (!what.page.empty()) body["target_url"] = what.page;
    return asked("POST", project_ + "/statuses/" + job_.commit, js::serialize(body));
  }

 private:
  std::string notes(const std::string& pull) const {
    return project_ + "/merge_requests/" + pull + "/notes";
  }
  posted_comment read(const js::object& from) const override {
    return {number_at(from, "id"), text_within(from, "author", "username"),
            json::text_at(from, "body"), ""};
  }
  std::string project_;
};

}  // namespace

std::unique_ptr<api> api::of(const job& of, const std::string& token) {
  const auto where = client::parse_web_url(of.api, nullptr);
  std::string base = where ? where->target : "";
  while (base.ends_with('/')) base.pop_back();
  switch (of.at) {
    case kind::github:
      return std::make_unique<github>(
          of, base,
          std::vector<client::header>{{"Authorization", client::bearer(token)},
                                      {"Accept", "application/vnd.github+json"},
                                      {"X-GitHub-Api-Version", "2022-11-28"}});
    case kind::gitlab:
      return std::make_unique<gitlab>(of, base,
                                      std::vector<client::header>{{"PRIVATE-TOKEN", token}});
    case kind::gitea:
      break;
  }
  return std::make_unique<gitea>(of, base,
                                 std::vector<client::header>{{"Authorization", "token " + token}});
}

client::request api::asked(std::string method, const std::string& path, std::string body) const {
  client::request made{std::move(method), base_ + path, headers_, std::move(body)};
  if (!made.body.empty()) made.headers.push_back({"Content-Type", "application/json"});
  return made;
}

client::request api::who_am_i() const { return asked("GET", "/user"); }

std::string api::author_in(std::string_view body) const {
  const auto read = parsed(body, "the question who asks");
  const js::object* user = read ? read->if_object() : nullptr;
  if (user == nullptr) return "";
  return json::text_at(*user, job_.at == kind::gitlab ? "username" : "login");
}

text::result<std::vector<posted_comment>> api::comments_in(std::string_view body) const {
  const auto all = parsed(body, "the request for comments");
  if (!all) return all.error();
  if (!all->is_array())
    return text::failure{error::bad_answer, std::string{"the request for comments"}};
  std::vector<posted_comment> made;
  for (const js::value& each : all->get_array()) {
    if (each.is_object()) made.push_back(read(each.get_object()));
  }
  return {boost::system::in_place_value, std::move(made)};
}

text::result<posted_comment> api::comment_in(std::string_view body) const {
  const auto one = parsed(body, "the request to write the comment");
  if (!one) return one.error();
  if (!one->is_object())
    return text::failure{error::bad_answer, std::string{"the request to write the comment"}};
  return {boost::system::in_place_value, read(one->get_object())};
}

}  // namespace tofud::forge
