#include "daemon/cli/whole_run.hpp"

#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"

#include <utility>

namespace tofud::cli {
namespace {

void say_no_plan(const std::string& why) { spool::notice("the plan is not shown: " + why); }

}  // namespace

std::unique_ptr<whole_run> whole_run::read(const run_argument& given,
                                           const attachments::wanted& attach,
                                           const std::string& mask_file) {
  auto opened = open_run(given);
  if (!opened) return nullptr;
  std::unique_ptr<whole_run> made{new whole_run{std::move(*opened)}};
  pipeline::kept_stream& kept = made->opened_.stream;
  const std::string* path = kept.path();
  // Beside a stream here lies what was attached to it; of a run at a daemon only what is named.
  auto parts = pipeline::attached_parts::named(attach, path == nullptr ? std::string{} : *path);
  if (!parts) {
    spool::notice(parts.error().text());
    return nullptr;
  }
  made->parts_.emplace(std::move(*parts));
  auto identity = kept.identity();
  // A run at a daemon was redacted when it was sent.
  if (path != nullptr) {
    auto found = redaction::rules_of_stream(*path, mask_file);
    if (!found) {
      spool::notice(found.error().text());
      return nullptr;
    }
    made->rules_ = std::move(*found);
    identity = redaction::redacted(std::move(identity), *made->rules_);
  }
  made->stream_ = std::make_unique<pipeline::engine>(std::move(identity), made->parts_->reader());
  made->rows_ = std::make_unique<pipeline::final_rows>(*made->stream_);
  if (made->rules_) made->stream_->redact_by(*made->rules_);
  // Asked first: what is written after the answer is read as well.
  const bool goes_on = kept.is_written();
  if (const auto failure = feed_all(*made->stream_, kept, *made->parts_); !failure.empty()) {
    spool::notice(failure.text());
    return nullptr;
  }
  if (goes_on) {
    spool::notice("the run is still going; this is what is known so far");
  } else {
    finish(*made->stream_, kept);
  }
  return holds(made->fold(), made->opened_.chosen) ? std::move(made) : nullptr;
}

exports::plan_writer whole_run::plan() const {
  const pipeline::kept_stream& kept = opened_.stream;
  if (const auto known = stream_->attached(); known && known->has(feed::attachment::plan)) {
    const auto by = rules_ ? std::make_shared<const redact::ready_rules>(*rules_) : nullptr;
    return [known, by](std::string& out, std::size_t room) {
      if (const auto failure = known->add_markdown(out, room, by); !failure.empty())
        say_no_plan(failure.text());
    };
  }
  const client::service* daemon = kept.daemon();
  if (daemon == nullptr) return [](std::string&, std::size_t) {};
  return [daemon, run = kept.identity().id](std::string& out, std::size_t room) {
    const auto comment = daemon->plan_comment(run, room);
    if (!comment) return say_no_plan(comment.error().sentence);
    out += comment->value_or("");
  };
}

}  // namespace tofud::cli
