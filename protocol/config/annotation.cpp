#include "protocol/config/annotation.hpp"

#include "protocol/config/limits.hpp"
#include "protocol/text/ascii.hpp"
#include "protocol/text/characters.hpp"
#include "protocol/text/whole_number.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tofud::config {
namespace {

using std::chrono::seconds;

constexpr std::string_view line_blanks = " \t\r";

struct unit {
  char name;
  seconds each;
};
constexpr std::array<unit, 3> units{{{'h', seconds{3600}}, {'m', seconds{60}}, {'s', seconds{1}}}};

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Nothing that has to be encoded in a URL, so that it ends where everybody thinks it ends.
bool is_url(std::string_view text) {
  const bool https = text.starts_with("https://");
  if (!https && !text.starts_with("http://")) return false;
  const std::string_view rest = text.substr(https ? 8 : 7);
  if (rest.empty() || rest.front() == '/') return false;
  return text.find_first_of(" \"'<>\\^`{|}") == std::string_view::npos;
}

std::string value_failure(std::string_view key, std::string_view value) {
  const std::string name{key};
  if (value.empty()) return name + " is empty; leave it out";
  if (value.size() > limits::annotation_value_bytes)
    return name + " has more than " + std::to_string(limits::annotation_value_bytes) +
           " bytes; shorten it";
  if (std::any_of(value.begin(), value.end(), is_control))
    return name + " has control characters; leave them out";
  return {};
}

std::string annotate_expect(annotation& into, std::string_view value) {
  const auto read = read_expectation(value);
  if (!read) return "expect is not a duration; write 90s, 25m or 1h30m";
  if (*read > limits::expected_longest)
    return "expect is more than " + expectation_text(limits::expected_longest) +
           "; write the time of one step";
  into.expect = *read;
  return {};
}

bool has_blank(std::string_view text) {
  return text.find_first_of(line_blanks) != std::string_view::npos;
}

void append_member(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  if (!out.empty()) out.push_back(' ');
  out.append(key).push_back('=');
  const std::string_view quote = has_blank(value) || value.starts_with('"') ? "\"" : "";
  out.append(quote).append(value).append(quote);
}

}  // namespace

std::optional<seconds> read_expectation(std::string_view text) {
  seconds all{0};
  std::size_t next = 0;  // of the units: each once, the largest first
  while (!text.empty()) {
    const std::size_t size = text.find_first_not_of("0123456789");
    if (size == std::string_view::npos || size == 0) return {};
    const auto count = text::parse_whole_number<std::uint32_t>(text.substr(0, size));
    const auto* const named =
        std::find_if(units.begin() + static_cast<std::ptrdiff_t>(next), units.end(),
                     [&](const unit& each) { return each.name == text[size]; });
    if (!count || named == units.end()) return {};
    all += *count * named->each;
    next = static_cast<std::size_t>(named - units.begin()) + 1;
    text.remove_prefix(size + 1);
  }
  if (all == seconds{0}) return {};
  return all;
}

std::string expectation_text(seconds time) {
  std::string text;
  for (const unit& each : units) {
    const auto count = time / each.each;
    if (count == 0) continue;
    text.append(std::to_string(count)).push_back(each.name);
    time -= count * each.each;
  }
  return text.empty() ? "0s" : text;
}

std::string annotate(annotation& into, std::string_view key, std::string_view value) {
  const bool expects = key == "expect";
  if (!expects && key != "owner" && key != "runbook")
    return text::quoted(key) + " is unknown; use owner, runbook or expect";
  if (std::string wrong = value_failure(key, value); !wrong.empty()) return wrong;
  if (expects) return annotate_expect(into, value);
  if (key == "runbook" && !is_url(value))
    return "runbook is not a URL; it must begin with https:// or http:// and contain no blanks";
  (key == "owner" ? into.owner : into.runbook) = value;
  return {};
}

void override_annotation(annotation& base, annotation with) {
  if (!with.owner.empty()) base.owner = std::move(with.owner);
  if (!with.runbook.empty()) base.runbook = std::move(with.runbook);
  if (with.expect) base.expect = with.expect;
}

std::optional<std::string_view> note_in(std::string_view comment) {
  constexpr std::string_view mark = "tofud:";
  if (comment.starts_with("//"))
    comment.remove_prefix(2);
  else if (comment.starts_with('#'))
    comment.remove_prefix(1);
  else
    return {};
  comment = text::trimmed(comment, line_blanks);
  if (!comment.starts_with(mark)) return {};
  return comment.substr(mark.size());
}

void read_note(annotation& into, std::string_view note, const note_wrong& wrong) {
  std::size_t at = note.find_first_not_of(line_blanks);
  if (at == std::string_view::npos)
    wrong(0, "the annotation is empty; write owner=, runbook= or expect=");
  while (at < note.size()) {
    const std::size_t equals = note.find_first_of("= \t\r", at);
    if (equals >= note.size() || note[equals] != '=') {
      wrong(at, text::quoted(note.substr(at, equals - std::min(at, equals))) +
                    " has no value; write KEY=VALUE, with quotes around blanks");
      at = note.find_first_not_of(line_blanks, equals);
      continue;
    }
    const bool quoted = note.substr(equals + 1).starts_with('"');
    const std::size_t begin = equals + (quoted ? 2 : 1);
    const std::size_t end = quoted ? note.find('"', begin) : note.find_first_of(line_blanks, begin);
    if (quoted && end == std::string_view::npos) return wrong(begin - 1, "a quote is not closed");
    const std::string_view value = note.substr(begin, std::min(end, note.size()) - begin);
    std::string failure = annotate(into, note.substr(at, equals - at), value);
    if (!failure.empty()) wrong(at, std::move(failure));
    if (end >= note.size()) return;
    at = note.find_first_not_of(line_blanks, quoted ? end + 1 : end);
  }
}

std::string to_string(const annotation& said) {
  std::string text;
  append_member(text, "owner", said.owner);
  append_member(text, "runbook", said.runbook);
  if (said.expect) append_member(text, "expect", expectation_text(*said.expect));
  return text;
}

}  // namespace tofud::config
