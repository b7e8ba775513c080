#include "daemon/serve/claim.hpp"

#include "daemon/access/secret.hpp"
#include "daemon/serve/answers.hpp"
#include "protocol/text/sha256.hpp"

namespace tofud::serve {

claim claim_of(kept_streams& runs, const http::request& asked, const sender_finder& sender,
               without_secret streams) {
  const std::string& id = asked.captures.front();
  const access::principal& by = access::asking(asked);
  const auto run = runs.find(id, by);
  if (!run) {
    // Nobody knows any more whose it was: who may see some runs only is told when it is sent again.
    const bool may_know = !by.within && runs.was_removed(id);
    return {nullptr, may_know ? was_removed(id) : no_such_run(id)};
  }
  const std::string& secret = run->header().secret_hash;
  const bool open = secret.empty() && streams == without_secret::allowed;
  if (!open && (asked.count("upload-secret") != 1 ||
                !access::same_secret(text::sha256_hex(asked.first("upload-secret")), secret))) {
    return {nullptr, http::problem(401, "Upload-Secret is missing or wrong")};
  }
  if (!open) runs.sent_by(*run, sender(asked));
  return {run, {}};
}

std::shared_ptr<const access::principal> sender_by_secret(kept_streams& runs,
                                                          const http::request& asked) {
  if (asked.count("upload-secret") != 1) return nullptr;
  const auto run = runs.find(http::segments_of(asked.path).at(2), access::own_user());
  if (!run || run->header().secret_hash.empty() ||
      !access::same_secret(text::sha256_hex(asked.first("upload-secret")),
                           run->header().secret_hash)) {
    return nullptr;
  }
  access::principal sender;
  sender.how = access::principal::known_by::sender;
  sender.who = run->header().sent_as;
  sender.may = {false, true, false};
  return std::make_shared<const access::principal>(std::move(sender));
}

}  // namespace tofud::serve
