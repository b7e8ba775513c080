#include "daemon/api/stream_reads.hpp"

#include "daemon/files/limits.hpp"
#include "daemon/redaction/environment_secrets.hpp"
#include "daemon/redaction/redaction.hpp"
#include "protocol/redact/stream_redactor.hpp"
#include "protocol/redact/withheld_line.hpp"
#include "protocol/text/failure.hpp"
#include "protocol/text/whole_number.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tofud {
namespace {

// No eye sees it, and a look costs nothing but the timer.
constexpr std::chrono::milliseconds between_looks{100};

using ready = std::shared_ptr<const redact::ready_rules>;

/// Found when first asked for.
class rules_of_here {
 public:
  explicit rules_of_here(std::string mask_file) : mask_file_{std::move(mask_file)} {}

  const text::result<ready>& get() {
    if (!rules_) rules_ = find();
    return *rules_;
  }

 private:
  text::result<ready> find() const {
    const auto found = redaction::rules_here(redaction::own_environment(), mask_file_);
    if (!found) return found.error();
    return std::make_shared<const redact::ready_rules>(*found);
  }

  std::string mask_file_;
  std::optional<text::result<ready>> rules_;
};

/// What is attached by now.
correlator::run_attachments known_of(const correlator::stream_fold& fold) {
  const auto& places = fold.attached();
  return places.empty() ? correlator::run_attachments{} : places.back().known;
}

class served_stream {
 public:
  served_stream(const readable_run& read, const ready& rules, std::uint64_t from, bool follow)
      : run_{read.run},
        bytes_{read.bytes},
        keeps_{read.keeps},
        at_{from},
        follow_{follow},
        lines_{from},
        redactor_{rules} {
    piece_.reserve(limits::read_bytes);
  }

  /// False: that was all.
  bool next(std::string& out) {
    const auto& fold = run_->stream().fold();
    const bool over = !follow_ || fold.runs().back().over();
    const std::uint64_t left = fold.offset() - std::min(at_, fold.offset());
    piece_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, limits::read_bytes)));
    const std::size_t count = piece_.empty() ? 0 : bytes_(at_, std::span{piece_});
    if (count == 0) {
      if (over) finish(out);
      return !over;
    }
    piece_.resize(count);
    at_ += count;
    lines_.keep_lines(piece_, 0);
    learn();
    redacted_.clear();
    redactor_.feed(piece_, redacted_);
    hide(out);
    return true;
  }

 private:
  /// What is attached while somebody follows counts from here on.
  void learn() {
    const auto known = known_of(run_->stream().fold());
    schemas_ = known.schemas;
    if (known.hidden == hidden_) return;
    hidden_ = known.hidden;
    if (hider_)
      hider_->redact_by(hidden_);
    else
      hider_.emplace(hidden_);
  }

  /// What the redactor gave out: whole lines, but for the last one of the stream, and for those
  /// that are too long and became spaces.
  void hide(std::string& out) {
    shown_.clear();
    std::string_view rest{redacted_};
    while (!rest.empty()) {
      const std::size_t newline = rest.find('\n');
      const std::string_view line = rest.substr(0, newline);
      const bool more = redact::says_more_than_its_row(line, schemas_.get(), parser_);
      shown_.append(more ? redact::withheld_line() : line);
      rest.remove_prefix(line.size());
      if (rest.empty()) break;
      shown_.push_back('\n');
      rest.remove_prefix(1);
    }
    if (hider_)
      hider_->feed(shown_, out);
    else
      out.append(shown_);
  }

  void finish(std::string& out) {
    learn();
    redacted_.clear();
    redactor_.finish(redacted_);
    hide(out);
    if (hider_) hider_->finish(out);
  }

  const pipeline::run* run_;
  files::stream_bytes bytes_;
  std::shared_ptr<const void> keeps_;
  std::uint64_t at_;
  bool follow_;
  line_finder lines_;
  redact::stream_redactor redactor_;
  ready hidden_;                                  // the newest values
  std::optional<redact::stream_redactor> hider_;  // there are some
  std::shared_ptr<const schema::schemas> schemas_;
  ui::message_parser parser_;
  std::string piece_, redacted_, shown_;
};

http::response stream_of(const readable_run& read, const http::request& asked,
                         rules_of_here& here) {
  constexpr auto all = std::numeric_limits<std::uint64_t>::max();
  const auto last = asked.parameter("last");
  const auto count = last ? text::parse_whole_number<std::uint64_t>(*last) : all;
  if (!count) return http::problem(400, "last= must be a number of bytes");
  const auto& rules = here.get();
  if (!rules) return http::problem(500, rules.error().text());
  const std::uint64_t from = offset_of_last(read.run->stream().fold().offset(), *count);
  const bool follow = asked.parameter("follow").value_or("0") != "0";
  http::response stream;
  stream.content_type = "application/x-ndjson";
  stream.headers.push_back(stream_offset(from));
  stream.pause = follow ? between_looks : std::chrono::milliseconds{0};
  stream.pieces = [served = std::make_shared<served_stream>(read, *rules, from, follow)](
                      std::string& out) { return served->next(out); };
  return stream;
}

}  // namespace

void line_finder::keep_lines(std::string& out, std::size_t begin) {
  if (!looking_) return;
  const std::size_t newline = out.find('\n', begin);
  looking_ = newline == std::string::npos;
  out.erase(begin, looking_ ? std::string::npos : newline + 1 - begin);
}

std::uint64_t offset_of_last(std::uint64_t bytes, std::uint64_t last) {
  return bytes > last ? bytes - last - 1 : 0;
}

http::header stream_offset(std::uint64_t offset) {
  return {"Stream-Offset", std::to_string(offset)};
}

void add_stream_read(http::router& routes, const run_finder& find, const std::string& mask_file) {
  const auto here = std::make_shared<rules_of_here>(mask_file);
  routes.get("/v1/runs/*/stream.jsonl",
             of_run(find, [here](const readable_run& read, const http::request& asked) {
               return stream_of(read, asked, *here);
             }));
}

}  // namespace tofud
