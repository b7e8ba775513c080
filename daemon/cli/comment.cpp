#include "daemon/cli/comment.hpp"

#include "daemon/cli/view_arguments.hpp"
#include "daemon/cli/whole_run.hpp"
#include "daemon/client/web_url.hpp"
#include "daemon/exports/exported_runs.hpp"
#include "daemon/forge/errors.hpp"
#include "daemon/forge/job.hpp"
#include "daemon/forge/keep_comment.hpp"
#include "daemon/forge/run_words.hpp"
#include "daemon/net/tls_client.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/spool_place.hpp"
#include "daemon/terminal/step_summary_file.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace tofud::cli {
namespace {

struct comment_arguments {
  run_argument run;
  attachments::wanted attach;
  std::string mask_file;
  forge::wishes job;
  std::string token_file, page, stack;
  bool no_comment = false, no_status = false;
};

/// A reviewer can open no page of this machine.
std::string page_for(const comment_arguments& given, const opened_run& run, const forge::job& job) {
  if (!given.page.empty()) return given.page;
  const std::string own = page_of(run);
  return own.starts_with("https://") ? own : job.page;
}

/// Where the forge can't be told: the job's own page, if it has one.
void fall_back(const forge::job& job, const forge::contribution& what) {
  if (job.step_summary.empty()) return;
  forge::stacks_comment alone;
  alone.put(what.stack, what.what, what.said);
  const auto failed = terminal::append_step_summary(
      job.step_summary, [&alone](std::size_t room) { return alone.text(room) + "\n"; });
  spool::notice(failed.empty() ? "the comment stands in the summary of the step instead" : failed);
}

/// Null: the address or the certificates can't be used, which is said.
std::unique_ptr<forge::asker> asker_for(const forge::job& job) {
  auto tls = net::tls_client::open("");
  if (!tls) {
    spool::notice(tls.error().text());
    return nullptr;
  }
  auto where = client::parse_web_url(job.api, std::move(*tls));
  return where ? std::make_unique<forge::asker>(std::move(where->at)) : nullptr;
}

class telling {
 public:
  telling(const comment_arguments& given, const forge::job& job) : given_{given}, job_{job} {}

  /// A forge that can't be told is said, and no failure: the run is over, and a job that fails for
  /// its comment would be another reason to look for.
  void tell(const forge::contribution& what, const forge::commit_status& status) {
    const auto token = forge::token_for(job_, spool::process_environment(), given_.token_file);
    if (!token) {
      spool::notice(token.error().text());
      if (!given_.no_comment) fall_back(job_, what);
      return;
    }
    const auto at = asker_for(job_);
    if (!at) return given_.no_comment ? void() : fall_back(job_, what);
    const auto by = forge::api::of(job_, *token);
    if (!given_.no_comment) comment(*at, *by, what);
    if (!given_.no_status) {
      if (const auto wrong = forge::keep_status(*at, *by, job_, status); !wrong.empty())
        spool::notice("the commit has no status " + status.context + ": " + wrong.text());
    }
  }

 private:
  void comment(forge::asker& at, const forge::api& by, const forge::contribution& what) {
    const auto pull = forge::pull_request_of(at, by, job_);
    if (!pull && pull.error().is(forge::error::no_pull_request))
      return spool::notice(pull.error().text());
    const auto page = pull ? forge::keep_comment(at, by, job_, *pull, what)
                           : text::result<std::string>{pull.error()};
    if (!page) {
      spool::notice("the pull request gets no comment: " + page.error().text());
      return fall_back(job_, what);
    }
    spool::notice("the comment stands in pull request " + *pull +
                  (page->empty() ? "" : ": " + *page));
  }

  const comment_arguments& given_;
  const forge::job& job_;
};

int run_comment(const comment_arguments& given) {
  const auto job = forge::job_in(spool::process_environment(), given.job);
  if (!job) {
    spool::notice(job.error().text());
    return 2;
  }
  run_argument which = given.run;
  // A job means its own last run; its token for the daemon may be good for sending only.
  if (which.run.empty() && which.server.empty()) which.no_server = true;
  const auto run = whole_run::read(which, given.attach, given.mask_file);
  if (!run) return 2;
  const auto runs = exports::exported_runs(run->fold(), run->only());
  if (runs.empty()) {
    spool::notice("the stream has no run");
    return 2;
  }
  // Of several the last that a reviewer cares for.
  const auto found = std::find_if(runs.rbegin(), runs.rend(), [](const exports::run_rows& each) {
    return forge::kind_of(each.run).has_value();
  });
  if (found == runs.rend()) {
    spool::notice("a pull request shows plans and applies; this run is a " +
                  std::string{feed::name(runs.back().run.command)});
    return 2;
  }
  exports::run_rows last = *found;
  if (!given.stack.empty()) last.run.stack = given.stack;
  const auto what = forge::kind_of(last.run);
  const std::string page = page_for(given, run->opened(), *job);
  telling{given, *job}.tell(forge::contribution_of(last, *what, page, run->plan()),
                            forge::status_of(last.run, *what, page));
  return 0;
}

}  // namespace

void add_comment(command& line) {
  auto given = std::make_shared<comment_arguments>();
  command& words = line.add_command(
      "comment", "Show a run in its pull request: one comment for all stacks, and a commit status");
  add_run_argument(words, given->run, run_given::maybe);
  words
      .add_option("--stack", given->stack,
                  "What the stack is called in the comment (default: as in the run)")
      .value("NAME");
  words
      .add_option("--forge", given->job.forge,
                  "Where the repository is (default: where the job runs)")
      .one_of({"github", "gitlab", "gitea"});
  words
      .add_option("--api", given->job.api,
                  "Address (https) of the forge's API (default: the job's)")
      .value("URL");
  words
      .add_option("--project", given->job.project,
                  "Repository, such as acme/infra (default: the job's)")
      .value("NAME");
  words
      .add_option("--pull-request", given->job.pull_request,
                  "Number of the pull request (default: the job's, else the one that its commit "
                  "came from)")
      .value("N");
  words
      .add_option("--commit", given->job.commit,
                  "Commit that gets the status (default: the last of the pull request's branch)")
      .value("ID");
  words
      .add_option("--author", given->job.author,
                  "Whose comments are the job's own, if the forge does not say; nobody else's are "
                  "ever changed")
      .value("LOGIN");
  words
      .add_option("--forge-token-file", given->token_file,
                  "File with the forge's token in its first line (default: GITHUB_TOKEN, "
                  "GITLAB_TOKEN or GITEA_TOKEN)")
      .value("FILE");
  words
      .add_option("--page", given->page,
                  "Address (https) that the comment leads to (default: the run's page at its "
                  "daemon, else the job's)")
      .value("URL")
      .check([](const std::string& page) {
        return forge::is_link(page) ? "" : "write an https address, without blanks and brackets";
      });
  words.add_flag("--no-comment", given->no_comment, "Set the commit status only");
  words.add_flag("--no-status", given->no_status, "Write the comment only");
  add_attachment_arguments(words, given->attach);
  words
      .add_option("--mask-file", given->mask_file,
                  "File with more values to redact, one on each line")
      .value("FILE")
      .variable("TOFUD_MASK_FILE");
  words.run = [given] { return run_comment(*given); };
}

}  // namespace tofud::cli
