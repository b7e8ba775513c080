// What a worker inherits from its keeper, at fixed descriptors.
#pragma once

#include "daemon/files/descriptor.hpp"
#include "daemon/keeper/shared_page.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tofud::keeper {

namespace inherited {
inline constexpr int page = 3;
inline constexpr int spool = 4;     // the keeper's open file description, so its flock too
inline constexpr int wakeup = 5;    // eventfd, non-blocking
inline constexpr int liveness = 6;  // read end of a pipe only the keeper could write to
inline constexpr int events = 7;    // ID.events, appending
inline constexpr int input = 8;     // what the keeper drains, for its heir; see stream_page::input
inline constexpr int told = 9;      // a document for the worker, at most limits::told_bytes long
}  // namespace inherited

/// Added to the arguments of a worker that is only to find the exit status: no listening, no
/// output.
inline constexpr std::string_view headless_argument = "--headless";

/// The worker's side. Its loop polls `wakeup` and `liveness`, and
///  - takes what `read_stored` gives from `page->folded` on (0 in every new worker: the fold begins
///    anew) and moves `folded`; counts `heartbeat` up in each turn, at least once a second;
///  - once `page->eof` and everything stored is folded: if `page->stop`, folds `read_tail` after a
///  gap;
///    then sets `page->result` and, its subscribers served, exits;
///  - when `keeper_gone()`, reads the input itself (heir.hpp); where it has none it leaves, since
///  no
///    more will come.
/// Anything else that ends it counts as a crash.
struct worker_link {
  /// Takes over the descriptors 3 to 9 and keeps them from the worker's own children. Nothing: this
  /// process was not started by a keeper.
  static std::optional<worker_link> inherit();

  /// Bytes of the spool from `offset` on, no more than are there; 0: nothing new yet. The
  /// descriptor's file offset is shared with the keeper: use nothing but pread(2) on it.
  std::size_t read_stored(std::uint64_t offset, std::span<char> room) const;
  /// What the worker is told (worker_command::told); empty: nothing.
  std::string read_told() const;
  void clear_wakeup() const;
  bool keeper_gone() const;

  shared_page page;
  files::descriptor spool;
  files::descriptor wakeup;
  files::descriptor liveness;
  files::descriptor events;
  files::descriptor input;
  files::descriptor told;
};

}  // namespace tofud::keeper
