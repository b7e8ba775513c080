// What becomes of runs that are over: they are archived, traced, and go when they were kept long
// enough.
#pragma once

#include "daemon/archive/archiver.hpp"
#include "daemon/journal/retention.hpp"
#include "daemon/journal/store.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/membership.hpp"
#include "daemon/telemetry/exporter.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tofud::serve {

/// `store` and `runs` outlive it.
class retiring {
 public:
  struct options {
    std::string directory;  // the journal's
    journal::retention kept;
    std::string archive_to;              // see archiver::options
    std::unique_ptr<archive::place> at;  // null: nothing is archived
    telemetry::destination traced_to;
    std::function<std::string(const std::string& run)> page;  // its address; empty: there is none
  };
  retiring(boost::asio::io_context& io, journal::store& store, kept_streams& runs, options given);

  /// Only who does what is done once removes runs from here on, and for all.
  void share(membership& with) { shared_ = &with; }
  /// Looks at once, and then from time to time.
  void retain();
  /// The same by other limits.
  void retain(journal::retention kept);
  void stop();

  archive::archiver& archive() { return archive_; }
  const telemetry::exporter& telemetry() const { return telemetry_; }

  /// Runs are over, and their rows in memory.
  void over(const std::vector<registry::shown_run*>& runs, kept_streams::ending when);
  /// To be called about once a second.
  void look();

 private:
  void removed(const std::vector<std::string>& runs);

  journal::store& store_;
  kept_streams& runs_;
  journal::retention kept_;
  archive::archiver archive_;
  telemetry::exporter telemetry_;
  boost::asio::steady_timer clock_;
  membership* shared_ = nullptr;
};

}  // namespace tofud::serve
