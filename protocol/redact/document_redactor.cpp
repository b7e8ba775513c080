#include "protocol/redact/document_redactor.hpp"

#include "protocol/redact/message_places.hpp"
#include "protocol/text/sizes.hpp"
#include "protocol/ui/timestamp.hpp"

#include <algorithm>
#include <iterator>

namespace tofud::redact {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Whose strings are words of the format, or times.
constexpr std::string_view word_keys[] = {
    "format", "format_version", "terraform_version", "timestamp",    "mode", "actions",
    "when",   "on_failure",     "action_reason",     "nesting_mode", "type"};
constexpr std::string_view words[] = {"no-op",
                                      "tofud.config.v1",
                                      "tofud.config.v2",
                                      "replace_because_cannot_update",
                                      "replace_because_tainted",
                                      "replace_by_request",
                                      "replace_by_triggers",
                                      "forget",
                                      "managed",
                                      "data",
                                      "ephemeral",
                                      "continue",
                                      "single",
                                      "list",
                                      "set",
                                      "map",
                                      "group",
                                      "string",
                                      "number",
                                      "bool",
                                      "object",
                                      "tuple",
                                      "dynamic"};
/// Whose numbers count something.
constexpr std::string_view count_keys[] = {"line", "column", "version", "min_items", "max_items"};
/// Names of the formats that a secret must not tear apart; the rest have the look of no secret.
constexpr std::string_view known_keys[] = {"resource_changes",
                                           "resource_drift",
                                           "output_changes",
                                           "relevant_attributes",
                                           "change",
                                           "before",
                                           "after",
                                           "after_unknown",
                                           "before_sensitive",
                                           "after_sensitive",
                                           "replace_paths",
                                           "importing",
                                           "address",
                                           "previous_address",
                                           "module_address",
                                           "name",
                                           "index",
                                           "deposed",
                                           "provider_name",
                                           "applyable",
                                           "complete",
                                           "errored",
                                           "resource",
                                           "attribute",
                                           "blocks",
                                           "file",
                                           "provisioners",
                                           "references",
                                           "providers",
                                           "source",
                                           "argument",
                                           "target",
                                           "create_before_destroy",
                                           "provider_schemas",
                                           "resource_schemas",
                                           "data_source_schemas",
                                           "ephemeral_resource_schemas",
                                           "provider",
                                           "block",
                                           "attributes",
                                           "block_types",
                                           "description",
                                           "description_kind",
                                           "optional",
                                           "required",
                                           "computed",
                                           "sensitive",
                                           "deprecated",
                                           "nested_type",
                                           "write_only"};

/// All below these is somebody's own.
constexpr std::string_view data_keys[] = {"before", "after"};

template <typename List>
bool has(const List& list, std::string_view key) {
  return std::find(std::begin(list), std::end(list), key) != std::end(list);
}

bool is_scalar(char c) {
  return std::string_view{",:{}[]\"\\"}.find(c) == blanks.npos && blanks.find(c) == blanks.npos;
}

/// What is none is masked even where words are.
bool is_format_word(std::string_view text) {
  return has(words, text) || is_word(text) || ui::parse_timestamp(text);
}

/// Behind the quote that ends the string which begins at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

}  // namespace

document_redactor::document_redactor(const std::shared_ptr<const ready_rules>& what)
    : finder_{what}, masks_{what->salt} {}

document_redactor::place document_redactor::place_of(place outside, std::string_view key) {
  if (outside == place::data || has(data_keys, key)) return place::data;
  if (has(word_keys, key)) return place::word;
  if (has(count_keys, key)) return place::count;
  return place::structure;
}

void document_redactor::redact(std::string_view line, std::string& out) {
  if (!finder_.suspects(line)) {
    out.append(line);
    return;
  }
  open_.assign(1, place::structure);
  next_ = place::structure;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (c == '"') {
      at = quoted(line, at, out);
    } else if (is_scalar(c)) {
      const std::size_t begin = at;
      while (at < line.size() && is_scalar(line[at])) ++at;
      scalar(line.substr(begin, at - begin), next_, out);
      next_ = open_.back();
    } else {
      bracket(c);
      out.push_back(c);
      ++at;
    }
  }
  if (line.size() > limits::mib) finder_.release();
}

/// Of what else there is, only brackets say something.
void document_redactor::bracket(char c) {
  if (c == '{' || c == '[') {
    // What stands in a list is what the list is; members of an object say it themselves.
    const bool below = next_ == place::data || (c == '[' && next_ != place::structure);
    open_.push_back(below ? next_ : place::structure);
  } else if (c == '}' || c == ']') {
    if (open_.size() > 1) open_.pop_back();
  } else {
    return;
  }
  next_ = open_.back();
}

/// A key or a value; gives where it ends.
std::size_t document_redactor::quoted(std::string_view line, std::size_t at, std::string& out) {
  const std::size_t end = string_end(line, at);
  const std::string_view written = line.substr(at + 1, end - at - 2);
  const std::size_t follows = line.find_first_not_of(blanks, end);
  if (follows == blanks.npos || line[follows] != ':') {
    string(written, next_, out);
    next_ = open_.back();
    return end;
  }
  const bool ours = open_.back() != place::data;
  next_ = place_of(open_.back(), written);
  if (ours && (has(known_keys, written) || has(word_keys, written) || has(count_keys, written)))
    out.append("\"").append(written).append("\"");
  else
    string(written, place::data, out);
  return end;
}

void document_redactor::string(std::string_view written, place where, std::string& out) {
  out.push_back('"');
  if (where == place::word && is_format_word(written)) {
    out.append(written).push_back('"');
    return;
  }
  decoded_.escapes.clear();
  std::string_view text = written;
  const bool escaped = written.find('\\') != written.npos;
  if (escaped) {
    unescape(written, decoded_.text, &decoded_.escapes);
    text = decoded_.text;
  }
  std::size_t copied = 0;  // of what is written
  for (const part& each : finder_.find(text, finder::extent::any)) {
    const std::size_t begin = escaped ? decoded_.source_begin(each.begin) : each.begin;
    const std::size_t end = escaped ? decoded_.source_end(each.end) : each.end;
    out.append(written, copied, begin - copied);
    out.append(masks_.of(text.substr(each.begin, each.end - each.begin)));
    copied = end;
  }
  out.append(written, copied);
  out.push_back('"');
}

void document_redactor::scalar(std::string_view written, place where, std::string& out) {
  if (where == place::count || finder_.find(written, finder::extent::any).empty()) {
    out.append(written);
    return;
  }
  // As in messages: a password of digits becomes text, and not that of the same digits in a string.
  out.push_back('"');
  out.append(masks_.of("number " + std::string{written}));
  out.push_back('"');
}

std::string redacted_document(std::string_view document,
                              const std::shared_ptr<const ready_rules>& by) {
  document_redactor redactor{by};
  std::string out;
  out.reserve(document.size());
  while (!document.empty()) {
    const std::size_t newline = std::min(document.find('\n'), document.size());
    redactor.redact(document.substr(0, newline), out);
    if (newline < document.size()) out.push_back('\n');
    document.remove_prefix(std::min(newline + 1, document.size()));
  }
  return out;
}

}  // namespace tofud::redact
