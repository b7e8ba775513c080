// Sees to it that ended runs are archived, as long as a daemon serves.
#pragma once

#include "daemon/archive/archived_run.hpp"
#include "daemon/archive/place.hpp"
#include "daemon/journal/disk.hpp"
#include "daemon/net/task.hpp"
#include "daemon/net/worker_thread.hpp"
#include "protocol/text/failure.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tofud::archive {

/// Used by the loop; the place and the disk are waited for on a thread of its own.
class archiver {
 public:
  struct options {
    std::string root;           // the journal's
    std::string to;             // the place's address; empty: nothing is archived
    std::unique_ptr<place> at;  // null: nothing is archived
    std::function<void(const std::string&sentence)> said, complained;  // what is to be logged
    journal::disk* on = nullptr;                                       // null: the real disk
  };
  archiver(boost::asio::io_context& io, options given);
  ~archiver();
  archiver(const archiver&) = delete;
  archiver& operator=(const archiver&) = delete;

  /// To be called about once a second.
  void look();
  /// A run has ended just now.
  void expect();
  /// Nothing is begun any more, and what is being sent is given up; the next daemon sends it.
  void stop();

  bool is_on() const { return given_.at != nullptr; }
  bool has(std::string_view run) const { return archived_.contains(run); }
  /// Whether a run that is over is to stay a while, since the archive does not have it yet.
  bool waits_for(std::string_view run, ui::time_point now) const;

  /// Takes the run out of the archive, and archives it no more until `let_go`. The failure says
  /// why it is still there; none: it is not there.
  net::task<text::failure> remove(std::string run);
  /// It is removed here as well, or will not be.
  void let_go(const std::string& run);

  struct counted {
    std::uint64_t runs = 0, bytes = 0, failures = 0;  // since the start
  };
  const counted& counts() const { return counts_; }
  std::size_t waiting() const { return waiting_.size(); }
  /// Why the archive took nothing when it was asked last; empty: it did.
  const std::string& trouble() const { return trouble_; }

 private:
  using steady = std::chrono::steady_clock;
  template <class T>
  void on_thread(std::function<T()> work, std::function<void(T)> then);
  void look_at_disk();
  void begin();
  void archive_next();
  void failed(const text::failure& why);
  void succeeded();

  boost::asio::io_context& io_;
  options given_;
  journal::disk& on_;
  std::set<std::string, std::less<>> archived_, being_removed_;
  std::map<std::string, ui::time_point, std::less<>> waiting_;  // by id: when it was over
  std::deque<std::string> order_;  // of these and of some that wait no more; the next first
  bool has_looked_ = false, has_begun_ = false, busy_ = false, stopped_ = false;
  steady::time_point rests_until_{}, looks_at_{}, compares_at_{};
  unsigned failures_in_row_ = 0;
  std::string trouble_;
  counted counts_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  net::worker_thread thread_;  // last: it uses the others
};

}  // namespace tofud::archive
