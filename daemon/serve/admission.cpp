#include "daemon/serve/admission.hpp"

#include "daemon/access/token_use.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/audited.hpp"
#include "daemon/serve/from_settings.hpp"
#include "daemon/settings/identity_providers.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace tofud::serve {

admission::admission(boost::asio::io_context& io, access::rules given, std::string token_file,
                     oidc::issuers::ready_providers providers)
    : token_file_{std::move(token_file)},
      issuers_{io},
      logins_{io, issuers_},
      gate_{std::move(given), token_file_} {
  issuers_.follow(std::move(providers));
  gate_.trust(issuers_);
}

void admission::follow(settings::reloading& reload) {
  reload.add([this](const settings::settings& wanted) {
    auto rules = access_rules_of(wanted);
    if (!rules) return settings::reload_step::refused(rules.error().text());
    auto providers = oidc::issuers::prepare(settings::identity_providers_in(wanted).all);
    if (!providers) return settings::reload_step::refused(providers.error().text());
    return settings::reload_step::to(
        [this, rules = std::move(*rules), providers = std::move(*providers)] {
          issuers_.follow(providers);
          gate_.follow(rules);
        });
  });
}

bool admission::look(operations::audit_log* audit, net::worker_thread& writes) {
  const auto now = operations::now_in_seconds();
  const bool issued_ended = issuers_.refresh(now);
  const bool ended = gate_.refresh(now) || issued_ended;
  for (const std::string& each : gate_.take_complaints()) spdlog::warn("{}", each);
  for (const oidc::provider_news& each : issuers_.take_news())
    spdlog::log(each.is_trouble ? spdlog::level::warn : spdlog::level::info, "{}", each.sentence);
  for (const access::token_change& change : gate_.take_changes())
    if (audit != nullptr) audit->add(audited(change), operations::utc_now());
  if (auto uses = gate_.take_uses()) {
    writes.post([path = access::use_file_of(token_file_), uses = std::move(*uses)] {
      access::write_token_uses(path, uses);
    });
  }
  return ended;
}

}  // namespace tofud::serve
