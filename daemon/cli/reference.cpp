#include "daemon/cli/reference.hpp"

#include "daemon/cli/command_tree.hpp"
#include "daemon/settings/in_words.hpp"
#include "daemon/settings/options.hpp"
#include "daemon/settings/table_shapes.hpp"

#include <string_view>

namespace tofud::cli {
namespace {

constexpr std::string_view head = R"(# Reference

`tofud manual --reference` prints this page, and `/metrics` its last table: nothing here is written by hand.

)";

constexpr std::string_view exit_statuses = R"(## Exit status

| status | meaning |
|---|---|
| 0 | The run succeeded; the command did what it was asked to do. |
| 1 | The run failed or was interrupted, its stream ended before it did, or its outcome is unknown; the command failed. |
| 2 | tofud was called wrongly, or a document that it was given can't be used. |
| 3 | The stream has a major version of OpenTofu's messages that tofud does not know. |
| 128+n | `tofud run`: signal n ended the command. Otherwise its status is that of the command. |
)";

/// For a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char each : text) {
    if (each == '|' || each == '<') out += '\\';
    out += each == '\n' ? ' ' : each;
  }
  return out;
}

std::string code(std::string_view text) { return "`" + cell(text) + "`"; }

std::string names_of(const described_option& option) {
  const std::string value = option.value.empty() ? "" : " " + option.value;
  if (option.names.empty()) return code(option.value);
  std::string out;
  for (const std::string& name : option.names) {
    out += (out.empty() ? "" : ", ") + code(name + value);
  }
  return out;
}

std::string section(const described_command& of) {
  std::string out = "### tofud" + (of.path.empty() ? "" : " " + of.path) + "\n\n";
  if (!of.path.empty()) out += of.description + ".\n\n";
  if (of.options.empty()) return out;
  out += "| option | meaning | variable |\n|---|---|---|\n";
  for (const described_option& each : of.options) {
    const bool everywhere = !each.names.empty() && each.names.front().starts_with("--help");
    if (everywhere && !of.path.empty()) continue;
    out += "| " + names_of(each) + " | " + cell(each.description) + " | " +
           (each.variable.empty() ? "" : code(each.variable)) + " |\n";
  }
  return out + "\n";
}

std::string table_row(const settings::option& of) {
  std::string values = type_in_words(of);
  if (const std::string range = range_in_words(of); !range.empty()) values += ", " + range;
  const bool reloads = of.effect == settings::takes_effect::on_reload;
  return "| " + code(of.key) + " | " + cell(of.help) + " | " + cell(values) + " | " +
         code(toml_text(of, default_of(of))) + " | " + code(of.flag) + ", " +
         code(variable_of(of)) + " | " + (reloads ? "SIGHUP" : "restart") + " |\n";
}

/// Lists of tables have neither flags nor variables.
std::string tables(const std::vector<settings::table_shape>& all) {
  std::string out;
  for (const settings::table_shape& shape : all) {
    out += "\n### Tables [[" + std::string{shape.key} + "]]\n\n" + std::string{shape.help} +
           " There may be several; SIGHUP applies them.\n\n";
    out += "| option | meaning | values | example | must be given |\n|---|---|---|---|---|\n";
    for (const settings::table_field& each : shape.fields) {
      out += "| " + code(settings::field_name(each.of)) + " | " + cell(each.of.help) + " | " +
             cell(type_in_words(each.of)) + " | " + code(each.example) + " | " +
             (each.is_required ? "yes" : "no") + " |\n";
    }
    out += tables(shape.within);
  }
  return out;
}

std::string configuration() {
  std::string out =
      "## Configuration\n\nA flag wins over a variable, a variable over a file. The last column "
      "says "
      "what makes a change take effect.\n";
  std::string_view current{"none yet"};
  for (const settings::option& each : settings::options()) {
    if (section_of(each) != current) {
      current = section_of(each);
      out += current.empty() ? "\n### Without a section\n\n"
                             : "\n### Section " + std::string{current} + "\n\n";
      out += "| option | meaning | values | default | flag, variable | applied by |\n";
      out += "|---|---|---|---|---|---|\n";
    }
    out += table_row(each);
  }
  return out + tables(settings::table_shapes()) + "\n";
}

}  // namespace

std::string reference(const command& line) {
  std::string out{head};
  out += "## Commands\n\n";
  for (const described_command& each : command_tree(line)) out += section(each);
  return out + configuration() + std::string{exit_statuses};
}

}  // namespace tofud::cli
