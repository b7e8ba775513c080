#include "daemon/archive/archived_run.hpp"

#include "daemon/archive/errors.hpp"
#include "daemon/archive/limits.hpp"
#include "daemon/files/tree_reader.hpp"
#include "daemon/journal/copied_file.hpp"
#include "daemon/journal/kept_run.hpp"
#include "daemon/journal/layout.hpp"
#include "daemon/journal/limits.hpp"
#include "daemon/journal/manifest.hpp"
#include "daemon/journal/run_header.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/sha256.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <tuple>
#include <utility>

namespace tofud::archive {
namespace {

using file_sizes = std::map<std::string, std::uint64_t, std::less<>>;

/// What of a run is archived: all that it has, but for what is not ready, the mark itself, and
/// rows, which can be made again.
file_sizes files_of(journal::disk& on, const std::string& directory) {
  file_sizes found;
  const auto add = [&](const std::string& below, const std::string& prefix) {
    const auto names = on.names(below);
    if (!names) return;
    for (const std::string& name : *names) {
      if (std::string_view{name}.ends_with(journal::unfinished) || prefix + name == "archived" ||
          prefix + name == journal::manifest_name ||
          std::string_view{prefix + name}.starts_with(journal::rows_name))
        continue;
      if (const auto bytes = on.size(journal::inside(below, name)))
        found.emplace(prefix + name, *bytes);
    }
  };
  add(directory, "");
  add(journal::attachments_in(directory), "attachments/");
  return found;
}

/// When the disk got the last bytes of a run that nobody ended.
std::optional<ui::time_point> written_at(const std::string& directory) {
  std::error_code failed;
  const auto at = std::filesystem::last_write_time(journal::arrivals_in(directory), failed);
  if (failed) return std::nullopt;
  return std::chrono::time_point_cast<ui::time_point::duration>(
      std::chrono::file_clock::to_sys(at));
}

/// When a run ended that nobody will change any more.
struct end {
  std::optional<ui::time_point> at;
  bool soon = false;  // it is to be compressed first
};
end end_of(journal::disk& on, const std::string& directory, ui::time_point now) {
  const auto text = journal::read_file(on, journal::complete_in(directory), limits::kib);
  if (const auto ended = text ? journal::parse_completion(*text) : std::nullopt) {
    const bool is_compressed = on.size(journal::compressed_in(directory)).has_value();
    if (is_compressed || now - ended->at >= limits::archive_waits_for_compression)
      return {ended->at};
    return {std::nullopt, true};
  }
  const auto heard_at = written_at(directory);
  if (heard_at && now - *heard_at >= limits::abandoned_after) return {heard_at};
  return {};
}

text::failure write_mark(journal::disk& on, const std::string& directory, const mark& of) {
  const std::string text = to_text(of);
  const auto written =
      journal::write_copy(on, journal::archived_in(directory), text.size(), content_of(text).read);
  return written ? text::failure{} : written.error();
}

text::failure remove_files(place& from, const std::string& id, const file_sizes& files) {
  const std::string below = "runs/" + id + "/";
  if (auto wrong = from.remove(below + std::string{journal::manifest_name}); !wrong.empty())
    return wrong;
  for (const auto& [name, bytes] : files) {
    if (auto wrong = from.remove(below + name); !wrong.empty()) return wrong;
  }
  return {};
}

/// Reads all of it, for its sum.
text::result<content> content_of_file(journal::disk& on, int fd, const std::string& path) {
  const auto bytes = on.size(fd);
  if (!bytes) return journal::refused(path, journal::error::unreadable, errno);
  content made;
  made.bytes = *bytes;
  made.read = [&on, fd](std::uint64_t at, std::span<char> room) -> std::size_t {
    return static_cast<std::size_t>(std::max<ssize_t>(on.pread(fd, room, at), 0));
  };
  text::sha256_sum sum;
  std::vector<char> room(std::min<std::uint64_t>(limits::copied_bytes, made.bytes));
  for (std::uint64_t at = 0; at < made.bytes;) {
    const std::size_t n =
        made.read(at, {room.data(), std::min<std::uint64_t>(room.size(), made.bytes - at)});
    if (n == 0) return text::failure{error::shortened, path};
    sum.add({room.data(), n});
    at += n;
  }
  made.sha256 = sum.hex().value_or("");
  return made;
}

}  // namespace

std::string to_text(const mark& of) {
  boost::json::object files;
  for (const auto& [name, bytes] : of.files) files[name] = bytes;
  std::string at;
  ui::append_timestamp(at, of.at);
  const boost::json::object all{
      {"to", of.to}, {"at", at}, {"whole", of.whole}, {"files", std::move(files)}};
  return boost::json::serialize(all) + "\n";
}

std::optional<mark> parse_mark(std::string_view text) {
  boost::json::error_code wrong;
  const auto value = boost::json::parse({text.data(), text.size()}, wrong);
  const auto* object = wrong ? nullptr : value.if_object();
  if (object == nullptr) return std::nullopt;
  const auto* files = object->if_contains("files");
  const auto* whole = object->if_contains("whole");
  const auto at = ui::parse_timestamp(json::text_at(*object, "at"));
  if (files == nullptr || !files->is_object() || whole == nullptr || !whole->is_bool() || !at)
    return std::nullopt;
  mark read;
  read.to = json::text_at(*object, "to");
  read.at = *at;
  read.whole = whole->get_bool();
  for (const auto& [name, bytes] : files->get_object()) {
    if (!bytes.is_int64() || bytes.get_int64() < 0) return std::nullopt;
    read.files.emplace(std::string{name}, static_cast<std::uint64_t>(bytes.get_int64()));
  }
  return read;
}

std::optional<mark> read_mark(journal::disk& on, const std::string& run_directory) {
  const auto text =
      journal::read_file(on, journal::archived_in(run_directory), limits::archived_mark_bytes);
  return text ? parse_mark(*text) : std::nullopt;
}

looked_at look_at_runs(journal::disk& on, const std::string& root, const std::string& to,
                       const std::set<std::string, std::less<>>& known, ui::time_point now) {
  looked_at found;
  const auto ids = on.names(journal::runs_in(root));
  if (!ids) return found;
  for (const std::string& id : *ids) {
    if (!journal::is_safe_id(id) || known.contains(id)) continue;
    const std::string directory = journal::run_in(root, id);
    const end ended = end_of(on, directory, now);
    found.more_soon = found.more_soon || ended.soon;
    if (!ended.at) continue;
    const auto marked = read_mark(on, directory);
    if (marked && marked->whole && marked->to == to && marked->files == files_of(on, directory))
      found.archived.push_back(id);
    else
      found.waiting.push_back({id, *ended.at});
  }
  std::sort(found.waiting.begin(), found.waiting.end(), [](const auto& a, const auto& b) {
    return std::tie(a.over_at, a.id) < std::tie(b.over_at, b.id);
  });
  return found;
}

text::result<std::uint64_t> archive_run(journal::disk& on, const std::string& root,
                                        const std::string& id, place& into, const std::string& to,
                                        ui::time_point now) {
  const std::string directory = journal::run_in(root, id);
  mark made{to, now, false, files_of(on, directory)};
  if (!made.files.contains("header.json")) return std::uint64_t{0};
  // What an earlier copy had, this one may not.
  if (const auto before = read_mark(on, directory); before && before->to == to) {
    file_sizes old;
    for (const auto& [name, bytes] : before->files)
      if (!made.files.contains(name)) old.emplace(name, bytes);
    if (auto wrong = remove_files(into, id, old); !wrong.empty()) return wrong;
  }
  if (auto wrong = write_mark(on, directory, made); !wrong.empty()) return wrong;
  const files::tree_reader from{directory};
  const std::string below = "runs/" + id;
  journal::manifest files;
  std::uint64_t sum = 0;
  for (auto& [name, bytes] : made.files) {
    const std::string path = journal::inside(directory, name);
    const files::descriptor file = from.open(name);
    if (!file && errno == ENOENT && !on.size(journal::header_in(directory)))
      return std::uint64_t{0};  // it was removed
    if (!file) return journal::refused(path, journal::error::unopenable, errno);
    const auto what = content_of_file(on, file.get(), path);
    if (!what) return what.error();
    if (auto wrong = into.put(journal::inside(below, name), *what); !wrong.empty()) return wrong;
    bytes = what->bytes;
    sum += what->bytes;
    files[name] = {what->bytes, what->sha256};
  }
  if (auto wrong = into.put(journal::inside(below, journal::manifest_name),
                            content_of(journal::text_of(files)));
      !wrong.empty())
    return wrong;
  made.whole = true;
  if (auto wrong = write_mark(on, directory, made); !wrong.empty()) return wrong;
  return sum;
}

text::failure remove_archived(journal::disk& on, const std::string& root, const std::string& id,
                              place& from) {
  const std::string directory = journal::run_in(root, id);
  const auto marked = read_mark(on, directory);
  if (!marked) return {};
  if (auto wrong = remove_files(from, id, marked->files); !wrong.empty()) return wrong;
  if (on.unlink(journal::archived_in(directory)) != 0 && errno != ENOENT)
    return journal::refused(journal::archived_in(directory), journal::error::not_removed, errno);
  return {};
}

}  // namespace tofud::archive
