#include "daemon/serve/retiring.hpp"

#include "daemon/operations/log_event.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/serve/traced_runs.hpp"

#include <algorithm>
#include <utility>

namespace tofud::serve {

retiring::retiring(boost::asio::io_context& io, journal::store& store, kept_streams& runs,
                   options given)
    : store_{store},
      runs_{runs},
      kept_{given.kept},
      archive_{io,
               {std::move(given.directory), std::move(given.archive_to), std::move(given.at),
                [](const std::string& sentence) {
                  operations::log_info(operations::events::archive, {}, "{}", sentence);
                },
                [](const std::string& sentence) {
                  operations::log_warning(operations::events::archive, {}, "{}", sentence);
                }}},
      telemetry_{io,
                 {std::move(given.traced_to), traced_runs(runs, std::move(given.page)),
                  [](const std::string& sentence) {
                    operations::log_warning(operations::events::telemetry, {}, "{}", sentence);
                  }}},
      clock_{io} {}

void retiring::over(const std::vector<registry::shown_run*>& runs, kept_streams::ending when) {
  archive_.expect();
  if (when == kept_streams::ending::again) return;  // whoever was to be told has been
  for (const registry::shown_run* each : runs) telemetry_.over(each->id(), each->view());
}

void retiring::look() {
  archive_.look();
  telemetry_.look();
}

void retiring::retain(journal::retention kept) {
  kept_ = kept;
  retain();
}

void retiring::retain() {
  const auto now = shared_ == nullptr ? operations::utc_now() : shared_->now();
  // Before the clocks were compared nobody knows how old a run is.
  if (shared_ == nullptr || (shared_->is_the_one() && shared_->clock().ahead())) {
    journal::asked_of_runs asked{
        [this](const std::string& run) { return runs_.is_in_use(run); },
        [this, now](const std::string& run) { return archive_.waits_for(run, now); }, nullptr};
    // The clock of the daemon that took it in may be wrong.
    if (shared_ != nullptr)
      asked.seen_at = [this](const std::string& run) { return shared_->cards().told_at(run); };
    store_.retain(kept_, now, asked,
                  [this](const std::vector<std::string>& runs) { removed(runs); });
  }
  clock_.expires_after(limits::retain_every);
  clock_.async_wait([this](boost::system::error_code failed) {
    if (!failed) retain();
  });
}

void retiring::removed(const std::vector<std::string>& runs) {
  for (const std::string& run : runs) {
    if (shared_ != nullptr) shared_->removed_here(run);
    runs_.forget(run);
  }
  if (runs.empty()) return;
  operations::log_info(operations::events::runs_retired, {}, "retention removed {} runs",
                       runs.size());
  if (!archive_.is_on()) return;
  const auto lost = std::count_if(runs.begin(), runs.end(),
                                  [this](const auto& run) { return !archive_.has(run); });
  if (lost > 0)
    operations::log_warning(operations::events::archive, {},
                            "retention removed {} runs that the archive does not have", lost);
}

void retiring::stop() {
  clock_.cancel();
  archive_.stop();
  telemetry_.stop();
}

}  // namespace tofud::serve
