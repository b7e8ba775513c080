#include "daemon/journal/recovery.hpp"

#include "daemon/files/limits.hpp"
#include "daemon/journal/attachments.hpp"
#include "daemon/journal/layout.hpp"
#include "daemon/journal/limits.hpp"
#include "daemon/journal/run_directory.hpp"
#include "daemon/journal/stream_file.hpp"
#include "daemon/journal/sync_crew.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace tofud::journal {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

void say(std::string& remark, const std::string& sentence) {
  if (!remark.empty()) remark += "; ";
  remark += sentence;
}

/// Calls for each line that ends in a newline, with where the next one begins.
void each_line(std::string_view text,
               const std::function<void(std::string_view line, std::size_t end)>& with) {
  for (std::size_t begin = 0;;) {
    const auto newline = text.find('\n', begin);
    if (newline == std::string_view::npos) return;
    with(text.substr(begin, newline - begin), newline + 1);
    begin = newline + 1;
  }
}

/// Cuts a file and brings it to disk; "" or what the disk said.
text::failure cut(disk& on, const std::string& path, std::uint64_t size) {
  const open_file file{on, on.open(path, O_RDWR)};
  if (!file) return refused(path, error::unopenable, errno);
  if (on.ftruncate(file.fd(), size) != 0) return refused(path, error::not_cut, errno);
  if (on.fdatasync(file.fd()) != 0) return refused(path, error::not_on_disk, errno);
  return {};
}

/// What lies in a run's directory, looked at once: a daemon has ten thousand of them, and each call
/// takes some microseconds of its start.
class run_files {
 public:
  run_files(disk& on, const std::string& directory)
      : prefix_{directory.size() + 1},
        all_{on.entries(directory).value_or(std::vector<disk::entry>{})} {}

  /// Of a regular file; nothing: there is none of that path.
  std::optional<std::uint64_t> size(const std::string& path) const {
    const auto* found = find(path);
    if (found == nullptr || found->is_directory) return std::nullopt;
    return found->size;
  }
  bool has(const std::string& path) const { return find(path) != nullptr; }
  const std::vector<disk::entry>& all() const { return all_; }

 private:
  const disk::entry* find(const std::string& path) const {
    const std::string_view name = std::string_view{path}.substr(prefix_);
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&](const disk::entry& each) { return each.name == name; });
    return found == all_.end() ? nullptr : &*found;
  }

  std::size_t prefix_;  // of a path: the directory and a slash
  std::vector<disk::entry> all_;
};

/// The events of a run; a line that never was acknowledged is cut.
std::vector<kept_event> read_events(disk& on, const std::string& directory, const run_files& files,
                                    std::string& remark) {
  const std::string path = events_in(directory);
  if (files.size(path) == 0U) return {};
  const auto text = read_file(on, path, no_limit);
  std::vector<kept_event> events;
  if (!text) {
    say(remark, refused(path, error::unreadable, errno).text());
    return events;
  }
  std::size_t good = 0;
  bool broken = false;
  each_line(*text, [&](std::string_view line, std::size_t end) {
    const auto offset = broken ? std::nullopt : event_offset(line);
    broken = broken || !offset;
    if (!offset) return;
    events.push_back({events.size() + 1, *offset, std::string{line}});
    good = end;
  });
  if (good == text->size()) return events;
  say(remark, path + ": " + std::to_string(text->size() - good) +
                  " bytes at its end are not events and were cut off");
  if (const auto failure = cut(on, path, good); !failure.empty()) say(remark, failure.text());
  return events;
}

struct arrivals_end {
  std::optional<arrival> last;
  std::uint64_t good = 0;  // where the file is to go on
  std::uint64_t size = 0;
};

/// The last whole record whose offset is at most `most`.
arrivals_end last_arrival(std::string_view text, std::uint64_t begin, std::uint64_t most) {
  arrivals_end found;
  each_line(text, [&](std::string_view line, std::size_t end) {
    const auto record = parse_arrival(line);
    if (!record || record->offset > most) return;
    found.last = record;
    found.good = begin + end;
  });
  return found;
}

arrivals_end read_end_of_arrivals(disk& on, const std::string& path,
                                  std::optional<std::uint64_t> size, std::uint64_t most) {
  if (!size) return {};
  arrivals_end found;
  for (std::uint64_t piece = 4 * limits::kib;; piece *= 16) {
    const auto begin = *size > piece ? *size - piece : 0;
    std::string text(*size - begin, '\0');
    const open_file file{on, on.open(path, O_RDONLY)};
    if (!file || on.pread(file.fd(), text, begin) != static_cast<ssize_t>(text.size())) return {};
    found = last_arrival(text, begin, most);
    found.size = *size;
    if (found.last || begin == 0) return found;
  }
}

