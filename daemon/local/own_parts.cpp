#include "daemon/local/own_parts.hpp"

#include "daemon/attachments/files.hpp"
#include "daemon/attachments/hidden_file.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/keeper/spool_writer.hpp"
#include "daemon/local/limits.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/stack/plan_file.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tofud {

using clock = std::chrono::steady_clock;

own_parts::own_parts(const keeper::worker_link& link, pipeline::engine& rows,
                     const std::vector<events::placed<events::attachment>>& known)
    : link_{link}, rows_{rows} {
  for (const auto& each : known) {
    known_.push_back(each.what.part);
    rows_.add({each.offset, each.what});
  }
}

void own_parts::prepare(boost::asio::io_context& io, attachments::wanted wanted, listeners told) {
  told_ = std::move(told);
  wanted.spool = link_.page->spool_path.data();
  if (is_known(feed::attachment::config)) wanted.config.clear();
  if (is_known(feed::attachment::plan)) wanted.plan = wanted.found.plan = "";
  if (is_known(feed::attachment::plan) || is_known(feed::attachment::schemas)) {
    wanted.schemas.clear();
    wanted.own_schemas.clear();
  }
  if (wanted.spool.empty() || !wanted.anything()) return;
  is_named_ = !wanted.plan.empty() || !wanted.schemas.empty();
  attachments::attachments_preparing::listeners of_child;
  of_child.done = [this](feed::attachment part) { attach(part); };
  of_child.note = [](const std::string& sentence) { spool::notice(sentence); };
  of_child.over = told_.over;
  preparing_ =
      std::make_unique<attachments::attachments_preparing>(io, wanted, std::move(of_child));
}

bool own_parts::is_known(feed::attachment part) const {
  return std::find(known_.begin(), known_.end(), part) != known_.end();
}

void own_parts::attach(feed::attachment part) {
  if (finishing_ || is_known(part)) return;
  const std::string spool = link_.page->spool_path.data();
  const auto hashed =
      stack::hash_plan_file(attachments::beside_spool(spool, part), limits::attached_plan_bytes);
  if (!hashed) return;
  events::attachment made{part, hashed->sha256, hashed->bytes, 0};
  if (part == feed::attachment::plan) {
    const std::string hidden = attachments::hidden_beside_spool(spool);
    made.hidden = attachments::read_hidden_file(hidden).size();
  }
  known_.push_back(part);
  const events::event said{rows_.offset(), made};
  keeper::write_event(link_.events.get(), events::text_of(said));
  rows_.add(said);
  told_.attached();
}

bool own_parts::waits() {
  if (!preparing_ || preparing_->over()) return false;
  if (!until_) until_ = clock::now() + limits::attachment_farewell;
  if (clock::now() < *until_) return true;
  if (std::exchange(is_named_, false)) {
    spool::notice(
        "the files of --plan and --schemas are not attached: the run ended before they were read; "
        "`tofud replay --plan` shows them");
  }
  return false;
}

}  // namespace tofud
