#include "protocol/json/limits.hpp"
#include "protocol/json/path.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/schema/limits.hpp"
#include "protocol/schema/specification.hpp"
#include "protocol/schema/specification_grammar.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace tofud::schema {
namespace {

using json::kind;
using json::value;
using namespace specification_grammar;

constexpr std::string_view known_version = "0.1";
constexpr std::size_t version_characters = 3;

/// As JSON Schema counts them: code points.
std::size_t characters_in(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(
      utf8.begin(), utf8.end(), [](unsigned char byte) { return (byte & 0xC0U) != 0x80U; }));
}

std::string quoted_name(std::string_view text) {
  std::string out;
  if (json::append_quoted_cut(out, text, limits::schema_name_bytes) < text.size()) out += "…";
  return out;
}

/// "a, b and c", or with another last word.
template <class All, class Name>
std::string enumerate(const All& all, const Name& name_of, std::string_view last) {
  std::string text;
  std::size_t left = all.size();
  for (const auto& each : all) {
    text += name_of(each);
    --left;
    if (left > 1) text += ", ";
    if (left == 1) text.append(" ").append(last).append(" ");
  }
  return text;
}

std::string names_of(std::span<const member> all, std::string_view last) {
  return enumerate(
      all, [](const member& each) { return each.name; }, last);
}

std::string listed_words(std::span<const std::string_view> all, std::string_view last) {
  return enumerate(
      all, [](std::string_view each) { return each; }, last);
}