/// How many bytes of `path` behind `trusted` are whole lines without a NUL.
std::uint64_t whole_lines(disk& on, const std::string& path, std::uint64_t trusted) {
  const open_file file{on, on.open(path, O_RDONLY)};
  std::uint64_t kept = 0;
  std::string room(limits::read_bytes, '\0');
  for (std::uint64_t offset = trusted; file;) {
    const ssize_t n = on.pread(file.fd(), room, offset);
    if (n <= 0) break;
    std::string_view piece{room.data(), static_cast<std::size_t>(n)};
    const auto nul = piece.find('\0');
    const auto newline = piece.substr(0, nul).rfind('\n');
    if (newline != std::string_view::npos) kept = offset + newline + 1 - trusted;
    if (nul != std::string_view::npos) break;
    offset += piece.size();
  }
  return kept;
}

/// Where the last line that ends within the first `size` bytes ends.
std::uint64_t last_line_end(disk& on, const std::string& path, std::uint64_t size) {
  const open_file file{on, on.open(path, O_RDONLY)};
  std::string room(limits::read_bytes, '\0');
  while (file && size > 0) {
    const auto begin = size > room.size() ? size - room.size() : 0;
    const std::span<char> piece{room.data(), size - begin};
    if (on.pread(file.fd(), piece, begin) != static_cast<ssize_t>(piece.size())) return size;
    const auto newline = std::string_view{piece.data(), piece.size()}.rfind('\n');
    if (newline != std::string_view::npos) return begin + newline + 1;
    size = begin;
  }
  return 0;
}

/// Decides how much of a stream that goes on is kept, and makes the disk agree.
void settle_stream(disk& on, const std::string& directory, kept_run& run) {
  const std::string path = stream_in(directory);
  const auto size = on.size(path);
  if (!size) {
    say(run.remark, refused(path, error::unreadable, errno).text() + "; the run starts again");
    const open_file made{on, on.open(path, O_RDWR | O_CREAT)};
    if (made) sync_directory(on, directory);
  }
  const std::uint64_t there = size.value_or(0);
  const std::string arrivals_path = arrivals_in(directory);
  const auto arrivals_size = on.size(arrivals_path);
  const auto all = read_end_of_arrivals(on, arrivals_path, arrivals_size, no_limit);
  const std::uint64_t acknowledged = all.last ? all.last->offset : 0;
  if (there < acknowledged) {
    say(run.remark, path + ": has " + std::to_string(there) + " bytes where " +
                        std::to_string(acknowledged) +
                        " were acknowledged; the disk lost the rest");
  }
  const auto within = read_end_of_arrivals(on, arrivals_path, arrivals_size, there);
  const std::uint64_t trusted = within.last ? within.last->offset : 0;
  std::uint64_t keep = there > trusted ? trusted + whole_lines(on, path, trusted) : trusted;
  // Nobody will send the rest of the line.
  if (run.header.upload_id.empty()) keep = last_line_end(on, path, keep);
  if (keep < there) {
    say(run.remark, path + ": a torn tail of " + std::to_string(there - keep) +
                        " bytes was cut off; " + std::to_string(keep) + " remain");
  }
  // Arrivals first: they are never to speak of more than there is.
  const auto end = read_end_of_arrivals(on, arrivals_path, arrivals_size, keep);
  run.last_arrival = end.last;
  if (end.good < end.size) {
    if (const auto failure = cut(on, arrivals_path, end.good); !failure.empty())
      say(run.remark, failure.text());
  }
  // Without the record of what was acknowledged the next recovery would trust less, and cut more.
  if (keep < trusted) {
    run.last_arrival = arrival{keep, within.last->at};
    const open_file arrivals{on, on.open(arrivals_path, O_RDWR)};
    if (arrivals) on.pwrite(arrivals.fd(), to_line(*run.last_arrival), end.good);
  }
  run.bytes = keep;
  // Also where nothing is cut: written is not yet on disk.
  if (const auto failure = cut(on, path, keep); !failure.empty()) {
    run.bytes = std::min(keep, trusted);
    say(run.remark, failure.text());
  }
}

/// Reads all of it: only where nothing else says it.
std::uint64_t unpacked_size(disk& on, const std::string& directory) {
  auto file = stream_file::open_compressed(on, compressed_in(directory));
  std::string room(limits::read_bytes, '\0');
  std::uint64_t size = 0;
  while (file) {
    const auto n = file->read(size, room);
    if (!n || *n == 0) break;
    size += *n;
  }
  return size;
}

/// Of a run that is over: which file holds the stream, and the rests of compressing it.
void settle_complete(disk& on, const std::string& directory, const run_files& files,
                     kept_run& run) {
  const auto marker = read_file(on, complete_in(directory), limits::kib);
  const auto marked = marker ? parse_completion(*marker) : std::nullopt;
  if (marked) run.completed_at = marked->at;
  run.compressed = files.size(compressed_in(directory)).has_value();
  auto plain = files.size(stream_in(directory));
  if (run.compressed && plain) {
    on.unlink(stream_in(directory));
    plain.reset();
  }
  run.bytes = marked           ? marked->bytes
              : run.compressed ? unpacked_size(on, directory)
                               : plain.value_or(0);
  if (!marked) say(run.remark, complete_in(directory) + ": is not readable");
  if (!run.compressed && plain.value_or(0) != run.bytes) {
    say(run.remark, stream_in(directory) + ": has " + std::to_string(plain.value_or(0)) +
                        " bytes where it ended with " + std::to_string(run.bytes));
    run.bytes = plain.value_or(0);
  }
  if (marked) return;
  const std::string arrivals_path = arrivals_in(directory);
  run.last_arrival =
      read_end_of_arrivals(on, arrivals_path, files.size(arrivals_path), no_limit).last;
}

}  // namespace

