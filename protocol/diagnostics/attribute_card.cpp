#include "protocol/diagnostics/attribute_card.hpp"

#include "protocol/diagnostics/attribute_names.hpp"
#include "protocol/diagnostics/subject.hpp"
#include "protocol/diff/limits.hpp"
#include "protocol/schema/human.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::diagnostics {
namespace {

using path = std::vector<std::string_view>;

// `tofu fmt` gives each block so many blanks more.
constexpr std::size_t indent_step = 2;

std::string cut_text(std::string_view text) {
  constexpr std::string_view mark = "…";
  if (text.size() <= limits::card_text_bytes) return std::string{text};
  std::size_t most = limits::card_text_bytes - mark.size();
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80) --most;
  return std::string{text.substr(0, most)}.append(mark);
}

std::string nested_type(schema::nesting of) {
  switch (of) {
    case schema::nesting::single:
    case schema::nesting::group:
      return "object";
    case schema::nesting::list:
      return "list(object)";
    case schema::nesting::set:
      return "set(object)";
    case schema::nesting::map:
      return "map(object)";
  }
  return {};
}

std::string_view replacement_text(schema::replacement of) {
  switch (of) {
    case schema::replacement::unsaid:
      return {};
    case schema::replacement::possible:
      return "possible";
    case schema::replacement::certain:
      return "certain";
  }
  return {};
}

std::vector<std::string> cut_validators(const std::vector<std::string>& all) {
  std::vector<std::string> some;
  for (const std::string& each : all) {
    if (some.size() == limits::card_validators) break;
    some.push_back(cut_text(each));
  }
  return some;
}

void describe(feed::attribute_card& card, const schema::attribute& of) {
  card.value_type =
      cut_text(of.nested ? nested_type(of.nested->nesting) : schema::type_text(of.type));
  card.required = of.required;
  card.sensitive = of.sensitive;
  card.description = cut_text(of.description);
  card.deprecated = cut_text(of.deprecation_message);
  if (of.deprecated && card.deprecated.empty()) card.deprecated = "deprecated";
  // Half a JSON text is none.
  const bool shown = !of.sensitive && of.default_value.size() <= limits::card_text_bytes;
  if (shown) card.default_value = of.default_value;
  card.validators = cut_validators(of.validators);
  card.replacement = replacement_text(of.replacement);
}

void describe(feed::attribute_card& card, const schema::block_type& of) {
  card.required = of.least > 0;
  card.description = cut_text(of.block.description);
  card.deprecated = cut_text(of.block.deprecation_message);
  if (of.block.deprecated && card.deprecated.empty()) card.deprecated = "deprecated";
  card.validators = cut_validators(of.validators);
  card.replacement = replacement_text(of.replacement);
}

named_place place_in_words(const feed::diagnostic_row& row, const schema::block& within) {
  for (const path& names : names_in_words(row)) {
    if (named_place found = find_place(within, names)) return found;
  }
  return {};
}

// A line alone does not say in which block it is: of several places of its name that one is meant
// which stands as far in as the line does. (A `dynamic` block has one more around what it makes.)
named_place place_of_line(const feed::diagnostic_row& row, const subject& of,
                          const line_names& line) {
  if (line.whole) return find_place(*of.block, line.names);
  std::vector<named_place> all = places_ending_with(*of.block, line.names);
  const auto fits = [&](const named_place& place) {
    const std::size_t outer = place.names.size() - line.names.size();
    const std::size_t indent = indent_step * (outer + 1 + of.around);
    return line.indent == indent || (outer > 0 && line.indent == indent + indent_step);
  };
  const auto said = place_in_words(row, *of.block);
  for (named_place& each : all) {
    if (said && each.names == said.names) return std::move(each);
  }
  if (std::count_if(all.begin(), all.end(), fits) != 1) return {};
  return std::move(*std::find_if(all.begin(), all.end(), fits));
}

// OpenTofu's context of a file in JSON syntax has the names around the line's.
named_place place_of_json_line(const subject& of, const line_names& line) {
  path names = of.names;
  names.insert(names.end(), line.names.begin(), line.names.end());
  if (named_place found = find_place(*of.block, names)) return found;
  return find_place(*of.block, of.names);
}

named_place place_of(const feed::diagnostic_row& row, const subject& of) {
  if (!of.has_snippet) return place_in_words(row, *of.block);
  const bool generated = row.snippet->path.has_value();
  const line_names line = generated ? line_names{} : names_at_fault(*row.snippet);
  if (line.names.empty() && of.names.empty()) return place_in_words(row, *of.block);
  if (generated) return find_place(*of.block, of.names);
  const bool json = row.range && row.range->filename.ends_with(".json");
  return json ? place_of_json_line(of, line) : place_of_line(row, of, line);
}

}  // namespace

std::optional<feed::attribute_card> card_of(const feed::diagnostic_row& row,
                                            const schema::schemas& known) {
  const subject of = subject_of(row, known);
  if (of.block == nullptr) return {};
  const named_place place = place_of(row, of);
  if (!place) return {};
  feed::attribute_card card;
  card.type = of.type;
  for (const std::string_view each : place.names) {
    if (!card.path.empty()) card.path += '.';
    card.path += each;
  }
  if (place.attribute != nullptr)
    describe(card, *place.attribute);
  else
    describe(card, *place.block);
  return card;
}

}  // namespace tofud::diagnostics
