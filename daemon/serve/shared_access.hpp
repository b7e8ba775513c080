// Who is let in, on every daemon of a cluster: tokens and sessions.
#pragma once

#include "daemon/access/gate.hpp"
#include "daemon/access/token.hpp"
#include "daemon/cluster/bucket.hpp"
#include "daemon/net/worker_thread.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tofud::serve {

/// Tokens are made and revoked on any machine, by its file; each file becomes the union of all, and
/// what one has revoked is revoked. Sessions begin and end on any daemon. NATS has hashes of
/// secrets only.
class shared_access {
 public:
  /// All outlive it. `changed`: what was open may have lost its permit.
  shared_access(boost::asio::io_context& io, cluster::jetstream& in, const std::string& cluster,
                access::gate& gate, std::string token_file, std::function<void()> changed);
  ~shared_access();

  net::task<text::failure> ensure(unsigned replicas) { return bucket_.ensure(replicas); }
  /// Once, when the bucket is there.
  void begin();
  void stop();

 private:
  net::task<bool> follow();
  net::task<bool> share_tokens();
  net::task<bool> put(std::string hash, std::string text);
  void look();
  /// NATS has lost what they told.
  void forget_theirs();

  boost::asio::io_context& io_;
  cluster::jetstream& in_;
  cluster::bucket bucket_;
  access::gate& gate_;
  std::string token_file_;
  std::function<void()> changed_;
  net::worker_thread files_;
  std::shared_ptr<cluster::reader> reads_;
  boost::asio::steady_timer clock_;
  std::vector<access::token> theirs_, ours_;
  std::uint64_t revision_ = 0;  // of `theirs_`
  bool is_sharing_ = false, is_current_ = false;
  std::map<std::string, std::string> untold_, unadopted_;  // sessions, by hash
};

}  // namespace tofud::serve
