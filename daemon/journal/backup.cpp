#include "daemon/journal/backup.hpp"

#include "daemon/files/tree_reader.hpp"
#include "daemon/journal/copied_file.hpp"
#include "daemon/journal/errors.hpp"
#include "daemon/journal/layout.hpp"
#include "daemon/journal/manifest.hpp"
#include "daemon/journal/run_directory.hpp"
#include "daemon/journal/run_header.hpp"
#include "protocol/text/sha256.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::journal {
namespace {

std::string manifest_in(const std::string& backup) { return inside(backup, manifest_name); }

text::failure failed(error what, const std::string& path) {
  return {what, path, std::strerror(errno)};
}

/// The manifest while it is made: a backup that is begun again goes on from it.
class progress_file {
 public:
  progress_file(disk& on, const std::string& backup)
      : on_{on}, path_{manifest_in(backup) + std::string{unfinished}} {}

  const std::string& path() const { return path_; }

  text::failure begin() {
    file_ = open_file{on_, on_.open(path_, O_WRONLY | O_CREAT)};
    if (!file_) return failed(error::unopenable, path_);
    end_ = on_.size(file_.fd()).value_or(0);
    return append("\n");  // ends a line that was torn
  }

  text::failure add(const manifest& files) { return append(text_of(files)); }

  text::failure to_disk() {
    return on_.fdatasync(file_.fd()) == 0 ? text::failure{} : failed(error::not_on_disk, path_);
  }

 private:
  text::failure append(const std::string& text) {
    if (const int code = write_all(on_, file_.fd(), text, end_); code != 0) {
      errno = code;
      return failed(error::not_written, path_);
    }
    end_ += text.size();
    return {};
  }

  disk& on_;
  std::string path_;
  open_file file_;
  std::uint64_t end_ = 0;
};

class backup {
 public:
  backup(disk& on, const std::string& root, const std::string& to)
      : on_{on}, root_{root}, to_{to}, from_{root}, progress_{on, to} {}

  text::result<backup_counts> make() {
    auto runs = from_ ? from_.names("runs") : std::nullopt;
    if (!runs) return failed(error::unreadable, runs_in(root_));
    if (auto wrong = begin(); !wrong.empty()) return wrong;
    if (auto wrong = make_directory("runs"); !wrong.empty()) return wrong;
    std::sort(runs->begin(), runs->end());
    for (const std::string& id : *runs) {
      if (!is_safe_id(id)) continue;  // one that is being made or removed, or none
      if (auto wrong = copy_run(id); !wrong.empty()) return wrong;
    }
    for (const char* name : {"removed.jsonl", "tokens", "tokens.used"}) {
      if (auto wrong = copy(name); !wrong.empty() && wrong.code() != ENOENT) return wrong.why();
    }
    if (auto wrong = drop_the_rest(); !wrong.empty()) return wrong;
    if (auto wrong = write_manifest(); !wrong.empty()) return wrong;
    return counts_;
  }

 private:
  text::failure make_directory(const std::string& name) {
    const std::string path = to_ + "/" + name;
    return on_.mkdir(path) == 0 || errno == EEXIST ? text::failure{}
                                                   : failed(error::not_made, path);
  }

  /// From here on there is no manifest until all is there. A directory of anything else is left
  /// alone, that of the daemon itself above all.
  text::failure begin() {
    if (on_.mkdir(to_) != 0 && errno != EEXIST) return failed(error::not_made, to_);
    const auto names = on_.names(to_);
    if (!names) return failed(error::unreadable, to_);
    if (!names->empty() && !on_.size(manifest_in(to_)) && !on_.size(progress_.path()))
      return {error::not_a_backup, to_};
    for (const std::string& path : {progress_.path(), manifest_in(to_)}) {
      if (auto before = read_manifest(on_, path, torn_lines::allowed)) before_.merge(*before);
    }
    if (auto wrong = progress_.begin(); !wrong.empty()) return wrong;
    if (auto wrong = progress_.add(before_); !wrong.empty()) return wrong;
    if (auto wrong = progress_.to_disk(); !wrong.empty()) return wrong;
    if (on_.unlink(manifest_in(to_)) != 0 && errno != ENOENT)
      return failed(error::not_removed, manifest_in(to_));
    return {};
  }

  /// What kept a file from being copied.
  class refusal {
   public:
    refusal() = default;
    refusal(text::failure why, int code) : why_{std::move(why)}, code_{code} {}
    bool empty() const { return why_.empty(); }
    int code() const { return code_; }
    const text::failure& why() const { return why_; }

   private:
    text::failure why_;
    int code_ = 0;
  };

  static refusal refused(error what, const std::string& path) {
    const int code = errno;
    return {failed(what, path), code};
  }

  /// The end and the events first: of a run that goes on the stream is then at least as long as
  /// they say. One that is removed meanwhile is not in the backup.
  text::failure copy_run(const std::string& id) {
    const std::string run = "runs/" + id;
    if (auto wrong = make_directory(run); !wrong.empty()) return wrong;
    std::vector<std::string> names{"complete", "events.jsonl", "arrivals", "header.json",
                                   "archived"};
    const auto attached = from_.names(run + "/attachments");
    if (!attached && errno != ENOENT) return failed(error::unreadable, inside(root_, run));
    if (attached) {
      if (auto wrong = make_directory(run + "/attachments"); !wrong.empty()) return wrong;
      for (const std::string& each : *attached) {
        if (!std::string_view{each}.ends_with(unfinished)) names.push_back("attachments/" + each);
      }
    }
    manifest made;
    std::swap(made, made_);
    for (const std::string& name : names) {
      const auto wrong = copy(inside(run, name));
      if (!wrong.empty() && wrong.code() != ENOENT) return wrong.why();
    }
    // It is compressed some time after its end, which may be now.
    auto wrong = copy(run + "/stream.jsonl");
    if (wrong.code() == ENOENT) {
      copy(run + "/stream.places");
      wrong = copy(run + "/stream.jsonl.gz");
    }
    std::swap(made, made_);
    if (!made.contains(run + "/header.json") || wrong.code() == ENOENT) return {};
    if (!wrong.empty()) return wrong.why();
    auto noted = progress_.add(made);
    made_.merge(made);
    ++counts_.runs;
    return noted;
  }

