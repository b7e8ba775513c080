#include "daemon/journal/compression.hpp"

#include "daemon/journal/layout.hpp"
#include "daemon/journal/limits.hpp"
#include "daemon/journal/stream_file.hpp"
#include "protocol/text/sizes.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <utility>

namespace tofud::journal {
namespace {

constexpr int gzip_format = 16 + MAX_WBITS;
constexpr int level = 6;
constexpr int memory_level = 8;  // zlib's default
constexpr uLong held_back = 256 * limits::kib;

void append_number(std::string& to, std::uint64_t number) {
  for (int byte = 0; byte < 8; ++byte) to.push_back(static_cast<char>(number >> (8 * byte) & 0xff));
}

void write_places(disk& on, const std::string& run, std::uint64_t length,
                  const std::vector<std::uint64_t>& places) {
  std::string text;
  append_number(text, length);
  for (const std::uint64_t place : places) append_number(text, place);
  const std::string path = places_in(run);
  const open_file file{on, on.open(path, O_RDWR | O_CREAT | O_TRUNC)};
  if (!file || write_all(on, file.fd(), text, 0) != 0 || on.fsync(file.fd()) != 0) on.unlink(path);
}

}  // namespace

struct compression::present {
  waiting what;
  std::string directory, from, to;
  open_file in, out;
  z_stream stream{};
  bool ready = false;
  std::uint64_t read = 0, written = 0, checked = 0;
  std::uint64_t in_member = 0;              // bytes of the stream in the member that is open
  std::vector<std::uint64_t> places = {0};  // where members begin
  uLong sum = crc32(0, nullptr, 0), sum_again = sum;
  std::optional<stream_file> again;  // what was written, read back
  std::string room = std::string(limits::journal_slice_bytes, '\0');
  std::string packed;

  present() = default;
  ~present() {
    if (ready) deflateEnd(&stream);
  }
  present(const present&) = delete;
  present& operator=(const present&) = delete;
};

compression::compression(disk& on, std::string root, news told)
    : disk_{on}, root_{std::move(root)}, told_{std::move(told)} {}
compression::~compression() {
  if (present_) disk_.unlink(present_->to);
}

void compression::add(const std::string& run, std::uint64_t bytes) {
  waiting_.push_back({run, bytes});
  for (auto& each : std::exchange(failed_, {})) waiting_.push_back(std::move(each));
}

void compression::drop(const std::string& run) {
  const auto is_it = [&](const waiting& each) { return each.run == run; };
  waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), is_it), waiting_.end());
  failed_.erase(std::remove_if(failed_.begin(), failed_.end(), is_it), failed_.end());
  if (present_ && is_it(present_->what)) present_.reset();
}

bool compression::step() {
  if (!present_ && waiting_.empty()) return false;
  text::failure failure;
  if (!present_) {
    failure = begin();
  } else if (present_->in) {
    failure = pack();
  } else if (present_->checked < present_->what.bytes) {
    failure = check();
  } else {
    failure = finish();
    if (failure.empty()) end({});
  }
  if (!failure.empty()) end(failure);
  return true;
}

void compression::end(const text::failure& failure) {
  const auto ended = std::move(present_);
  if (!failure.empty()) {
    disk_.unlink(ended->to);
    failed_.push_back(ended->what);
  }
  told_(ended->what.run, failure);
}

text::failure compression::begin() {
  present_ = std::make_unique<present>();
  present& now = *present_;
  now.what = std::move(waiting_.front());
  waiting_.pop_front();
  now.directory = run_in(root_, now.what.run);
  now.from = stream_in(now.directory);
  now.to = compressed_in(now.directory) + std::string{unfinished};
  now.ready = deflateInit2(&now.stream, level, Z_DEFLATED, gzip_format, memory_level,
                           Z_DEFAULT_STRATEGY) == Z_OK;
  if (!now.ready) return {error::no_memory, now.from};
  now.in = open_file{disk_, disk_.open(now.from, O_RDONLY)};
  if (!now.in) return refused(now.from, error::unopenable, errno);
  now.out = open_file{disk_, disk_.open(now.to, O_RDWR | O_CREAT | O_TRUNC)};
  if (!now.out) return refused(now.to, error::not_made, errno);
  return {};
}

text::failure compression::pack() {
  present& now = *present_;
  const auto left = now.what.bytes - now.read;
  const auto of_member = limits::gzip_member_bytes - now.in_member;
  const std::span<char> room{now.room.data(),
                             std::min<std::uint64_t>({left, of_member, now.room.size()})};
  const ssize_t n = room.empty() ? 0 : disk_.pread(now.in.fd(), room, now.read);
  if (n < 0) return refused(now.from, error::unreadable, errno);
  if (n == 0 && left > 0) return {error::stream_shortened, now.from};
  now.read += static_cast<std::uint64_t>(n);
  auto* bytes = reinterpret_cast<unsigned char*>(room.data());
  now.sum = crc32(now.sum, bytes, static_cast<uInt>(n));
  now.stream.next_in = bytes;
  now.stream.avail_in = static_cast<uInt>(n);
  now.in_member += static_cast<std::uint64_t>(n);
  const bool last = now.read == now.what.bytes;
  const bool ends_member = last || now.in_member == limits::gzip_member_bytes;
  // Some of the slices before is still inside: less than a window and its symbols.
  now.packed.resize(deflateBound(&now.stream, static_cast<uLong>(n) + held_back));
  now.stream.next_out = reinterpret_cast<unsigned char*>(now.packed.data());
  now.stream.avail_out = static_cast<uInt>(now.packed.size());
  const int code = deflate(&now.stream, ends_member ? Z_FINISH : Z_NO_FLUSH);
  if (code != (ends_member ? Z_STREAM_END : Z_OK)) return {error::not_compressed, now.from};
  now.packed.resize(now.packed.size() - now.stream.avail_out);
  if (const int error = write_all(disk_, now.out.fd(), now.packed, now.written))
    return refused(now.to, error::not_written, error);
  now.written += now.packed.size();
  if (ends_member && !last) {
    deflateReset(&now.stream);
    now.in_member = 0;
    now.places.push_back(now.written);
  }
  if (last) now.in.close();
  return {};
}

/// The plain file goes only when what takes its place has been read back.
text::failure compression::check() {
  present& now = *present_;
  if (!now.again) {
    now.again = stream_file::open_compressed(disk_, now.to);
    if (!now.again) return refused(now.to, error::not_read_back, errno);
  }
  const auto n = now.again->read(now.checked, now.room);
  if (!n || *n == 0) return {error::not_as_written, now.to};
  now.checked += *n;
  now.sum_again = crc32(now.sum_again, reinterpret_cast<const unsigned char*>(now.room.data()),
                        static_cast<uInt>(*n));
  return {};
}

text::failure compression::finish() {
  present& now = *present_;
  if (now.sum != now.sum_again || now.checked != now.what.bytes)
    return {error::not_as_written, now.to};
  if (disk_.fsync(now.out.fd()) != 0) return refused(now.to, error::not_on_disk, errno);
  // Only a help: without it reads take longer.
  write_places(disk_, now.directory, now.written, now.places);
  if (disk_.rename(now.to, compressed_in(now.directory)) != 0)
    return refused(now.to, error::not_renamed, errno);
  if (const int error = sync_directory(disk_, now.directory))
    return refused(now.directory, error::not_on_disk, error);
  disk_.unlink(now.from);  // else the next start does it
  return {};
}

}  // namespace tofud::journal
