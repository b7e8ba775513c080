// This daemon as one of several: what it tells the others of its runs, and hears of theirs.
#pragma once

#include "daemon/cluster/bucket.hpp"
#include "daemon/cluster/lease.hpp"
#include "daemon/cluster/server_clock.hpp"
#include "daemon/cluster/shared_log.hpp"
#include "daemon/journal/store.hpp"
#include "daemon/notify/sender.hpp"
#include "daemon/serve/cluster_options.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/run_cards.hpp"
#include "daemon/serve/shared_access.hpp"
#include "daemon/serve/shared_history.hpp"
#include "daemon/serve/shared_outbox.hpp"
#include "daemon/serve/sharing.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::serve {

class membership final : public sharing {
 public:
  /// `store` outlives it. `directory`: where the daemon's name is kept. The failure: it can't be a
  /// member, whatever NATS says.
  static text::result<std::unique_ptr<membership>> open(boost::asio::io_context& io,
                                                        journal::store& store,
                                                        cluster_options options,
                                                        const std::string& directory);
  ~membership() override;

  /// Before anything else; `runs` outlives its last word.
  void serve(kept_streams& runs) {
    runs_ = &runs;
    cards_->serve(runs);
  }
  /// One daemon tells of what happens to the runs of all. `to` outlives its last word.
  void share_notifications(notify::sender& to);
  /// Tokens and sessions are those of all daemons. `gate` outlives its last word.
  void share_access(access::gate& gate, std::string token_file, std::function<void()> changed);
  /// Does what is to be done once for all daemons.
  bool is_the_one() const { return once_ && once_->is_held(); }
  void begin();
  void stop();
  /// Calls `done` on the loop, once: what the others know is known here, or it takes too long.
  void when_current(std::function<void()> done);

  /// The time that the daemons agree on.
  ui::time_point now() const { return clocks_.shared->now(); }
  const cluster::server_clock& clock() const { return *clocks_.shared; }

  bool is_up() const { return link_->is_up(); }
  bool is_current() const { return now_.is_current; }
  /// A sentence if others may know more than this daemon; empty: none does.
  std::string why_behind() const;
  const cluster::link& over() const { return *link_; }
  const run_cards& cards() const { return *cards_; }
  std::uint64_t brought() const { return brought_; }
  std::size_t members() const { return members_.size(); }
  std::size_t waiting() const { return log_->with_surplus().size(); }
  std::uint64_t lease_changes() const { return once_->changes(); }
  std::uint64_t rereads() const { return log_->readers_begun_again() + cards_->begun_again(); }
  /// Called with why_behind(), when it may be another one.
  void on_behind(std::function<void(std::string)> to) { behind_ = std::move(to); }
  /// Not yet what `when_current` waits for.
  bool is_waited_for() const { return current_ != nullptr; }

  // ---- sharing ------------------------------------------------------------------------------
  std::string wall_epoch() const override;
  journal::run_log& log() override { return *log_; }
  net::task<text::failure> open(journal::run_header header) override;
  void changed(const ingested_run& run, std::string views) override {
    cards_->changed(run, std::move(views));
  }
  void remember(const std::string& run, const std::vector<history::run_operations>& did) override {
    history_->tell(run, did);
  }
  net::task<text::failure> remove(std::string run, journal::removed_by whom) override;
  /// Retention has removed it here: it goes everywhere.
  void removed_here(const std::string& run);
  net::task<text::failure> bring(std::string run) override;
  void follow(const std::string& run) override { log_->follow(run); }
  void leave(const std::string& run) override { log_->leave(run); }
  void forget_log(const std::string& run) override { log_->forget(run); }
  void doubt(const std::string& run) override { log_->doubt(run); }
  void forget(const std::string& run) override;
  bool may_append(const std::string& run) const override { return log_->may_append(run); }
  net::task<text::failure> take_over(std::string run) override;
  net::task<text::failure> find(std::string run) override { return cards_->find(std::move(run)); }
  net::task<text::failure> find_upload(std::string upload_id) override;

 private:
  membership(boost::asio::io_context& io, journal::store& store, cluster_options options,
             std::string own_name);

  void link_changed(bool is_up);
  net::task<bool> join();
  net::task<text::failure> make_streams();
  net::task<bool> tell_untold();
  net::task<bool> make_room();
  net::task<text::failure> claim_upload(journal::run_header header);
  bool is_gone(const std::string& member) const;
  net::task<bool> rescue();
  net::task<text::failure> may_open(journal::run_header header);
  net::task<text::failure> remove_everywhere(std::string run);
  net::task<bool> give_up_if_made_elsewhere(std::string run);
  net::task<bool> give_up_made_elsewhere();
  net::task<bool> append_surplus();
  net::task<bool> read_doubted();
  net::task<bool> share_history();
  net::task<bool> finish_cut_off();
  void tell_heard();
  void hear(std::string_view said);
  void look();
  void become_current();
  void say_behind() const;

  boost::asio::io_context& io_;
  journal::store& store_;
  cluster_options options_;
  std::string own_name_;
  std::string nonce_;  // another daemon of that name has another one
  std::unique_ptr<cluster::link> link_;
  std::unique_ptr<cluster::jetstream> streams_;
  std::unique_ptr<cluster::shared_log> log_;
  struct buckets {
    std::unique_ptr<cluster::bucket> uploads, leases;
  } buckets_;
  std::unique_ptr<run_cards> cards_;
  std::shared_ptr<cluster::lease> once_;
  struct telling {
    notify::sender* to = nullptr;
    std::unique_ptr<shared_outbox> outbox;
    std::vector<std::string> untold;  // runs that have ended, by the look before
    std::set<std::string> tried;      // of those: whose end was told of once more
  } telling_;
  cluster::link::held hears_;
  kept_streams* runs_ = nullptr;
  std::map<std::string, std::chrono::steady_clock::time_point, std::less<>> members_;  // heard at
  struct clocks {
    explicit clocks(boost::asio::io_context& io) : look{io}, waits{io} {}
    boost::asio::steady_timer look, waits;
    std::unique_ptr<cluster::server_clock> shared;
  } clocks_;
  std::chrono::steady_clock::time_point told_at_;
  std::function<void()> current_;
  std::function<void(std::string)> behind_;
  std::unique_ptr<shared_access> access_;  // null: nobody shares it
  std::unique_ptr<shared_history> history_;
  std::uint64_t looks_ = 0;
  std::optional<std::uint64_t> shared_at_;  // cards_->losses(), when all runs were told of
  struct {
    bool is_joining = false, is_joined = false, is_current = false, is_stopped = false,
         is_rescuing = false, is_name_taken = false;
  } now_;
  std::uint64_t brought_ = 0;
};

}  // namespace tofud::serve
