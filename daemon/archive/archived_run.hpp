// One run and its archive: what is to be copied, what was, and how it goes again.
//
// In the archive a run is runs/ID/ with the files that it has in the journal, and manifest.jsonl,
// which is written last. In the journal ROOT/runs/ID/archived says what was copied where.
#pragma once

#include "daemon/archive/place.hpp"
#include "daemon/journal/disk.hpp"
#include "protocol/text/failure.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::archive {

/// The file `archived` of a run:
/// {"to":"s3://b/p","at":"…","whole":true,"files":{"header.json":412,…}}
struct mark {
  std::string to;
  ui::time_point at;
  bool whole = false;  // false: it was begun
  std::map<std::string, std::uint64_t, std::less<>>
      files;  // bytes, by the name in the run's directory
};
std::string to_text(const mark& of);
/// Nothing: it is none.
std::optional<mark> parse_mark(std::string_view text);
/// Of a run's directory; nothing: it was not archived.
std::optional<mark> read_mark(journal::disk& on, const std::string& run_directory);

/// Of a run that is over and not archived as it is.
struct waiting_run {
  std::string id;
  ui::time_point over_at;
};

struct looked_at {
  std::vector<waiting_run> waiting;  // the longest waiting first
  std::vector<std::string> archived;
  bool more_soon = false;  // some have ended and are not compressed yet
};

/// What is archived in `to` below the journal's `root`, and what waits for it. Runs of `known` are
/// not looked at and in neither list.
looked_at look_at_runs(journal::disk& on, const std::string& root, const std::string& to,
                       const std::set<std::string, std::less<>>& known, ui::time_point now);

/// Copies a run; `to` is the place's address. An earlier copy is no longer whole until this one is.
/// Returns the bytes that went; 0: the run is gone meanwhile.
text::result<std::uint64_t> archive_run(journal::disk& on, const std::string& root,
                                        const std::string& id, place& into, const std::string& to,
                                        ui::time_point now);

/// Takes the copy away, if there is one, and the mark.
text::failure remove_archived(journal::disk& on, const std::string& root, const std::string& id,
                              place& from);

}  // namespace tofud::archive
