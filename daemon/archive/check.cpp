#include "daemon/archive/check.hpp"

#include "daemon/archive/errors.hpp"
#include "daemon/archive/place.hpp"
#include "daemon/files/tree_reader.hpp"
#include "daemon/journal/layout.hpp"
#include "daemon/journal/manifest.hpp"
#include "daemon/journal/run_header.hpp"

#include <algorithm>
#include <cerrno>

namespace tofud::archive {
namespace {

text::failure check_run(journal::disk& on, const std::string& at, journal::backup_counts& counts) {
  const std::string path = journal::inside(at, journal::manifest_name);
  if (!on.size(path)) return {error::not_whole, at};
  const auto known = journal::read_manifest(on, path, journal::torn_lines::refused);
  if (!known) return known.error();
  const files::tree_reader in{at};
  for (const auto& [name, file] : *known) {
    if (auto wrong = journal::compare(on, in, at, name, file); !wrong.empty()) return wrong;
    ++counts.files;
    counts.bytes += file.bytes;
  }
  ++counts.runs;
  return {};
}

}  // namespace

text::result<journal::backup_counts> check(journal::disk& on, const std::string& at) {
  if (!on.size(journal::inside(at, about_name))) return journal::check_backup(on, at);
  journal::backup_counts counts;
  auto runs = on.names(journal::runs_in(at));
  if (!runs && errno != ENOENT)
    return journal::refused(journal::runs_in(at), journal::error::unreadable, errno);
  if (!runs) return counts;  // nothing was archived yet
  std::sort(runs->begin(), runs->end());
  for (const std::string& id : *runs) {
    if (auto wrong = check_run(on, journal::run_in(at, id), counts); !wrong.empty()) return wrong;
  }
  return counts;
}

}  // namespace tofud::archive
