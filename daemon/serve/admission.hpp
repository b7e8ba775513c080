// Who is let in, as the settings say and files have it: the gate with all it asks.
#pragma once

#include "daemon/access/gate.hpp"
#include "daemon/net/worker_thread.hpp"
#include "daemon/oidc/issuers.hpp"
#include "daemon/oidc/logins.hpp"
#include "daemon/operations/audit_log.hpp"
#include "daemon/settings/reloading.hpp"

#include <boost/asio/io_context.hpp>

#include <string>

namespace tofud::serve {

class admission {
 public:
  admission(boost::asio::io_context& io, access::rules given, std::string token_file,
            oidc::issuers::ready_providers providers);

  access::gate& gate() { return gate_; }
  const oidc::issuers& issuers() const { return issuers_; }
  oidc::logins& logins() { return logins_; }

  /// Takes new rules with each reload.
  void follow(settings::reloading& reload);

  /// To be called about twice a second: files and keys may have changed, tokens may have ended.
  /// True if what somebody has open has lost its permit. `audit` may be null.
  bool look(operations::audit_log* audit, net::worker_thread& writes);

 private:
  std::string token_file_;
  oidc::issuers issuers_;
  oidc::logins logins_;
  access::gate gate_;
};

}  // namespace tofud::serve
