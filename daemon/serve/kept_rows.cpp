#include "daemon/serve/kept_rows.hpp"

#include "daemon/correlator/state_archive.hpp"
#include "daemon/files/gunzip.hpp"
#include "daemon/files/gzip.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/files/private_file.hpp"
#include "daemon/operations/held_memory.hpp"
#include "daemon/serve/limits.hpp"
#include "protocol/text/sha256.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tofud::serve {
namespace {

/// Reads what is attached from its file, on the calling thread; notes what can't be read.
pipeline::part_reader reader_of(const row_sources& of, std::shared_ptr<bool> failed) {
  return [paths = of.documents, failed = std::move(failed)](const events::attachment& said,
                                                            attachments::documents& known) {
    const auto path = paths.find(said.part);
    const bool is_read = path != paths.end() && known.add(said.part, path->second).empty();
    *failed = *failed || !is_read;
    return is_read;
  };
}

/// The newest lines of each run, in chunks as its topic has them.
class newest_lines final : public correlator::row_sink {
 public:
  void run_began(correlator::run_state& /*run*/) override { runs.emplace_back(); }
  void line(correlator::run_state& /*run*/, const feed::line_change& line) override {
    runs.back().append(line, fanout::topic_limits{}.chunk_bytes);
    runs.back().trim(limits::kept_lines_bytes);
  }

  pipeline::run_topics::kept_lines runs;
};

void save(const pipeline::run_topics::kept_lines& runs, correlator::state_writer& to) {
  to.put(runs.size());
  for (const auto& run : runs) {
    to.put(run.dropped);
    to.put(run.chunks.size());
    for (const auto& chunk : run.chunks) {
      to.put(chunk.text);
      to.put(chunk.lines.size());
      for (const auto& line : chunk.lines) {
        to.put(line.seq);
        to.put(line.subject);
        to.put(std::uint32_t{line.begin});
        to.put(line.is_text != 0);
      }
    }
  }
}

pipeline::run_topics::kept_lines load_lines(correlator::state_reader& from) {
  pipeline::run_topics::kept_lines runs;
  const auto count = [&from] {
    std::size_t there = 0;
    from.get(there);
    return there;
  };
  for (std::size_t left = count(); left > 0 && !from.failed(); --left) {
    auto& run = runs.emplace_back();
    from.get(run.dropped);
    for (std::size_t chunks = count(); chunks > 0 && !from.failed(); --chunks) {
      auto& chunk = run.chunks.emplace_back();
      from.get(chunk.text);
      run.bytes += chunk.text.size();
      for (std::size_t lines = count(); lines > 0 && !from.failed(); --lines) {
        fanout::line_store::entry line{};
        std::uint32_t begin = 0;
        bool is_text = false;
        from.get(line.seq);
        from.get(line.subject);
        from.get(begin);
        from.get(is_text);
        if (begin >= chunk.text.size()) from.fail();
        line.begin = begin;
        line.is_text = is_text;
        chunk.lines.push_back(line);
      }
      if (chunk.lines.empty()) from.fail();
    }
  }
  return runs;
}

}  // namespace

std::string row_sources::fingerprint() const {
  std::string all;
  correlator::state_writer to{all};
  to.put(identity);
  to.put(bytes);
  to.put(more);
  return text::sha256_hex(all);
}

kept_rows read_rows(const std::string& path, const row_sources& of) {
  const auto there = files::read_private(path, limits::kept_rows_bytes);
  const std::string wanted = of.fingerprint();
  if (!there || !there->starts_with(wanted)) return {};
  std::string_view packed = std::string_view{*there}.substr(wanted.size());
  std::uint64_t size = 0;
  const auto read = std::from_chars(packed.data(), packed.data() + packed.size(), size);
  if (read.ec != std::errc{} || size > limits::unpacked_rows_bytes) return {};
  packed.remove_prefix(static_cast<std::size_t>(read.ptr - packed.data()));
  const operations::held_memory held{operations::memory_for::rows, there->size() + size};
  std::string all;
  all.reserve(size);
  bool is_much = false;
  files::gunzip unpacked{[&](std::string_view bytes) {
    is_much = is_much || bytes.size() > size - all.size();
    if (!is_much) all.append(bytes);
  }};
  if (!unpacked.feed(packed).empty() || !unpacked.end().empty() || is_much) return {};
  correlator::state_reader from_all{all, [](std::string_view text) { return text; }};
  kept_rows made;
  std::string_view snapshot;
  from_all.get(snapshot);
  made.lines = load_lines(from_all);
  if (from_all.failed() || !from_all.at_end()) return {};
  made.rows =
      std::make_unique<pipeline::engine>(of.identity, reader_of(of, std::make_shared<bool>(false)));
  if (!made.rows->restore(snapshot).empty() || made.rows->offset() != of.bytes) return {};
  return made;
}

std::string rows_to_keep(const row_sources& of, const files::stream_bytes& stream,
                         std::size_t most_memory, const std::atomic<bool>& is_wanted) {
  const auto failed = std::make_shared<bool>(false);
  pipeline::engine rows{of.identity, reader_of(of, failed)};
  newest_lines newest;
  rows.tell(newest);
  for (const events::event& each : of.events) rows.add(each);
  operations::held_memory held{operations::memory_for::rows};
  std::string room(limits::read_bytes, '\0');
  while (rows.offset() < of.bytes) {
    held.hold(rows.memory());
    if (!is_wanted || operations::memory_held(operations::memory_for::rows) > most_memory)
      return {};
    const auto most = std::min<std::uint64_t>(room.size(), of.bytes - rows.offset());
    const std::size_t count = stream(rows.offset(), {room.data(), static_cast<std::size_t>(most)});
    if (count == 0) return {};
    rows.feed({room.data(), count});
  }
  rows.end();
  const auto snapshot = rows.snapshot();
  if (!snapshot || *failed) return {};
  std::string all;
  correlator::state_writer to{all};
  to.put(*snapshot);
  save(newest.runs, to);
  if (all.size() > limits::unpacked_rows_bytes) return {};
  held.hold(rows.memory() + snapshot->size() + all.size());
  files::gzip packed;
  for (std::string_view rest = all; !rest.empty() && is_wanted;) {
    packed.feed(rest.substr(0, limits::read_bytes));
    rest.remove_prefix(std::min(rest.size(), limits::read_bytes));
  }
  const std::string made = packed.end();
  if (made.empty() || made.size() > limits::kept_rows_bytes || !is_wanted) return {};
  return of.fingerprint() + std::to_string(all.size()) + made;
}

}  // namespace tofud::serve
