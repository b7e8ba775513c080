// Of shared_log: what was kept here while NATS could not be reached, or is kept here first.
#include "daemon/cluster/errors.hpp"
#include "daemon/cluster/shared_log.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/operations/utc_now.hpp"
#include "protocol/events/event.hpp"

#include <algorithm>
#include <utility>

namespace tofud::cluster {

void shared_log::add(journal::run_header header) {
  tail& at = tail_of(header.id);
  at.unopened = std::move(header);
  at.has_surplus = true;
}

net::task<text::failure> shared_log::append_surplus(std::string run) {
  const auto here = given_.copy_of(run);
  if (!here) co_return text::failure{};
  auto waiting = here->alone_to_copy();  // of what others appended it takes a copy first
  const auto alone = co_await std::move(waiting);
  auto entering = turn_of(run);
  const auto turn = co_await std::move(entering);
  if (!alone || !turn) co_return text::failure{error::busy};
  auto putting = put_surplus(run);
  co_return co_await std::move(putting);
}

/// Until it is there, or NATS takes no more for now (then whoever looks now and then begins again).
net::task<bool> shared_log::push(std::string run) {
  text::failure failure;
  while (failure.empty() && tails_.contains(run) && tail_of(run).has_surplus) {
    auto appending = append_surplus(run);
    failure = co_await std::move(appending);
  }
  if (!failure.empty() && tails_.contains(run)) wrong_with(run, failure);
  if (tails_.contains(run)) tail_of(run).is_pushed = false;
  co_return failure.empty();
}

/// The first record, of a run that began while NATS could not have it. In the meantime another
/// daemon may have drawn the same id.
net::task<text::failure> shared_log::put_header(std::string run) {
  const journal::run_header header = *tail_of(run).unopened;
  if (given_.may_open) {
    auto asking = given_.may_open(header);
    if (auto failed = co_await std::move(asking); !failed.empty()) co_return failed;
  }
  if (tail_of(run).seq > 0) {
    auto looking = header_of(run);
    const auto there = co_await std::move(looking);
    if (!there) co_return there.error();
    if (!*there || journal::to_json(**there) != journal::to_json(header))
      co_return text::failure{error::other_writer};
    co_return text::failure{};
  }
  record first;
  first.what = record::kind::open;
  first.at = header.created_at;
  first.data = journal::to_json(header);
  auto putting = put(run, std::move(first));
  co_return co_await std::move(putting);
}

net::task<text::failure> shared_log::put_surplus(std::string run) {
  if (!tail_of(run).is_known) {
    auto reading = read_on(run);
    if (auto failed = co_await std::move(reading); !failed.empty()) co_return failed;
  }
  const auto here = given_.copy_of(run);
  // Nobody could append its first record, and who was to do it may have been stopped.
  if (here && tail_of(run).seq == 0) tail_of(run).unopened = here->copied_header();
  if (tail_of(run).unopened) {
    auto putting = put_header(run);
    if (auto failed = co_await std::move(putting); !failed.empty()) co_return failed;
    tail_of(run).unopened.reset();
  }
  if (!here) co_return text::failure{};
  const files::stream_bytes read = local_.reader(run);
  for (;;) {
    const std::uint64_t bytes = tail_of(run).bytes, said = tail_of(run).events;
    const auto& events = here->copied_events();
    // An event is appended before the bytes behind it, as it would have been.
    if (said < events.size() && events[said].offset <= bytes) {
      const journal::kept_event next = events[said];
      const auto parsed = events::parse(next.json);
      const auto* attached = parsed ? std::get_if<events::attachment>(&parsed->what) : nullptr;
      if (attached != nullptr) {
        auto putting = put_document(run, std::string{feed::name(attached->part)} + ".json");
        if (auto failed = co_await std::move(putting); !failed.empty()) co_return failed;
      }
      auto putting = put_event(run, next);
      if (auto failed = co_await std::move(putting); !failed.empty()) co_return failed;
      continue;
    }
    std::uint64_t upto = here->copied_bytes();
    if (said < events.size()) upto = std::min(upto, events[said].offset);
    if (bytes < upto) {
      std::string piece(std::min<std::uint64_t>(limits::record_bytes, upto - bytes), '\0');
      const std::size_t count = read ? read(bytes, {piece.data(), piece.size()}) : 0;
      if (count == 0) co_return text::failure{error::gap, run, bytes, upto};
      piece.resize(count);
      auto putting = put_bytes(run, std::move(piece), operations::utc_now());
      if (auto failed = co_await std::move(putting); !failed.empty()) co_return failed;
      continue;
    }
    if (here->is_copied_whole() && !tail_of(run).has_end) {
      auto putting = put_end(run, operations::utc_now());
      if (auto failed = co_await std::move(putting); !failed.empty()) co_return failed;
    }
    tail_of(run).has_surplus = false;
    co_return text::failure{};
  }
}

std::vector<std::string> shared_log::with_surplus() const {
  std::vector<std::string> all;
  for (const auto& [run, at] : tails_) {
    if (at.has_surplus) all.push_back(run);
  }
  return all;
}

}  // namespace tofud::cluster
