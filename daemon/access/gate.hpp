// Asked about every request before it is routed: who is it, and may it?
#pragma once

#include "daemon/access/issued_tokens.hpp"
#include "daemon/access/proxy_users.hpp"
#include "daemon/access/rules.hpp"
#include "daemon/access/sessions.hpp"
#include "daemon/access/token_store.hpp"
#include "daemon/http/message/foreign.hpp"
#include "daemon/http/message/request.hpp"
#include "daemon/http/message/response.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::access {

class gate {
 public:
  /// `token_file` need not be there.
  gate(rules given, std::string token_file);

  /// Beside the names of the rules: an address that is listened on, such as 192.168.1.5.
  void add_own_host(http::authority name);

  /// Asks by these rules from now on, but for base_path and local, which stay. What users have open
  /// whom they would not let in any more ends with the next `refresh`.
  void follow(rules given);

  /// Nothing if `asked` may pass: then its base path is off its path, and it says who asks. Else
  /// the answer; one of 401 means that nobody, or nobody any more, has been named.
  std::optional<http::response> ask(http::request& asked, time now);

  /// To be called about twice a second. True if permits have ended since the last call.
  bool refresh(time now);

  /// Who holds that token; nothing: nobody, or not any more. A token that was just made is found.
  std::shared_ptr<const principal> holder_of(std::string_view token, time now);
  /// Whether a proxy that is believed has that address; of the Unix socket it is empty.
  bool is_proxy(std::string_view address) const;
  /// And whether it is that proxy's user who comes from there.
  bool is_proxy(std::string_view address, std::optional<std::uint32_t> uid) const;
  /// Whether there is one that may be used.
  bool has_tokens() const { return tokens_.size() > 0 || (issued_ != nullptr && issued_->any()); }
  const token_store& tokens() const { return tokens_; }
  /// Also takes tokens that `others` knows, which live as long as this.
  void trust(issued_tokens& others) { issued_ = &others; }
  /// Asked about requests that send a run further, where nobody is named any more: a token may end
  /// before what it began. Gives null where the run's secret is missing or wrong.
  using sender_finder = std::function<std::shared_ptr<const principal>(const http::request&)>;
  void know_senders(sender_finder senders) { senders_ = std::move(senders); }
  /// Called before anybody is let in who may see some runs only, and when there is nobody such any
  /// more.
  void on_limited(std::function<void(bool)> told) { told_limited_ = std::move(told); }
  /// See token_store.
  std::vector<token_change> take_changes() { return tokens_.take_changes(); }
  std::optional<token_uses> take_uses() { return tokens_.take_uses(); }
  std::vector<std::string> take_complaints() { return tokens_.take_complaints(); }
  sessions& open() { return sessions_; }
  /// A session that began on another daemon, under its hash; an empty text: it is over. False: the
  /// token that it came from is not known here yet.
  bool adopt(const std::string& hash, std::string_view text);

 private:
  struct found {
    std::shared_ptr<const principal> who;  // nothing: refused, or nobody is named
    std::optional<http::response> refused;
  };
  std::optional<http::response> take_base(http::request& asked) const;
  void believe_proxy(http::request& asked) const;
  /// `proxy` is the one that it came by.
  found identify(const http::request& asked, const std::optional<http::peer>& proxy, time now);
  found user_of(const http::request& asked, const http::peer& proxy);
  void name_hosts();
  void look_at_tokens(time now);
  void tell_limited();
  found holder_issued(std::string_view token, time now);
  bool has_passed_a_proxy(const http::request& asked) const;

  rules rules_;
  std::vector<http::authority> own_hosts_;
  http::own_names names_;  // of both
  token_store tokens_;
  proxy_users users_;
  bool any_over_ = false;  // since `refresh` was called
  sessions sessions_;
  issued_tokens* issued_ = nullptr;
  sender_finder senders_;
  std::function<void(bool)> told_limited_;
  std::shared_ptr<const principal> owner_, local_, nobody_;
};

/// Named per port, since cookies know none: several daemons of one machine share a browser.
std::string cookie_name(std::uint16_t port);

/// The same for the one that asks: over TLS, at the top of a host, browsers see to it that no other
/// host of the domain has set it (RFC 6265bis, 4.1.3.2).
std::string cookie_name(const http::request& asked);

/// The value of that cookie; empty: there is none.
std::string_view cookie_of(const http::request& asked, std::string_view name);

/// Whether a browser may have sent it: only they say from where.
bool is_of_a_browser(const http::request& asked);

}  // namespace tofud::access
