#include "daemon/settings/show.hpp"

#include "daemon/settings/table.hpp"
#include "daemon/settings/table_shapes.hpp"

#include <algorithm>
#include <string_view>

namespace tofud::settings {
namespace {

constexpr std::string_view head =
    R"(# The configuration of `tofud serve`: every option, at its default.
#
# Read in this order, a later one wins: /etc/tofud/tofud.toml, /etc/tofud/conf.d/*.toml by name,
# $XDG_CONFIG_HOME/tofud/tofud.toml (else ~/.config/tofud/tofud.toml). --config FILE reads that file alone.
# A variable of the environment wins over files, a flag over both; they stand beside each option.
# `tofud config check` finds mistakes, `tofud config show --origin` says what is in effect and why.
# SIGHUP reads all of it again: all of it is taken, or, where anything is wrong, nothing.
)";

constexpr std::size_t width = 110;

/// As comment lines.
std::string commented(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > width) end = text.rfind(' ', width);
    lines += "# " + std::string{text.substr(0, end)} + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string explained(const option& of) {
  std::string names = std::string{of.flag} + ", " + variable_of(of);
  if (of.effect == takes_effect::on_restart) names += "; needs a restart";
  return commented(of.help) + commented(names);
}

/// What stands before an option that begins a section.
std::string section_before(const option& of, std::string_view& section) {
  if (section_of(of) == section) return "";
  section = section_of(of);
  return "\n[" + std::string{section} + "]\n";
}

std::string line_of(const option& of, const value& from) {
  return std::string{name_of(of)} + " = " + toml_text(of, from);
}

std::string shown_table(const table& from, with_origins origins) {
  std::string text = "\n[[" + std::string{from.of->key} + "]]";
  if (origins == with_origins::yes) {
    const std::string shown = toml_string(to_string(from.at));
    text += "  # from " + shown.substr(1, shown.size() - 2);
  }
  text += '\n';
  for (const auto& [of, given] : from.values)
    text += std::string{field_name(*of)} + " = " + toml_text(*of, given) + "\n";
  for (const table& each : from.within) text += shown_table(each, origins);
  return text;
}

/// As it could stand in a file, commented out.
std::string shown_example(const table_shape& of) {
  std::string text = "\n" + commented(of.help) + "#[[" + std::string{of.key} + "]]\n";
  for (const table_field& each : of.fields) {
    text += "\n" + commented(each.of.help);
    text += "#" + std::string{field_name(each.of)} + " = " + std::string{each.example} + "\n";
  }
  for (const table_shape& each : of.within) text += shown_example(each);
  return text;
}

}  // namespace

std::string show(const effective& current, with_origins origins) {
  std::string text;
  std::string_view section;
  for (const option& each : options()) {
    text += section_before(each, section) + line_of(each, value_in(current.values, each));
    // The path of a file may have anything in it.
    if (origins == with_origins::yes) {
      const std::string shown = toml_string(current.origin_of(each).text);
      text += "  # from " + shown.substr(1, shown.size() - 2);
    }
    text += '\n';
  }
  for (const table& each : current.values.tables) text += shown_table(each, origins);
  return text;
}

std::string show_defaults() {
  std::string text{head};
  std::string_view section;
  for (const option& each : options()) {
    text += section_before(each, section);
    text += "\n" + explained(each) + "#" + line_of(each, default_of(each)) + "\n";
  }
  for (const table_shape& each : table_shapes()) text += shown_example(each);
  return text;
}

}  // namespace tofud::settings
