// Any bytes as a stream that leaves the machine: as many lines come out, each of the kind that it
// was, no secret among them, and both streams fold to the same rows, unless a line had to be masked
// shorter than others. The same bytes as a document: what was JSON stays JSON.
#include "daemon/correlator/stream_fold.hpp"
#include "protocol/json/document.hpp"
#include "protocol/redact/document_redactor.hpp"
#include "protocol/redact/stream_redactor.hpp"
#include "protocol/ui/parse_message.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

namespace tofud {
namespace {

void demand(bool holds, std::string_view what, std::string_view seen, std::string_view made) {
  if (holds) return;
  std::cerr << what << "\n" << seen.substr(0, 4000) << "\n" << made.substr(0, 4000) << "\n";
  std::abort();
}

constexpr std::string_view secret = "hunter22";

// Short, so that small inputs reach what happens to long lines.
constexpr std::size_t longest_line = 4096;

redact::rules rules_with(redact::provisioner_output provisioners) {
  return {{{"A", std::string{secret}}, {"B", "p\"w\\d\nsecond line"}, {"C", "123456"}},
          "salt",
          provisioners};
}

std::string redacted(const redact::rules& rules, std::string_view bytes, std::size_t piece) {
  redact::stream_redactor redactor{rules, longest_line};
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    redactor.feed(bytes.substr(at, piece), out);
  redactor.finish(out);
  demand(redactor.offset() == out.size(), "offsets", bytes, out);
  return out;
}

/// Whether some line is only short enough because its masks are.
bool has_short_masks(const redact::rules& rules, std::string_view bytes) {
  redact::stream_redactor redactor{rules};
  std::string out;
  redactor.feed(bytes, out);
  redactor.finish(out);
  std::string_view before = bytes;
  std::string_view after = out;
  while (!before.empty()) {
    const std::size_t end = std::min(before.find('\n'), before.size());
    const std::size_t made = std::min(after.find('\n'), after.size());
    if (end <= longest_line && made > longest_line) return true;
    before.remove_prefix(std::min(end + 1, before.size()));
    after.remove_prefix(std::min(made + 1, after.size()));
  }
  return false;
}

class outline : public correlator::row_sink {
 public:
  std::string text;

  explicit outline(std::string_view bytes) {
    correlator::run_identity identity;
    identity.id = "fuzz";
    correlator::stream_fold fold{std::move(identity), *this, longest_line};
    fold.feed(bytes);
    fold.end();
    text += std::to_string(fold.inferred_exit_status()) + " " + std::to_string(fold.runs().size());
  }
  void changed(correlator::run_state& run, feed::row_change change) override {
    text += std::string{feed::name(run.kind(change.row))} + std::to_string(change.row) + "@" +
            std::to_string(change.seq) + " ";
  }
  void line(correlator::run_state&, const feed::line_change& line) override {
    text += std::string{feed::name(line.kind)} + "@" + std::to_string(line.seq) + " ";
  }
};

struct line_kind {
  bool text, message, object;
  std::size_t body;
  bool operator==(const line_kind&) const = default;
};

line_kind kind_of(ui::message_parser& parser, std::string_view line) {
  const auto& parsed = parser.parse(line);
  line_kind found{parsed.text.has_value(), parsed.head.has_value(), false, 0};
  if (parsed.head) found.body = parsed.body.index();
  found.object = parser.is_whole_object(line);
  return found;
}

void check(const redact::rules& rules, std::string_view bytes) {
  const std::size_t piece =
      bytes.empty() ? 1 : 1 + static_cast<std::uint8_t>(bytes[bytes.size() - 1]);
  const std::string out = redacted(rules, bytes, std::max<std::size_t>(bytes.size(), 1));
  demand(out == redacted(rules, bytes, piece), "cut elsewhere, other bytes", bytes, out);
  demand(out.find(secret) == out.npos, "the secret is there", bytes, out);
  ui::message_parser parser;
  std::string_view before = bytes;
  std::string_view after = out;
  for (;;) {
    const std::size_t end = before.find('\n');
    const std::size_t made = after.find('\n');
    demand((end == before.npos) == (made == after.npos), "other lines", bytes, out);
    if (end == before.npos) break;
    const auto raw = before.substr(0, end);
    const auto line = after.substr(0, made);
    if (raw.size() <= longest_line) {
      demand(line.size() <= longest_line, "too long a line", raw, line);
      const auto was = kind_of(parser, raw);
      auto is = kind_of(parser, line);
      // Text stays text, JSON or not.
      if (!was.message) is.object = was.object;
      demand(was == is, "another kind of line", raw, line);
    }
    before.remove_prefix(end + 1);
    after.remove_prefix(made + 1);
  }
  if (has_short_masks(rules, bytes)) return;
  demand(outline{bytes}.text == outline{out}.text, "other rows", bytes, out);
}

bool is_json(std::string_view bytes) {
  while (bytes.ends_with('\n')) bytes.remove_suffix(1);
  json::document_parser parser{
      [](std::string_view, std::size_t, std::string_view) { return json::keep::tree; }};
  return !parser.parse(bytes);
}

/// The same bytes as an attached document.
void check_document(const redact::rules& rules, std::string_view bytes) {
  const std::string out =
      redact::redacted_document(bytes, std::make_shared<const redact::ready_rules>(rules));
  demand(std::count(bytes.begin(), bytes.end(), '\n') == std::count(out.begin(), out.end(), '\n'),
         "other lines of a document", bytes, out);
  if (!is_json(bytes)) return;
  demand(is_json(out), "no JSON any more", bytes, out);
  demand(out.find(secret) == out.npos, "the secret is in the document", bytes, out);
}

}  // namespace
}  // namespace tofud

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using tofud::redact::provisioner_output;
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  tofud::check(tofud::rules_with(provisioner_output::mask), bytes);
  tofud::check(tofud::rules_with(provisioner_output::drop), bytes);
  tofud::check_document(tofud::rules_with(provisioner_output::mask), bytes);
  return 0;
}
