#include "daemon/access/proxy_users.hpp"

#include <utility>

namespace tofud::access {
namespace {

bool is_within(const scopes& inner, const scopes& outer) {
  return (!inner.read || outer.read) && (!inner.ingest || outer.ingest) &&
         (!inner.raw || outer.raw);
}

}  // namespace

std::shared_ptr<const principal> proxy_users::holder(named_user who, scopes may, reach within) {
  auto made = std::make_shared<principal>();
  made->how = principal::known_by::proxy;
  made->who = who.user;
  made->may = may;
  entry& known = known_[std::move(who)];
  auto over = known.over.lock();
  if (!over) known.over = over = std::make_shared<std::string>();
  known.may = may;
  if (!within.is_everything()) made->within = std::make_shared<const reach>(within);
  known.within = std::move(within);
  made->permit = std::move(over);
  return made;
}

bool proxy_users::review(const std::function<bool(const named_user&, const reach& had)>& is_let_in,
                         const scopes& may) {
  bool any_ended = false;
  std::erase_if(known_, [&](const auto& one) {
    const auto& [who, known] = one;
    const auto over = known.over.lock();
    if (!over) return true;
    if (is_let_in(who, known.within) && is_within(known.may, may)) return false;
    *over = "the access rules have changed";
    any_ended = true;
    return true;
  });
  return any_ended;
}

void proxy_users::tidy() {
  std::erase_if(known_, [](const auto& one) { return one.second.over.expired(); });
}

}  // namespace tofud::access
