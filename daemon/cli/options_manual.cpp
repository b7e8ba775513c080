#include "daemon/cli/options_manual.hpp"

#include "daemon/cli/mdoc.hpp"
#include "daemon/settings/in_words.hpp"
#include "daemon/settings/options.hpp"
#include "daemon/settings/table_shapes.hpp"

#include <string_view>

namespace tofud::cli {
namespace {

std::string heading(std::string_view section) {
  return section.empty() ? "Without a section" : "Section " + std::string{section};
}

/// "A whole number, from 1 to 10000; the default is 50."
std::string values_of(const settings::option& of) {
  std::string said = type_in_words(of);
  said.front() = static_cast<char>(said.front() - 'a' + 'A');
  if (const std::string range = range_in_words(of); !range.empty()) said += ", " + range;
  return said + "; the default is " + toml_text(of, default_of(of)) + ".";
}

std::string described(const settings::option& of) {
  std::string out = ".It Ic " + std::string{of.key};
  if (!of.shape.empty()) out += " No = Ar " + std::string{of.shape};
  out += "\n" + mdoc_text(of.help) + "\n" + mdoc_text(values_of(of)) + "\n";
  out += ".Fl " + std::string{of.flag.substr(1)} + " ,\n.Ev " + variable_of(of) + " ;\n";
  const bool reloads = of.effect == settings::takes_effect::on_reload;
  return out + (reloads ? ".Dv SIGHUP\napplies it.\n" : "it takes a restart.\n");
}

std::string described(const settings::table_field& field) {
  std::string values = type_in_words(field.of);
  values.front() = static_cast<char>(values.front() - 'a' + 'A');
  return ".It Ic " + std::string{settings::field_name(field.of)} + " No = Ar " +
         std::string{field.of.shape} + "\n" + mdoc_text(field.of.help) + "\n" +
         mdoc_text(values + (field.is_required ? "; it must be given." : ".")) + "\n";
}

/// After the sections: lists of tables have neither flags nor variables.
std::string described(const settings::table_shape& shape) {
  std::string out = ".Ss Tables [[" + std::string{shape.key} + "]] of a list\n" +
                    mdoc_text(shape.help) +
                    "\nThere may be several;\n.Dv SIGHUP\napplies them.\n.Bl -tag -width Ds\n";
  for (const settings::table_field& each : shape.fields) out += described(each);
  out += ".El\n";
  for (const settings::table_shape& each : shape.within) out += described(each);
  return out;
}

}  // namespace

std::string options_manual() {
  std::string out;
  std::string_view section{"none yet"};
  for (const settings::option& each : settings::options()) {
    if (section_of(each) != section) {
      if (!out.empty()) out += ".El\n";
      section = section_of(each);
      out += ".Ss " + heading(section) + "\n.Bl -tag -width Ds\n";
    }
    out += described(each);
  }
  out += ".El\n";
  for (const settings::table_shape& each : settings::table_shapes()) out += described(each);
  return out;
}

}  // namespace tofud::cli
