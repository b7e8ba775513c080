#include "daemon/forge/keep_comment.hpp"

#include "daemon/forge/errors.hpp"
#include "daemon/forge/limits.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace tofud::forge {
namespace {

using clock = std::chrono::steady_clock;

constexpr const char* may_comment = "comments (pull-requests: write)";
constexpr const char* may_set_status = "commit statuses (statuses: write)";

bool is_good(const client::response& answer) { return answer.status / 100 == 2; }

class keeping {
 public:
  keeping(asker& at, const api& by, const job& of, std::string pull, const contribution& what)
      : at_{at}, by_{by}, job_{of}, pull_{std::move(pull)}, what_{what} {}

  text::result<std::string> keep() {
    if (auto wrong = find_author(); !wrong.empty()) return wrong;
    for (unsigned i = 0; i < limits::forge_attempts; ++i) {
      const auto read_at = clock::now();
      if (auto wrong = read(); !wrong.empty()) return wrong;
      if (is_kept()) return {boost::system::in_place_value, ours_.front().page};
      stacks_comment all = merged();
      all.put(what_.stack, what_.what, what_.said);
      const std::string text = all.text(limits::forge_comment_bytes);
      if (!stacks_comment::parse(text).has(what_.stack, what_.what, what_.said))
        return text::failure{error::no_room, all.sections().size() - 1};
      // Whoever writes later than that after reading would overwrite what others said meanwhile. A
      // forge that is always slow is written to all the same.
      const bool is_stale = clock::now() - read_at > limits::forge_stale_after;
      if (is_stale && i < limits::forge_attempts / 2) continue;
      if (auto wrong = write(text); !wrong.empty()) return wrong;
      settle();
    }
    return text::failure{error::contended};
  }

 private:
  text::failure find_author() {
    const auto answer = at_.ask(by_.who_am_i());
    if (!answer) return answer.error();
    if (is_good(*answer)) author_ = by_.author_in(answer->body);
    // The token of GitHub's jobs is of no user.
    if (author_.empty() || job_.author_is_given) author_ = job_.author;
    if (author_.empty()) return meaning_of(*answer, "the question who asks", may_comment);
    return {};
  }

  /// The comments of ours, oldest first.
  text::failure read() {
    ours_.clear();
    for (unsigned page = 1; page <= limits::forge_pages; ++page) {
      const auto answer = at_.ask(by_.comments(pull_, page));
      if (!answer) return answer.error();
      if (!is_good(*answer)) return meaning_of(*answer, "the request for comments", may_comment);
      auto some = by_.comments_in(answer->body);
      if (!some) return some.error();
      const std::size_t count = some->size();
      for (posted_comment& each : *some) {
        if (each.author == author_ && stacks_comment::is_in(each.body))
          ours_.push_back(std::move(each));
      }
      if (!by_.has_pages() || count < 100) break;
    }
    return {};
  }

  bool is_kept() const {
    return ours_.size() == 1 &&
           stacks_comment::parse(ours_.front().body).has(what_.stack, what_.what, what_.said);
  }

  stacks_comment merged() const {
    stacks_comment all;
    for (const posted_comment& each : ours_) all.merge(stacks_comment::parse(each.body));
    return all;
  }

  text::failure write(const std::string& text) {
    const auto answer = at_.ask(ours_.empty() ? by_.create(pull_, text)
                                              : by_.change(pull_, ours_.front().id, text));
    if (!answer) return answer.error();
    // Somebody deleted it by hand: the next look finds none.
    const bool is_gone = !ours_.empty() && (answer->status == 404 || answer->status == 410);
    if (!is_good(*answer) && !is_gone)
      return meaning_of(*answer, "the request to write the comment", may_comment);
    if (is_gone) return {};
    if (ours_.empty()) {
      // Whose token it is the forge may say only now; the next look finds what was ours before.
      const auto made = by_.comment_in(answer->body);
      if (made && !made->author.empty()) author_ = made->author;
    }
    // All that they say is in the first now.
    for (std::size_t i = 1; i < ours_.size(); ++i) {
      const auto removed = at_.ask(by_.remove(pull_, ours_[i].id));
      if (!removed) return removed.error();
      // Another job may have been faster.
      if (!is_good(*removed) && removed->status != 404)
        return meaning_of(*removed, "the request to remove a second comment", may_comment);
    }
    return {};
  }

  static void settle() {
    static std::mt19937 chance{std::random_device{}()};
    const auto most = limits::forge_settles_after.count();
    std::this_thread::sleep_for(
        limits::forge_settles_after +
        std::chrono::milliseconds{std::uniform_int_distribution<long>{0, most}(chance)});
  }

  asker& at_;
  const api& by_;
  const job& job_;
  std::string pull_;
  const contribution& what_;
  std::string author_;
  std::vector<posted_comment> ours_;
};

}  // namespace

text::result<std::string> pull_request_of(asker& at, const api& by, const job& of) {
  const auto found = [](std::string number) {
    return text::result<std::string>{boost::system::in_place_value, std::move(number)};
  };
  if (!of.pull_request.empty()) return found(of.pull_request);
  if (of.commit.empty()) return text::failure{error::no_pull_request};
  const auto answer = at.ask(by.pull_requests());
  if (!answer) return answer.error();
  // Gitea says 404 of a commit that came from none.
  if (answer->status == 404) return text::failure{error::no_pull_request};
  if (!is_good(*answer)) return meaning_of(*answer, "the request for pull requests", may_comment);
  auto number = by.pull_request_in(answer->body);
  if (number && number->empty()) return text::failure{error::no_pull_request};
  return number;
}

text::result<std::string> keep_comment(asker& at, const api& by, const job& of,
                                       const std::string& pull, const contribution& what) {
  return keeping{at, by, of, pull, what}.keep();
}

text::failure keep_status(asker& at, const api& by, const job& of, const commit_status& what) {
  if (of.commit.empty()) return {error::no_commit};
  const auto answer = at.ask(by.set_status(what));
  if (!answer) return answer.error();
  return is_good(*answer) ? text::failure{}
                          : meaning_of(*answer, "the request to set the status", may_set_status);
}

}  // namespace tofud::forge