std::uint64_t bytes_in(disk& on, const std::string& directory) {
  std::uint64_t bytes = 0;
  const auto names = on.names(directory);
  if (!names) return 0;
  for (const auto& name : *names) {
    const std::string path = inside(directory, name);
    bytes += on.is_directory(path) ? bytes_in(on, path) : on.size(path).value_or(0);
  }
  return bytes;
}

namespace {

/// What lies below one of the names in `runs/`: a run, or none and perhaps a sentence about it.
struct looked_at {
  std::optional<kept_run> run;
  std::string remark;
};

looked_at recover_run(disk& on, const std::string& root, const std::string& name) {
  const auto no_run = [](std::string why) { return looked_at{std::nullopt, std::move(why)}; };
  const std::string directory = run_in(root, name);
  if (name.starts_with(being_made) || name.starts_with(being_removed)) {
    if (clear_removed(on, directory)) return {};
    return no_run(refused(directory, error::not_removed, errno).text());
  }
  run_files files{on, directory};
  const auto text = files.size(header_in(directory))
                        ? read_file(on, header_in(directory), limits::journal_header_bytes)
                        : std::nullopt;
  if (!text)
    return no_run(directory + ": is not a run because it has no header.json; it is left as it is");
  auto header = parse_header(*text);
  if (!header || header->id != name) {
    return no_run(header_in(directory) + ": " +
                  (header ? std::string{"is of another run"} : header.error().text()) +
                  "; it is left as it is");
  }
  looked_at found;
  kept_run& run = found.run.emplace();
  run.header = std::move(*header);
  run.events = read_events(on, directory, files, run.remark);
  run.complete = files.size(complete_in(directory)) || files.size(compressed_in(directory));
  bool is_changed = !run.complete;  // what is torn of a stream that goes on is cut
  for (const disk::entry& each : files.all()) {
    const std::string_view called{each.name};
    const bool is_rest =
        called.ends_with(unfinished) || (called.starts_with(rows_name) && called != rows_name);
    if (is_rest && !each.is_directory && on.unlink(inside(directory, each.name)) == 0)
      is_changed = true;
  }
  if (run.complete)
    settle_complete(on, directory, files, run);
  else
    settle_stream(on, directory, run);
  if (files.has(attachments_in(directory))) {
    clear_attachments(on, directory);
    run.attached_bytes = attached_bytes(on, directory);
  }
  is_changed = is_changed || (run.compressed && files.has(stream_in(directory)));
  if (is_changed) files = run_files{on, directory};
  for (const disk::entry& each : files.all())
    run.disk_bytes += each.is_directory ? bytes_in(on, inside(directory, each.name)) : each.size;
  return found;
}

}  // namespace

std::size_t recovery_helpers(std::size_t runs) {
  return std::min(runs / limits::recovered_by_thread, limits::recoverers);
}

recovered recover_runs(disk& on, const std::string& root, const std::function<void()>& meanwhile) {
  recovered found;
  const auto names = on.names(runs_in(root));
  if (!names) {
    found.remarks.push_back(refused(runs_in(root), error::unreadable, errno).text());
    meanwhile();
    return found;
  }
  std::vector<looked_at> all(names->size());
  sync_crew{recovery_helpers(names->size())}.each(names->size() + 1, [&](std::size_t i) {
    if (i == 0)
      meanwhile();
    else
      all[i - 1] = recover_run(on, root, (*names)[i - 1]);
  });
  std::vector<kept_run*> order;  // a run is large to be moved about
  order.reserve(all.size());
  for (looked_at& each : all) {
    if (each.run) order.push_back(&*each.run);
    if (!each.remark.empty()) found.remarks.push_back(std::move(each.remark));
  }
  std::sort(order.begin(), order.end(), [](const kept_run* a, const kept_run* b) {
    return std::tie(a->header.created_at, a->header.id) >
           std::tie(b->header.created_at, b->header.id);
  });
  found.runs.reserve(order.size());
  for (kept_run* run : order) found.runs.push_back(std::move(*run));
  return found;
}

std::vector<arrival> read_arrivals(disk& on, const std::string& run_directory) {
  std::vector<arrival> arrivals;
  const auto text = read_file(on, arrivals_in(run_directory), no_limit);
  if (!text) return arrivals;
  each_line(*text, [&](std::string_view line, std::size_t) {
    if (const auto record = parse_arrival(line)) arrivals.push_back(*record);
  });
  return arrivals;
}

}  // namespace tofud::journal
