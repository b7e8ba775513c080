// What is asked of a forge: requests and what their answers mean, as values.
#pragma once

#include "daemon/client/message.hpp"
#include "daemon/forge/job.hpp"
#include "protocol/text/failure.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::forge {

struct posted_comment {
  std::string id, author, body, page;
};

enum class state : std::uint8_t { pending, success, failure };

/// What a forge shows beside a commit, by its context.
struct commit_status {
  forge::state state = forge::state::pending;
  std::string context;      // such as "tofud/plan/net/prod"
  std::string description;  // at most limits::forge_description_bytes
  std::string page;         // https; empty: none
};

/// How one forge wants to be asked. Targets begin with the path of the API's address.
class api {
 public:
  /// `of` outlives it.
  static std::unique_ptr<api> of(const job& of, const std::string& token);
  virtual ~api() = default;
  api(const api&) = delete;
  api& operator=(const api&) = delete;

  /// Who is asking; forges refuse that to the tokens of some jobs.
  client::request who_am_i() const;
  std::string author_in(std::string_view body) const;

  /// The pull requests that a commit came from.
  virtual client::request pull_requests() const = 0;
  /// The number of the one that was merged last, else of the first; empty: there is none.
  virtual text::result<std::string> pull_request_in(std::string_view body) const = 0;

  /// `page` counts from 1; a page has a hundred.
  virtual client::request comments(const std::string& pull, unsigned page) const = 0;
  text::result<std::vector<posted_comment>> comments_in(std::string_view body) const;
  /// Whether it gives all comments at once, whatever page is asked for.
  virtual bool has_pages() const { return true; }

  virtual client::request create(const std::string& pull, const std::string& text) const = 0;
  virtual client::request change(const std::string& pull, const std::string& id,
                                 const std::string& text) const = 0;
  virtual client::request remove(const std::string& pull, const std::string& id) const = 0;
  text::result<posted_comment> comment_in(std::string_view body) const;

  virtual client::request set_status(const commit_status& what) const = 0;

 protected:
  api(const job& of, std::string base, std::vector<client::header> headers)
      : job_{of}, base_{std::move(base)}, headers_{std::move(headers)} {}

  client::request asked(std::string method, const std::string& path, std::string body = "") const;

  const job& job_;

 private:
  virtual posted_comment read(const boost::json::object& from) const = 0;

  std::string base_;  // the path of the API
  std::vector<client::header> headers_;
};

}  // namespace tofud::forge
