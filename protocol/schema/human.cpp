#include "protocol/schema/human.hpp"

#include "protocol/text/characters.hpp"
#include "protocol/text/word_wrap.hpp"

#include <algorithm>
#include <vector>

namespace tofud::schema {
namespace {

/// Names are aligned up to this one's length; a longer one moves its own line only.
constexpr std::size_t aligned_characters = 32;
/// However deep something is nested, what is said of it has this much room.
constexpr std::size_t least_width = 30;
/// How much further in what is nested stands, and what is said of something.
constexpr std::size_t nested_step = 2, said_step = 6;

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& each : parts) text += (text.empty() ? "" : ", ") + each;
  return text;
}

std::string_view text_of(replacement of) {
  switch (of) {
    case replacement::unsaid:
      return "";
    case replacement::possible:
      return "a change may require replacement";
    case replacement::certain:
      return "a change requires replacement";
  }
  return "";
}

std::string flags_of(const attribute& of) {
  std::vector<std::string> all;
  if (of.required) all.emplace_back("required");
  if (of.optional) all.emplace_back("optional");
  if (of.computed) all.emplace_back("computed");
  if (of.sensitive) all.emplace_back("sensitive");
  if (of.write_only) all.emplace_back("write-only");
  if (of.deprecated) all.emplace_back("deprecated");
  if (!of.default_value.empty()) all.push_back("default " + of.default_value);
  if (const auto said = text_of(of.replacement); !said.empty()) all.emplace_back(said);
  return joined(all);
}

std::string flags_of(const block_type& of) {
  std::vector<std::string> all;
  // A single block has its number in its name, so to speak: at least 1 means that it is required.
  const bool is_many = of.nesting != nesting::single && of.nesting != nesting::group;
  if (!is_many && of.least > 0) all.emplace_back("required");
  if (is_many && of.least > 0) all.push_back("at least " + std::to_string(of.least));
  if (is_many && of.most > 0) all.push_back("at most " + std::to_string(of.most));
  if (of.block.deprecated) all.emplace_back("deprecated");
  if (const auto said = text_of(of.replacement); !said.empty()) all.emplace_back(said);
  return joined(all);
}

class writer {
 public:
  explicit writer(std::size_t width) : width_{width} {}

  std::string out;

  void title(std::string_view text) { out += text::control_pictures(text) + "\n"; }

  void said(std::string_view text, std::size_t indent) {
    const std::string shown = text::control_pictures(text);
    std::string_view rest = text::trim(shown);
    const std::size_t room = std::max(width_ > indent ? width_ - indent : 0, least_width);
    while (!rest.empty()) {
      const auto end = std::min(rest.find('\n'), rest.size());
      paragraph(text::wrap_words(bare(rest.substr(0, end)), room), indent);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void said(std::string_view description, std::string_view deprecation, std::size_t indent) {
    said(description, indent);
    if (!deprecation.empty()) said("Deprecated: " + std::string{deprecation}, indent);
  }

  void inside(const block& of, std::size_t indent) {
    const std::size_t aligned = longest(of.attributes, of.blocks);
    attributes(of.attributes, aligned, indent);
    for (const block_type& each : of.blocks) {
      line(each.name, std::string{block_text_of(each.nesting)}, flags_of(each), aligned, indent);
      said(each.block.description, each.block.deprecation_message, indent + said_step);
      inside(each.block, indent + nested_step);
    }
  }

 private:
  /// Without what Markdown does not mean either: fewer than four spaces begin no code.
  static std::string_view bare(std::string_view line) {
    const auto begin = std::min(line.find_first_not_of(' '), line.size());
    if (begin < 4) line.remove_prefix(begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  void paragraph(std::string_view lines, std::size_t indent) {
    do {
      const auto end = std::min(lines.find('\n'), lines.size());
      if (end > 0) out.append(indent, ' ').append(lines.substr(0, end));
      out.push_back('\n');
      lines.remove_prefix(std::min(end + 1, lines.size()));
    } while (!lines.empty());
  }

  static std::size_t longest(const std::vector<attribute>& attributes,
                             const std::vector<block_type>& blocks) {
    std::size_t most = 0;
    const auto count = [&most](std::string_view name) {
      most = std::max(most, text::count_characters(name));
    };
    for (const attribute& each : attributes) count(each.name);
    for (const block_type& each : blocks) count(each.name);
    return std::min(most, aligned_characters);
  }

  void line(std::string_view name, const std::string& type, const std::string& flags,
            std::size_t aligned, std::size_t indent) {
    out.append(indent, ' ').append(text::control_pictures(name));
    const std::size_t length = text::count_characters(name);
    out.append(aligned > length ? aligned - length : 0, ' ');
    out.append("  ").append(text::control_pictures(type));
    if (!flags.empty()) out.append("  ").append(text::control_pictures(flags));
    out.push_back('\n');
  }

  void attributes(const std::vector<attribute>& all, std::size_t aligned, std::size_t indent) {
    for (const attribute& each : all) {
      const std::string type =
          each.nested ? std::string{text_of(each.nested->nesting)} : type_text(each.type);
      line(each.name, type, flags_of(each), aligned, indent);
      said(each.description, each.deprecation_message, indent + said_step);
      if (!each.nested) continue;
      attributes(each.nested->attributes, longest(each.nested->attributes, {}),
                 indent + nested_step);
    }
  }

  std::size_t width_;
};

}  // namespace

std::string_view text_of(section of) {
  switch (of) {
    case section::provider:
      return "provider";
    case section::resource:
      return "resource";
    case section::data_source:
      return "data source";
    case section::ephemeral_resource:
      return "ephemeral resource";
    case section::identity:
      return "identity";
  }
  return "";
}

std::string_view text_of(nesting of) {
  switch (of) {
    case nesting::single:
      return "object";
    case nesting::group:
      return "object, always there";
    case nesting::list:
      return "list of objects";
    case nesting::set:
      return "set of objects";
    case nesting::map:
      return "map of objects";
  }
  return "";
}

std::string_view block_text_of(nesting of) {
  switch (of) {
    case nesting::single:
      return "block";
    case nesting::group:
      return "block, always there";
    case nesting::list:
      return "list of blocks";
    case nesting::set:
      return "set of blocks";
    case nesting::map:
      return "map of blocks";
  }
  return "";
}

std::string type_text(const type& of) {
  const auto element = [&of] { return of.elements.empty() ? "any" : type_text(of.elements[0]); };
  std::string inside;
  switch (of.what) {
    case type::kind::dynamic:
      return "any";
    case type::kind::boolean:
      return "bool";
    case type::kind::number:
      return "number";
    case type::kind::string:
      return "string";
    case type::kind::list:
      return "list(" + element() + ")";
    case type::kind::set:
      return "set(" + element() + ")";
    case type::kind::map:
      return "map(" + element() + ")";
    case type::kind::tuple:
      for (const type& each : of.elements) inside += (inside.empty() ? "" : ", ") + type_text(each);
      return "tuple([" + inside + "])";
    case type::kind::object:
      for (const type::member& each : of.members) {
        inside += (inside.empty() ? " " : ", ") + each.name + " = " + type_text(each.of);
      }
      return "object({" + inside + (inside.empty() ? "" : " ") + "})";
  }
  return "";
}

std::string describe(std::string_view title, const object_schema& of, std::size_t width) {
  writer text{width};
  text.title(title);
  const std::size_t before = text.out.size();
  text.said(of.block.description, of.block.deprecation_message, nested_step);
  if (text.out.size() > before) text.out.push_back('\n');
  text.inside(of.block, nested_step);
  return std::move(text.out);
}

}  // namespace tofud::schema
