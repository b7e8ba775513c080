// The connection to the NATS servers, which is made again whenever it is lost.
#pragma once

#include "daemon/cluster/limits.hpp"
#include "daemon/cluster/message.hpp"
#include "daemon/net/task.hpp"
#include "protocol/text/failure.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::cluster {

/// Where NATS is, and who we are there. Files are read with each connection; empty: none.
struct servers {
  std::vector<std::string> urls;           // nats:// or tls://; empty: this daemon is alone
  std::string credentials_file;            // as `nsc` writes it: a token and its seed
  std::string nkey, nkey_seed_file;        // the public key of an nkey; its seed
  std::string ca_file;                     // authorities of the servers' certificates, in PEM
  std::string certificate_file, key_file;  // ours, in PEM
  bool is_on() const { return !urls.empty(); }
  bool operator==(const servers&) const = default;
};

/// Empty if it is the address of a server.
text::failure check_server(const std::string& url);

/// Whether a cluster may have that name: a token of NATS' subjects, and of its streams' names.
bool is_name(std::string_view text);

/// All but what is said below is called on the loop, and everything it calls runs there.
class link {
 public:
  struct listeners {
    std::function<void(bool is_up)> changed = [](bool) {};
    /// What is wrong, once for each trouble, as a sentence.
    std::function<void(const std::string& sentence)> said = [](const std::string&) {};
  };

  /// Begins to connect and returns. `name`: how the servers list us. The failure: it can't ever.
  static text::result<std::unique_ptr<link>> open(boost::asio::io_context& io, servers to,
                                                  std::string name, listeners told);
  virtual ~link() = default;
  link(const link&) = delete;
  link& operator=(const link&) = delete;

  virtual bool is_up() const = 0;
  /// How often it was lost and came back.
  virtual std::uint64_t reconnects() const = 0;
  /// Why it is not up; empty: nobody knows.
  virtual std::string trouble() const = 0;

  /// At most once, and nobody is told what became of it.
  virtual void publish(message said) = 0;

  /// The first answer. Errors: not_connected, no_answer; whether it was heard is unknown then.
  virtual net::task<text::result<message>> ask(
      message said, std::chrono::milliseconds patience = limits::nats_answer_wait) = 0;

  /// Gives back what it stands for when it is destroyed.
  using held = std::shared_ptr<const void>;
  using handler = std::function<void(message&&)>;
  /// What is published to these subjects while `held` is there, also by ourselves.
  virtual held subscribe(const std::string& subject, handler each) = 0;
  /// A subject of our own, for answers that are many.
  struct inbox {
    std::string subject;
    held open;
  };
  virtual inbox open_inbox(handler each) = 0;

 protected:
  link() = default;
};

}  // namespace tofud::cluster