  /// Files of a run are appended to, or have other names once they are others; but an attachment
  /// may be replaced while the run goes on, and the mark of the archive at any time.
  bool is_there(const std::string& path, std::uint64_t bytes) const {
    const auto before = before_.find(path);
    const bool is_same = path.starts_with("runs/") && before != before_.end() &&
                         before->second.bytes == bytes && on_.size(to_ + "/" + path) == bytes;
    const auto attached = path.find("/attachments/");
    return is_same && !path.ends_with("/archived") &&
           (attached == std::string::npos ||
            before_.contains(path.substr(0, attached) + "/complete"));
  }

  refusal copy(const std::string& path) {
    const std::string from = inside(root_, path), made = inside(to_, path);
    const files::descriptor source = from_.open(path);
    if (!source) return refused(error::unopenable, from);
    const auto bytes = on_.size(source.get());
    if (!bytes) return refused(error::unreadable, from);
    ++counts_.files;
    counts_.bytes += *bytes;
    if (is_there(path, *bytes)) {
      made_[path] = before_.find(path)->second;
      return {};
    }
    text::sha256_sum sum;
    int read_failed = 0;
    const auto written = write_copy(on_, made, *bytes, [&](auto at, auto room) -> std::size_t {
      const auto n = on_.pread(source.get(), room, at);
      if (n < 0) read_failed = errno;
      if (n <= 0) return 0;  // the tail may have been cut
      sum.add({room.data(), static_cast<std::size_t>(n)});
      return static_cast<std::size_t>(n);
    });
    if (read_failed != 0)
      return {journal::refused(from, error::unreadable, read_failed), read_failed};
    if (!written) return {written.error(), EIO};
    made_[path] = {*written, sum.hex().value_or("")};
    ++counts_.copied;
    return {};
  }

  /// Runs that are gone, and files that have other names now.
  text::failure drop_the_rest() {
    const auto runs = on_.names(runs_in(to_));
    if (!runs) return failed(error::unreadable, runs_in(to_));
    for (const std::string& id : *runs) {
      const std::string run = "runs/" + id;
      const std::string directory = to_ + "/" + run;
      if (!made_.contains(run + "/header.json")) {
        if (!clear_removed(on_, directory)) return failed(error::not_removed, directory);
        continue;
      }
      for (const std::string& below : {run, run + "/attachments"}) {
        const auto names = on_.names(inside(to_, below));
        if (!names) continue;
        for (const std::string& name : *names) {
          const std::string path = inside(below, name), there = inside(to_, path);
          if (made_.contains(path) || on_.is_directory(there)) continue;
          if (on_.unlink(there) != 0) return failed(error::not_removed, there);
        }
      }
    }
    return {};
  }

  text::failure write_manifest() {
    const std::string text = text_of(made_);
    const std::string path = manifest_in(to_), beside = path + ".new";
    on_.unlink(beside);
    {
      const open_file file{on_, on_.open(beside, O_WRONLY | O_CREAT | O_EXCL)};
      if (!file) return failed(error::unopenable, beside);
      if (const int code = write_all(on_, file.fd(), text, 0); code != 0) {
        errno = code;
        return failed(error::not_written, beside);
      }
      if (on_.fdatasync(file.fd()) != 0) return failed(error::not_on_disk, beside);
    }
    if (on_.rename(beside, path) != 0) return failed(error::not_renamed, beside);
    const open_file directory{on_, on_.open(to_, O_RDONLY | O_DIRECTORY)};
    if (directory && on_.fsync(directory.fd()) != 0) return failed(error::not_on_disk, to_);
    on_.unlink(progress_.path());
    return {};
  }

  disk& on_;
  const std::string& root_;
  const std::string& to_;
  files::tree_reader from_;
  progress_file progress_;
  manifest before_, made_;
  backup_counts counts_;
};

}  // namespace

text::result<backup_counts> back_up(disk& on, const std::string& root, const std::string& to) {
  return backup{on, root, to}.make();
}

text::result<backup_counts> check_backup(disk& on, const std::string& at) {
  if (!on.size(manifest_in(at))) return text::failure{error::no_manifest, at};
  const auto known = read_manifest(on, manifest_in(at), torn_lines::refused);
  if (!known) return known.error();
  const files::tree_reader in{at};
  if (!in) return failed(error::unreadable, at);
  backup_counts counts;
  for (const auto& [path, file] : *known) {
    if (auto wrong = compare(on, in, at, path, file); !wrong.empty()) return wrong;
    ++counts.files;
    counts.bytes += file.bytes;
    if (path.ends_with("/header.json")) ++counts.runs;
  }
  const auto runs = on.names(runs_in(at));
  if (!runs) return failed(error::unreadable, runs_in(at));
  for (const std::string& id : *runs) {
    if (!known->contains("runs/" + id + "/header.json"))
      return text::failure{error::not_in_manifest, runs_in(at) + "/" + id};
  }
  return counts;
}

}  // namespace tofud::journal