std::string_view describe(where at) {
  switch (at) {
    case where::provider:
      return "is only for the provider";
    case where::data_source:
      return "is only for data sources";
    case where::resource:
      return "is only for resources";
    case where::objects:
      return "is only for resources and data sources";
    case where::anywhere:
      break;
  }
  return "";
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&is_letter](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

class checker {
 public:
  std::vector<finding> findings;

  void check_document(value document) {
    if (!document.is(kind::object)) return error({}, "the document is not an object");
    check_object(document, shape::document, where::anywhere, {});
    check_version(document["version"].string().value_or(""));
    for (const std::string_view each : {"resources", "datasources"}) {
      check_doubles(document[each], std::string{each});
    }
  }

 private:
  bool is_full() const { return findings.size() >= limits::schema_findings; }

  void add(finding::weight of, const std::string& path, std::string what) {
    if (is_full()) return;
    if (findings.size() + 1 == limits::schema_findings) {
      what = "and there is more";
    }
    findings.push_back({of, path, std::move(what)});
  }
  void error(const std::string& path, std::string what) {
    add(finding::weight::error, path, std::move(what));
  }
  void warn(const std::string& path, std::string what) {
    add(finding::weight::warning, path, std::move(what));
  }

  void check_version(std::string_view version) {
    const bool is_known =
        version == known_version || (version.starts_with(known_version) &&
                                     version.substr(known_version.size()).starts_with('.'));
    if (version.empty() || is_known) return;
    warn("version", "is " + quoted_name(version) + ", but this tofud knows only 0.1.0");
  }

  void check_object(value object, shape of, where at, const std::string& path) {
    const rules by = rules_of(of);
    check_members(object, by, at, path);
    for (const auto& table : by.members) {
      for (const member& each : table) {
        if (each.is_needed == needed::yes && allows(each.in, at) && !object[each.name]) {
          error(path, "lacks " + std::string{each.name} + allowed_words(each));
        }
      }
    }
    check_choice(object, by, path);
    if (of == shape::schema) check_schema(object, at, path);
    if (of == shape::schema || of == shape::block_object || of == shape::single_nested_block) {
      check_shared_names(object, path);
    }
  }

  static std::string allowed_words(const member& of) {
    const auto all = words_of(of.is);
    return all.empty() ? "" : ": " + listed_words(all, "or");
  }

  void check_members(value object, const rules& by, where at, const std::string& path) {
    std::set<std::string_view> seen;
    for (const value each : object) {
      if (is_full()) return;
      const std::string here = json::path_of_member(path, each.key());
      if (!seen.insert(each.key()).second) {
        error(here, "exists twice");
        continue;
      }
      const member* known = find(by, each.key());
      if (known == nullptr) {
        check_unknown(each, by, here);
      } else if (!allows(known->in, at)) {
        check_misplaced(describe(known->in), by, here);
      } else {
        check_value(each, *known, at == where::anywhere ? place_of(each.key()) : at, here);
      }
    }
  }

  /// Whose schemas are under a member of the document.
  static where place_of(std::string_view member_of_document) {
    if (member_of_document == "provider") return where::provider;
    return member_of_document == "resources" ? where::resource : where::data_source;
  }

  static const member* find(const rules& by, std::string_view name) {
    const auto among = [name](std::span<const member> all) -> const member* {
      const auto found = std::find_if(all.begin(), all.end(),
                                      [name](const member& each) { return each.name == name; });
      return found == all.end() ? nullptr : &*found;
    };
    for (const auto& table : by.members) {
      if (const member* found = among(table)) return found;
    }
    return among(by.one_of);
  }

  void check_unknown(value found, const rules& by, const std::string& path) {
    const std::string_view belonging = belonging_of(found.key());
    if (!belonging.empty()) return check_misplaced(belonging, by, path);
    if (by.unknown == others::forbidden)
      return error(path, "is not allowed here by version 0.1.0 of the format");
    warn(path, "is unknown to version 0.1.0 of the format and is ignored");
  }

  void check_misplaced(std::string_view why, const rules& by, const std::string& path) {
    if (by.unknown == others::forbidden) return error(path, std::string{why});
    warn(path, std::string{why} + ", and is ignored");
  }

  void check_choice(value object, const rules& by, const std::string& path) {
    std::vector<std::string_view> there;
    for (const member& each : by.one_of) {
      if (object[each.name]) there.push_back(each.name);
    }
    if (!by.one_of.empty() && there.size() != 1) {
      error(path, "has " + (there.empty() ? std::string{"none"} : listed_words(there, "and")) +
                      "; it needs exactly one of " + names_of(by.one_of, "and"));
    }
  }

  void check_schema(value object, where at, const std::string& path) {
    if (object["attributes"] || object["blocks"]) return;
    bool is_empty = true;
    for ([[maybe_unused]] const value each : object) is_empty = false;
    if (is_empty && at != where::provider)
      return error(path, "is empty; it needs attributes or blocks");
    warn(path, "has neither attributes nor blocks");
  }

  void check_value(value found, const member& as, where at, const std::string& path) {
    switch (as.is) {
      case form::text:
      case form::filled_text:
      case form::text_to_fill:
      case form::version:
        return check_text(found, as.is, path);
      case form::name:
        return check_name(found, path);
      case form::boolean:
        if (!found.is(kind::boolean_true) && !found.is(kind::boolean_false)) {
          error(path, "is not a boolean: write true or false, without quotes");
        }
        return;
      case form::number:
        if (!found.is(kind::number)) error(path, "is not a number");
        return;
      case form::optional_required:
      case form::computed_optional_required:
        return check_word(found, as, path);
      case form::object:
        if (!found.is(kind::object)) return error(path, "is not an object");
        return check_object(found, as.of, at, path);
      case form::list:
      case form::filled_list:
        return check_list(found, as, at, path);
    }
  }

  void check_text(value found, form as, const std::string& path) {
    if (!found.string()) return error(path, "is not a string");
    const bool is_empty = found.string()->empty();
    if (as == form::version && characters_in(*found.string()) < version_characters) {
      error(path, "is not a version such as 0.1");
    } else if (as == form::filled_text && is_empty) {
      error(path, "is an empty string");
    } else if (as == form::text_to_fill && is_empty) {
      warn(path, "is an empty string");
    }
  }

  void check_name(value found, const std::string& path) {
    const auto name = found.string();
    if (!name) return error(path, "is not a string");
    if (is_name(*name) && name->size() <= limits::schema_name_bytes) return;
    error(path, "is " + quoted_name(*name) +
                    "; a name begins with a lower-case letter or _, and has lower-case letters, "
                    "digits and _ after it");
  }

  void check_word(value found, const member& as, const std::string& path) {
    const auto all = words_of(as.is);
    const auto word = found.string();
    if (word && std::find(all.begin(), all.end(), *word) != all.end()) return;
    error(path, (word ? "is " + quoted_name(*word) + "; it has to be "
                      : "is not a string; it has to be ") +
                    listed_words(all, "or"));
  }

  void check_list(value found, const member& as, where at, const std::string& path) {
    if (!found.is(kind::array)) return error(path, "is not an array");
    std::size_t index = 0;
    for (const value each : found) {
      const std::string here = json::path_of_element(path, index++);
      if (!each.is(kind::object)) {
        error(here, "is not an object");
      } else {
        check_object(each, as.of, at, here);
      }
    }
    if (index == 0 && as.is == form::filled_list) error(path, "is empty");
    const bool is_named =
        as.of == shape::attribute || as.of == shape::block || as.of == shape::attribute_type;
    if (is_named) check_doubles(found, path);
  }

  void check_doubles(value list, const std::string& path) {
    std::set<std::string_view> seen;
    std::size_t index = 0;
    for (const value each : list) {
      const std::string here = json::path_of_element(path, index++);
      const auto name = each["name"].string();
      if (name && !seen.insert(*name).second) {
        error(here + ".name", "is " + quoted_name(*name) + ", and so is one before it");
      }
    }
  }

  /// OpenTofu takes no schema in which an attribute and a block have one name.
  void check_shared_names(value object, const std::string& path) {
    std::set<std::string_view> names;
    for (const value each : object["attributes"]) {
      if (const auto name = each["name"].string()) names.insert(*name);
    }
    std::size_t index = 0;
    for (const value each : object["blocks"]) {
      const std::string here = json::path_of_element(path + ".blocks", index++);
      const auto name = each["name"].string();
      if (name && names.contains(*name)) {
        error(here + ".name", "is " + quoted_name(*name) + ", and so is an attribute beside it");
      }
    }
  }
};

}  // namespace

std::vector<finding> check_specification(value document) {
  checker of;
  of.check_document(document);
  return std::move(of.findings);
}

bool has_error(const std::vector<finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const finding& each) { return each.of == finding::weight::error; });
}

}  // namespace tofud::schema
