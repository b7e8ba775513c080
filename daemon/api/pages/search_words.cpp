#include "daemon/api/pages/search_words.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace tofud::pages {
namespace {

/// What is separated by blanks, but for those between double quotes; the quotes are left out.
/// Between them a backslash makes a quote or a backslash a letter.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) {
      word.push_back(text[++i]);
    } else if (c == '"') {
      quoted = !quoted;
      any = true;
    } else if (c == ' ' && !quoted) {
      if (any) words.push_back(word);
      word.clear();
      any = false;
    } else {
      word.push_back(c);
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

constexpr std::array<std::string_view, 3> labels_with_words{"actor", "commit", "branch"};

struct named_word {
  std::string* field;
  std::string value;
};

std::optional<named_word> named(run_search& asked, std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view name = word.substr(0, colon);
  const std::string value{word.substr(colon + 1)};
  if (name == "stack") return named_word{&asked.stack, value};
  if (name == "status") return named_word{&asked.status, value};
  if (name == "since") return named_word{&asked.since, value};
  if (name == "until") return named_word{&asked.until, value};
  if (name == "label") return named_word{&asked.label, value};
  if (std::find(labels_with_words.begin(), labels_with_words.end(), name) !=
      labels_with_words.end()) {
    return named_word{&asked.label, std::string{name} + "=" + value};
  }
  return std::nullopt;
}

void add_word(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  if (!out.empty()) out.push_back(' ');
  out.append(name);
  if (value.find_first_of(" \"\\") == std::string_view::npos) {
    out.append(value);
    return;
  }
  out.push_back('"');
  for (const char c : value) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  out.push_back('"');
}

}  // namespace

run_search with_words(run_search asked) {
  // A text without such words stays as it is, quotation marks and all.
  std::string rest;
  bool any = false;
  for (const std::string& word : words_in(asked.q)) {
    const auto found = named(asked, word);
    if (found && !found->value.empty() && found->field->empty()) {
      *found->field = found->value;
      any = true;
    } else {
      if (!rest.empty()) rest.push_back(' ');
      rest.append(word);
    }
  }
  if (any) asked.q = rest;
  return asked;
}

std::string words_of(const run_search& asked) {
  std::string out;
  add_word(out, "stack:", asked.stack);
  add_word(out, "status:", asked.status);
  const auto of_label = std::find_if(
      labels_with_words.begin(), labels_with_words.end(),
      [&asked](std::string_view name) { return asked.label.starts_with(std::string{name} + "="); });
  if (of_label != labels_with_words.end()) {
    add_word(out, std::string{*of_label} + ":",
             std::string_view{asked.label}.substr(of_label->size() + 1));
  } else {
    add_word(out, "label:", asked.label);
  }
  add_word(out, "since:", asked.since);
  add_word(out, "until:", asked.until);
  if (!asked.q.empty()) {
    if (!out.empty()) out.push_back(' ');
    out.append(asked.q);
  }
  return out;
}

}  // namespace tofud::pages
