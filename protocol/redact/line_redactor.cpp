#include "protocol/redact/line_redactor.hpp"

#include "protocol/json/limits.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/redact/message_redactor.hpp"
#include "protocol/text/sizes.hpp"
#include "protocol/text/utf8.hpp"
#include "protocol/ui/timestamp.hpp"

namespace tofud::redact {
namespace {

constexpr std::string_view message_start = "{\"@level\":";

// A message that is nested too deep, or has too many values: what was read of it before that, and
// then something that is too deep again.
void too_much(const ui::envelope& head, std::string& out) {
  const auto member = [&out](std::string_view key, std::string_view text) {
    if (out.back() != '{') out.push_back(',');
    json::append_quoted(out, key);
    out.push_back(':');
    json::append_quoted(out, text);
  };
  out.push_back('{');
  member("@level", head.level);
  member("@message", head.text);
  member("@module", "tofu.ui");
  if (head.at) {
    std::string time;
    ui::append_timestamp(time, *head.at);
    member("@timestamp", time);
  }
  if (!head.test_file.empty()) member("@testfile", head.test_file);
  if (!head.test_run.empty()) member("@testrun", head.test_run);
  if (!head.type.empty()) member("type", head.type);
  out.append(R"(,"too_much":)").append(limits::json_depth + 1, '[');
}

}  // namespace

line_redactor::line_redactor(const std::shared_ptr<const ready_rules>& what, std::size_t max_line)
    : provisioners_{what->provisioners}, max_line_{max_line}, finder_{what}, masks_{what->salt} {}

// Too long a line is skipped by the fold: none must become so by its masks.
template <typename Write>
void line_redactor::write_within_limit(Write&& write, std::string& out) {
  const std::size_t before = out.size();
  write();
  if (out.size() - before <= max_line_) return;
  out.resize(before);
  masks_.be_short(true);
  write();
  masks_.be_short(false);
}

void line_redactor::redact(std::string_view line, std::string& out) {
  if (finder_.suspects(line))
    redact_suspect(line, out);
  else
    out.append(line);
  if (line.size() > limits::mib) finder_.release();
}

void line_redactor::redact_suspect(std::string_view line, std::string& out) {
  const auto write = [&] {
    const ui::parsed_line& parsed = parser_.parse(line);
    if (!parsed.head) return text(line, out);
    std::string_view object = line;
    if (parsed.text) {
      object.remove_prefix(parsed.text->size());
      masked(*parsed.text, finder::extent::any, out);
    }
    message(object, parsed, out);
  };
  write_within_limit(write, out);
}

void line_redactor::message(std::string_view object, const ui::parsed_line& parsed,
                            std::string& out) {
  message_redactor redactor{finder_, masks_, provisioners_};
  if (parsed.incomplete) {
    std::string begun;
    too_much(*parsed.head, begun);
    // Valid up to where it is too deep; the brackets are no part of any string.
    redactor.redact(begun, parsed, out);
  } else if (text::valid_utf8(object)) {
    redactor.redact(object, parsed, out);
  } else {
    std::string sane;
    const std::string repaired = text::replace_invalid_utf8(object);
    redactor.redact(repaired, parsed, sane);
    out.append(sane == repaired ? object : std::string_view{sane});
  }
}

void line_redactor::masked(std::string_view text, finder::extent what, std::string& out) {
  std::size_t copied = 0;
  for (const part& each : finder_.find(text, what)) {
    out.append(text, copied, each.begin - copied);
    out.append(masks_.of(text.substr(each.begin, each.end - each.begin)));
    copied = each.end;
  }
  out.append(text, copied);
}

void line_redactor::text(std::string_view line, std::string& out) {
  const std::size_t before = out.size();
  masked(line, finder::extent::printed_line, out);
  // What was text stays text: a mask may have repaired what was no JSON.
  const std::string written = out.substr(before);
  if (written == line || !parser_.parse(written).head) return;
  out.resize(before);
  const bool returns = line.ends_with('\r');
  out.append(masks_.of(line.substr(0, line.size() - (returns ? 1 : 0))));
  if (returns) out.push_back('\r');
}

void line_redactor::redact_last(std::string_view line, std::string& out) {
  // As the fold judges the end of a stream.
  const bool begins_message =
      line.find_first_not_of(" \t") == line.find('{') || line.find(message_start) != line.npos;
  const bool torn = begins_message && !parser_.parse(line).head && !parser_.is_whole_object(line);
  const std::size_t begun = finder_.begun(line);
  const bool cut_secret = begun >= limits::secret_bytes;
  if (torn) {
    if (!finder_.suspects(line) && !cut_secret) {
      out.append(line);
      return;
    }
    // The fold says how long it is and nothing else.
    out.push_back('{');
    out.append(line.size() - 1, ' ');
    return;
  }
  if (!cut_secret || begins_message) return redact(line, out);
  const auto write = [&] {
    text(line.substr(0, line.size() - begun), out);
    out.append(masks_.of(line.substr(line.size() - begun)));
  };
  write_within_limit(write, out);
}

}  // namespace tofud::redact
