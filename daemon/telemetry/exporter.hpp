// Sends what ended runs were to a collector, while a daemon serves.
#pragma once

#include "daemon/client/http_client.hpp"
#include "daemon/correlator/run_state.hpp"
#include "daemon/exports/copied_rows.hpp"
#include "daemon/exports/otlp.hpp"
#include "daemon/net/worker_thread.hpp"
#include "daemon/telemetry/destination.hpp"
#include "daemon/telemetry/run_metrics.hpp"
#include "protocol/events/trace_parent.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tofud::telemetry {

/// Used by the loop. Of a collector that is dead, slow or hostile nobody notices anything but the
/// counts: one run at a time is in memory, the others wait by their ids, in bounded number.
class exporter {
 public:
  /// A run whose rows are in memory, for as long as `keeps` is held.
  struct read_run {
    const correlator::run_state* rows = nullptr;
    feed::run_view view;
    std::shared_ptr<const void> keeps;
    std::optional<events::trace_parent> parent;
    std::string page;
  };
  struct options {
    destination to;
    /// Reads the run, from the disk if it has to; nothing: it is gone. Calls back on the loop,
    /// maybe at once.
    std::function<void(const std::string& run, std::function<void(std::optional<read_run>)>)> read;
    std::function<void(const std::string& sentence)> complained;  // is to be logged
  };
  exporter(boost::asio::io_context& io, options given);
  ~exporter();
  exporter(const exporter&) = delete;
  exporter& operator=(const exporter&) = delete;

  bool is_on() const { return given_.to.is_on(); }
  /// A run is over.
  void over(const std::string& run, const feed::run_view& view);
  /// To be called about once a second.
  void look();
  /// Nothing is begun any more, and what waits is not sent.
  void stop();

  struct counted {
    std::uint64_t runs = 0, spans = 0;  // that the collector took
    std::uint64_t runs_lost = 0, failures = 0;
  };
  const counted& counts() const { return counts_; }
  std::size_t waiting() const { return waiting_.size() + (now_ ? 1 : 0); }

 private:
  using steady = std::chrono::steady_clock;
  /// A run on its way.
  struct sending {
    std::optional<exports::copied_rows> rows;
    exports::trace_surroundings around;
    exports::trace_requests made;
    std::size_t next = 0;        // of its requests
    unsigned tries = 0;          // of that one
    std::uint64_t rejected = 0;  // spans that the collector did not keep
    read_run of;
  };
  void begin();
  void copy();
  void draw();
  void send_next();
  void send_metrics();
  void post(const signal& to, std::string body, std::function<void(const client::answered&)> done);
  /// False: it is to be sent again, but not now.
  bool is_over(const client::answered& answer);
  void failed(const text::failure& why, std::optional<std::chrono::seconds> after);
  void done(bool was_taken);
  template <class Then>
  void later(Then then);

  boost::asio::io_context& io_;
  options given_;
  run_metrics metrics_;
  std::deque<std::string> waiting_;
  std::unique_ptr<sending> now_;
  std::unique_ptr<client::http_client> client_;
  bool busy_ = false, stopped_ = false, metrics_changed_ = false;
  steady::time_point rests_until_{}, metrics_at_{};
  unsigned failures_in_row_ = 0;
  std::string trouble_;  // why the collector took nothing when it was asked last; empty: it did
  counted counts_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  net::worker_thread thread_;  // last: it uses the others
};

}  // namespace tofud::telemetry
