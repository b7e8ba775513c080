// How runs of kept_streams come and go.
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/kept_streams.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace tofud::serve {

namespace asio = boost::asio;

net::task<kept_streams::created> kept_streams::create(journal::run_header header,
                                                      std::string sender) {
  header.sender = sender;
  const std::string upload_id = header.upload_id;
  if (!upload_id.empty()) making_[upload_id];
  // Many may be asked for while the disk makes the first.
  auto place = live_.take(sender, header.sent_as);
  ++being_made_;
  text::failure failure;
  if (is_shared()) {
    auto opening = open_shared(header);
    failure = co_await std::move(opening);
  }
  journal::kept_run kept;
  kept.header = header;
  if (failure.empty()) {
    auto storing = store_.create(std::move(header));
    failure = co_await std::move(storing);
  }
  --being_made_;
  const auto waiting = making_.extract(upload_id);
  created made{boost::system::in_place_error, failure};
  if (failure.empty()) {
    stream& added = add(std::move(kept), std::move(place));
    added.sender = sender;
    made = added.run;
    added.run->load([] {});
  }
  if (!waiting.empty()) {
    for (const auto& each : waiting.mapped()) asio::post(io_, each);
  }
  co_return made;
}

net::task<text::failure> kept_streams::remove(std::string id, journal::removed_by whom) {
  if (is_shared() && whom == journal::removed_by::person) {
    auto telling = shared_->remove(id, whom);
    if (auto failed = co_await std::move(telling); !failed.empty()) co_return failed;
  }
  auto removing = store_.remove(id, whom, operations::utc_now());
  text::failure failure = co_await std::move(removing);
  if (failure.empty()) forget(id);
  co_return failure;
}

void kept_streams::forget(const std::string& id) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  stream& gone = found->second;
  deaths_.forget(id);
  gone.run->remove();
  if (is_shared()) shared_->forget(id);
  unload(gone);
  for (registry::shown_run* shown : gone.shown) {
    walls_.forget(shown->id());
    shown_.remove(*shown);
  }
  dirty_.erase(id);
  by_upload_.erase(gone.run->header().upload_id);
  streams_.erase(found);
  walls_.publish();
}

}  // namespace tofud::serve
