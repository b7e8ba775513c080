// What a daemon is asked about its runs.
#pragma once

#include "daemon/client/place.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/feed/run_query.hpp"

#include <boost/system/result.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tofud::client {

struct run_list {
  std::vector<feed::run_view> runs;  // newest first
  std::string next;                  // empty: that was all
};

/// Of a run that is removed, if the daemon has an archive.
enum class archived_copy : bool { goes, stays };

/// Each asks on a connection of its own and waits for the answer.
class service {
 public:
  explicit service(place at) : at_{std::move(at)} {}

  boost::system::result<run_list, failure> list(const feed::run_query& query) const;
  /// What is said of a run besides its bytes, as in ID.events beside a spool.
  boost::system::result<std::string, failure> events(const std::string& run) const;
  /// What the attached plan changes, in Markdown of at most `room` bytes; nothing if there is none.
  boost::system::result<std::optional<std::string>, failure> plan_comment(const std::string& run,
                                                                          std::size_t room) const;
  /// What its plan changes in one address: {"addr":A,"rows":[…]}, rows as of `tofud show --json`.
  boost::system::result<std::string, failure> diff(const std::string& run,
                                                   const std::string& addr) const;
  /// The order of its apply by blocks, as JSON.
  boost::system::result<std::string, failure> order(const std::string& run) const;
  /// The answer of `GET /v1/history`, as JSON; empty words ask for any, 0 for the usual number.
  boost::system::result<std::string, failure> history(const std::string& addr,
                                                      const std::string& stack,
                                                      const std::string& type,
                                                      std::size_t limit) const;
  boost::system::result<void, failure> remove(const std::string& run, archived_copy copy) const;
  /// The list of all runs, or that run with its rows, is made again; empty: all.
  boost::system::result<void, failure> reindex(const std::string& run = "") const;
  /// Why it does not serve everybody yet, or any more; empty: it does.
  boost::system::result<std::string, failure> readiness() const;
  /// When the token ends that this client shows, RFC 3339; empty: not soon, or it shows none.
  boost::system::result<std::string, failure> token_end() const;
  /// The address of the daemon's pages; nothing if it says none.
  boost::system::result<std::optional<std::string>, failure> page() const;

  /// A link to the daemon's pages that logs a browser of this user in, once, to look at all that
  /// they show: it ends in `#ticket=…`. Nothing if there are no pages.
  boost::system::result<std::optional<std::string>, failure> login_link() const;

  const place& at() const { return at_; }

 private:
  place at_;
};

}  // namespace tofud::client
