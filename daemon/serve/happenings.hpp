// Watches the runs of this daemon for what somebody wants to be told of.
#pragma once

#include "daemon/notify/sender.hpp"
#include "daemon/registry/run_registry.hpp"
#include "daemon/serve/ingested_run.hpp"
#include "daemon/serve/kept_streams.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::serve {

class happenings {
 public:
  struct parts {
    std::function<std::string(const std::string& run)> page;  // its address; empty: there is none
    std::function<std::string(std::string_view text)> hide;   // redacts
  };
  /// `runs` outlives it.
  happenings(boost::asio::io_context& io, notify::sender::options to, kept_streams& runs,
             parts given);
  notify::sender& to() { return to_; }

  /// A stream has ended, and its runs' rows are in memory. `done` is called once all that is to be
  /// told of it is on disk, or can't be.
  void over(const ingested_run& stream, const std::vector<registry::shown_run*>& runs,
            std::function<void()> done);
  /// Looks at runs that go on, again and again, in turns.
  void begin();
  void stop() {
    clock_.cancel();
    to_.stop();
  }

 private:
  void look_later();
  void look_from(registry::run_registry::place from);
  bool is_ours(const registry::shown_run& run) const;
  void look_at(registry::shown_run& run);
  notify::happening happened(const registry::shown_run& run, const feed::run_view& view,
                             notify::occasion what, bool is_end,
                             std::optional<std::chrono::seconds> since = std::nullopt) const;
  void add_changes(std::vector<notify::happening>& to, const registry::shown_run& run,
                   const feed::run_view& view) const;
  void forget_removed();
  void forget_known(std::vector<notify::happening>& all);
  bool is_overrun(const feed::run_view& view, std::chrono::seconds since_start);

  boost::asio::io_context& io_;
  notify::sender to_;
  kept_streams& runs_;
  parts given_;
  boost::asio::steady_timer clock_;
  /// When a run was expected to be over by its first estimate, four times of five: seconds from its
  /// beginning. Of runs that go on.
  std::map<std::string, double> first_estimates_;
  std::map<std::string, std::set<notify::occasion>> told_;  // of runs that go on
};

}  // namespace tofud::serve
