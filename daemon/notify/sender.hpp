// Takes what happens, and tells whoever wants to know it.
#pragma once

#include "daemon/client/http_client.hpp"
#include "daemon/net/tls_client.hpp"
#include "daemon/net/worker_thread.hpp"
#include "daemon/notify/outbox.hpp"
#include "daemon/notify/post.hpp"
#include "daemon/notify/rule.hpp"
#include "protocol/text/failure.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/result.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tofud::notify {

/// Rules with what their files hold.
struct ready_rules {
  std::vector<rule> all;
  std::map<std::string, std::shared_ptr<const net::tls_client>> tls;  // by name
};
text::result<ready_rules> ready(std::vector<rule> all);

/// Of one rule, for who looks at it.
struct rule_state {
  std::string name, where;
  std::string why_off;  // empty: it is on
};

/// Its disk and its programs have threads of their own. Used by the loop.
class sender {
 public:
  /// Where several daemons have the same outbox.
  struct shared_with {
    /// Puts a change where all take it from, and calls `then` once it is there.
    std::function<void(std::string change, std::function<void()> then)> share;
    std::function<bool()> may_deliver;  // one of them does
  };
  struct options {
    std::string path;                              // of the outbox
    std::function<std::string()> source;           // the daemon's address; may be empty
    std::function<void(const std::string&)> said;  // what is to be logged
  };
  sender(boost::asio::io_context& io, options given);
  ~sender();
  sender(const sender&) = delete;
  sender& operator=(const sender&) = delete;

  /// Makes the outbox, unless nobody wants to be told. Once, before anything is taken.
  text::failure open();
  /// By these from now on. Rules that were off are on again.
  void follow(ready_rules given);
  bool has_rules() const { return !rules_.all.empty(); }
  /// From now on; before anything is taken.
  void share(shared_with others) { others_ = std::move(others); }
  bool is_shared() const { return others_.share != nullptr; }
  bool may_deliver() const { return !others_.may_deliver || others_.may_deliver(); }
  /// The newest change that was applied here.
  void applied(std::function<void(std::uint64_t)> then);
  /// Changes are numbered anew.
  void forget_applied(std::function<void()> then);
  void apply(std::string change, std::uint64_t number, time at, std::function<void()> then);
  void without_end(std::vector<std::string> runs,
                   std::function<void(std::vector<std::string>)> then);
  /// Whether any rule wants to be told of that.
  bool wants(occasion what) const;

  /// `then` is called when all of it is on disk, or can't be: a crash before that loses it.
  void take(std::vector<happening> all, std::function<void()> then = {});
  /// To be called about once a second.
  void look();
  /// Nothing is begun any more; what is on its way is sent again by the next daemon.
  void stop();

  // ---- for who runs the daemon ---------------------------------------------------------------

  struct overview {
    std::vector<rule_state> rules;
    std::vector<listed_message> messages;
    outbox::counts counts;
  };
  void list(std::function<void(overview)> done);
  /// Empty `id`: all of them.
  void retry(const std::string& id, std::function<void(text::result<std::size_t>)> done);
  /// Sends a message of its own, at once, and gives what became of it.
  void try_rule(const std::string& name, std::function<void(text::failure)> done);

  struct counted {
    std::uint64_t delivered = 0, failed = 0;
    outbox::counts kept;  // as of the last look
  };
  const counted& counts() const { return counts_; }

 private:
  template <class T>
  void on_disk(std::function<T(outbox&)> work, std::function<void(T)> then);
  const rule* rule_of(const std::string& name) const;
  void deliver(message one);
  void hand_over(const rule& by, const report& of, std::function<void(handed_over)> done);
  void ended(const message& one, const handed_over& what);
  static std::chrono::seconds pause_after(unsigned tries, const std::string& id);

  boost::asio::io_context& io_;
  options given_;
  shared_with others_;
  ready_rules rules_;
  std::map<std::string, std::string> off_;  // by rule: why
  std::unique_ptr<outbox> outbox_;          // null: nobody wants to be told
  net::worker_thread disk_, programs_;
  std::map<std::uint64_t, std::unique_ptr<client::http_client>> flights_;
  std::uint64_t next_flight_ = 0;
  std::set<std::string> busy_;  // rules
  counted counts_;
  bool looking_ = false, stopped_ = false;
  std::uint64_t looks_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tofud::notify
