#include "daemon/serve/patch_body.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/operations/held_memory.hpp"
#include "daemon/serve/answers.hpp"
#include "protocol/upload/placement.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tofud::serve {
namespace {

/// The first byte, counted from `from`, in which the journal differs; nothing if it has the same.
std::optional<std::uint64_t> difference(const ingested_run& run, std::uint64_t from,
                                        std::string_view bytes) {
  const files::stream_bytes read = run.reader();
  std::vector<char> room(std::min<std::size_t>(bytes.size(), limits::read_bytes));
  while (!bytes.empty()) {
    const std::size_t count = read(from, {room.data(), std::min(room.size(), bytes.size())});
    const auto apart = std::mismatch(room.begin(), room.begin() + static_cast<long>(count),
                                     bytes.begin(), bytes.end());
    const auto equal = static_cast<std::size_t>(apart.first - room.begin());
    if (equal < count || count == 0) return from + equal;
    from += count;
    bytes.remove_prefix(count);
  }
  return std::nullopt;
}

}  // namespace

net::task<http::response> take_patch(std::shared_ptr<ingested_run> run, patch_head head,
                                     std::shared_ptr<http::body> body) {
  net::turn alone;
  std::string bytes, piece;
  operations::held_memory held{operations::memory_for::bodies};
  for (auto came = http::body::came::piece; came == http::body::came::piece;) {
    auto reading = body->next(piece);
    came = co_await std::move(reading);
    if (came == http::body::came::broken) co_return http::response{};
    bytes += piece;
    held.hold(bytes.capacity());
    if (alone) continue;
    auto entering = run->alone();
    alone = co_await std::move(entering);
    if (!alone) co_return conflict("busy", "another request is adding to the run", run.get());
  }
  if (run->is_removed()) co_return was_removed(run->id());
  const auto where = upload::place(run->state(), head.offset, bytes.size());
  if (where.what == upload::verdict::gap)
    co_return conflict("gap", "bytes before this offset are missing", run.get());
  run->heard();
  if (const auto at = difference(*run, head.offset, std::string_view{bytes}.substr(0, where.known)))
    co_return conflict("diverged", "the journal has other bytes at this offset", run.get(), at);
  if (where.what == upload::verdict::complete)
    co_return conflict("complete", "the stream is complete", run.get());
  if (head.completes && run->events().size() < head.events)
    co_return conflict("events", "some events of the run are missing", run.get());
  bytes.erase(0, where.known);
  text::failure failure;
  held.hold(0);
  if (!bytes.empty()) {
    auto storing = run->append(std::move(bytes));
    failure = co_await std::move(storing);
  }
  if (failure.empty() && head.completes) {
    auto finishing = run->finish();
    failure = co_await std::move(finishing);
  }
  if (!failure.empty()) co_return not_stored(*run, failure);
  co_return acknowledged(*run);
}

}  // namespace tofud::serve
