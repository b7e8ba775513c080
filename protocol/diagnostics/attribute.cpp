#include "protocol/diagnostics/attribute.hpp"

#include "protocol/text/characters.hpp"
#include "protocol/text/word_wrap.hpp"

#include <algorithm>
#include <string_view>

namespace tofud::diagnostics {
namespace {

constexpr std::size_t name_indent = 2, facts_indent = 4;
/// However narrow it is, what is said has this much room.
constexpr std::size_t least_width = 20;

// The first paragraph, in one line.
std::string in_one_line(std::string_view text) {
  text = text::trim(text);
  text = text.substr(0, text.find("\n\n"));
  std::string line{text};
  std::erase(line, '\r');
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

class attribute_drawer {
 public:
  attribute_drawer(const feed::attribute_card& of, const text::ink& pen, std::size_t width,
                   const text_filter& filter)
      : of_{of}, pen_{pen}, width_{width}, filter_{filter} {}

  std::string draw() {
    std::string said = shown(of_.path) + " (" + kind() + ")";
    if (!of_.description.empty()) said += ": " + shown(in_one_line(of_.description));
    append(said, name_indent);
    embolden();
    append(facts(), facts_indent);
    if (!of_.deprecated.empty()) append(deprecation(), facts_indent);
    return std::move(out_);
  }

 private:
  std::string shown(std::string_view text) const {
    return text::control_pictures(filter_ ? filter_(text) : std::string{text});
  }

  std::string kind() const {
    std::string kind = of_.value_type.empty() ? "block" : shown(of_.value_type);
    if (of_.required) kind += ", required";
    if (of_.sensitive) kind += ", sensitive";
    return kind;
  }

  std::string facts() const {
    std::string facts;
    const auto add = [&](const std::string& fact) {
      facts.append(facts.empty() ? "" : " · ").append(fact);
    };
    if (!of_.default_value.empty()) add("default " + shown(of_.default_value));
    if (!of_.validators.empty()) add(validators());
    if (of_.replacement == "certain") add("a change requires replacement");
    if (of_.replacement == "possible") add("a change may require replacement");
    return facts;
  }

  std::string validators() const {
    std::string all = of_.validators.size() == 1 ? "validator " : "validators ";
    for (const std::string& each : of_.validators) {
      if (&each != &of_.validators.front()) all += ", ";
      all += shown(in_one_line(each));
    }
    return all;
  }

  std::string deprecation() const {
    if (of_.deprecated == "deprecated") return of_.deprecated;
    return "deprecated: " + shown(in_one_line(of_.deprecated));
  }

  void append(std::string_view text, std::size_t indent) {
    if (text.empty()) return;
    const std::size_t room = std::max(width_ - std::min(width_, facts_indent), least_width);
    const std::string wrapped = width_ == 0 ? std::string{text} : text::wrap_words(text, room);
    std::string_view rest = wrapped;
    for (bool more = true; more; indent = facts_indent) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      out_.append(indent, ' ').append(rest.substr(0, end)).append("\n");
      more = end < rest.size();
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  // Codes would count as characters of the line, so they come last.
  void embolden() {
    const std::string name = shown(of_.path);
    if (out_.compare(name_indent, name.size(), name) != 0) return;
    out_.insert(name_indent + name.size(), pen_[text::style::reset]);
    out_.insert(name_indent, pen_[text::style::bold]);
  }

  const feed::attribute_card& of_;
  const text::ink& pen_;
  std::size_t width_;
  const text_filter& filter_;
  std::string out_;
};

}  // namespace

std::string draw(const feed::attribute_card& attribute, const text::ink& pen, std::size_t width,
                 const text_filter& filter) {
  return attribute_drawer{attribute, pen, width, filter}.draw();
}

}  // namespace tofud::diagnostics
