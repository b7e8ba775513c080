#include "daemon/cli/schema.hpp"

#include "daemon/attachments/schema_document.hpp"
#include "daemon/cli/limits.hpp"
#include "daemon/cli/schema_diff.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/settings/near_name.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/schema/human.hpp"
#include "protocol/schema/provider_address.hpp"
#include "protocol/schema/schemas_reader.hpp"
#include "protocol/schema/specification.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace tofud::cli {
namespace {

using schema::place;
using schema::section;
using format = attachments::schema_document::format;

struct schema_arguments {
  std::string file, type;
  schema_diff_arguments compared;
};

/// The name of one schema, kept.
struct listed {
  std::string provider;
  section in = section::provider;
  std::string type;
};

bool print(int to, std::string_view text) {
  return files::write_all(to, terminal::sanitize(text, terminal::colours::strip));
}

std::string name_of(const schema_arguments& given) {
  return given.file == "-" ? "standard input" : given.file;
}

/// Lines such as `FILE:LINE:COLUMN: WHAT` and `FILE: PATH: WHAT`.
void print_findings(const std::string& name, const std::vector<schema::finding>& all) {
  std::string lines;
  for (const schema::finding& each : all) {
    const bool is_place_of_text =
        !each.where.empty() && each.where.front() >= '0' && each.where.front() <= '9';
    lines += name + (is_place_of_text ? ":" : ": ") + to_string(each) + "\n";
  }
  print(STDERR_FILENO, lines);
}

int check(const schema_arguments& given) {
  auto read = attachments::read_schema_document(given.file, [](const place&) { return false; });
  if (!read.failure.empty()) {
    spool::notice(read.failure.text());
    return 1;
  }
  if (read.what == format::provider_schemas) {
    spool::notice(given.file +
                  " is the output of `tofu providers schema -json`; read it with `tofud schema "
                  "show FILE` (`check` is for specifications)");
    return 1;
  }
  print_findings(name_of(given), read.findings);
  if (schema::has_error(read.findings)) return 1;
  return print(STDOUT_FILENO, name_of(given) + ": ok\n") ? 0 : 1;
}

/// TYPE may be a type, and of a provider its address or the last part of it.
bool is_meant(const place& each, std::string_view type) {
  if (each.in != section::provider) return each.type == type;
  return each.provider == type || schema::provider_name(each.provider) == type;
}

std::size_t width() {
  winsize size{};
  const bool is_terminal = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_terminal ? std::min<std::size_t>(size.ws_col, 100) : 80;
}

std::string list_text(const std::vector<listed>& all) {
  constexpr std::string_view widest = "ephemeral resource";
  std::string text;
  const std::string* provider = nullptr;
  for (const listed& each : all) {
    if (provider == nullptr || *provider != each.provider) text += each.provider + "\n";
    provider = &each.provider;
    const std::string_view word = schema::text_of(each.in);
    text.append("  ").append(word);
    if (!each.type.empty()) text.append(widest.size() - word.size() + 2, ' ').append(each.type);
    text.push_back('\n');
  }
  return text;
}

/// What may have been meant by a name that is not there.
std::string hint(const std::vector<listed>& all, const std::string& type) {
  std::vector<std::string_view> names;
  for (const listed& each : all) {
    if (each.type.ends_with("_" + type)) return "; did you mean " + each.type + "?";
    names.push_back(each.type);
  }
  const std::string near = settings::near_name(type, names);
  return near.empty() ? "; `tofud schema show FILE` lists them" : "; did you mean " + near + "?";
}

/// A specification has no versions.
std::string title_of(const listed& one, const schema::object_schema& of, format in) {
  std::string title{schema::text_of(one.in)};
  if (one.in == section::identity) title += " of resource";
  if (one.in != section::provider) title += " " + one.type;
  title += " (" + one.provider;
  if (in == format::provider_schemas) title += ", version " + std::to_string(of.version);
  return title + ")";
}

std::string shown_text(const attachments::schema_document& read, const std::vector<listed>& all,
                       const std::string& type) {
  std::string text;
  for (const listed& each : all) {
    const place where{each.provider, each.in, each.type};
    if (!is_meant(where, type)) continue;
    const auto* found = find(read.types, where);
    if (found == nullptr) continue;
    if (!text.empty()) text.push_back('\n');
    text += describe(title_of(each, *found, read.what), *found, width());
  }
  return text;
}

int show(const schema_arguments& given) {
  std::vector<listed> all;
  const auto read =
      attachments::read_schema_document(given.file, [&all, &given](const place& each) {
        if (all.size() < limits::schema_types) {
          all.push_back({std::string{each.provider}, each.in, std::string{each.type}});
        }
        return is_meant(each, given.type);
      });
  if (!read.failure.empty()) {
    spool::notice(read.failure.text());
    return 1;
  }
  print_findings(name_of(given), read.findings);
  if (read.what == format::unknown) {
    spool::notice(name_of(given) +
                  " is neither the output of `tofu providers schema -json` nor a Provider Code "
                  "Specification");
    return 1;
  }
  const int status = schema::has_error(read.findings) ? 1 : 0;
  if (all.size() == limits::schema_types) {
    spool::notice("only the first " + std::to_string(limits::schema_types) + " types are known");
  }
  if (given.type.empty()) return print(STDOUT_FILENO, list_text(all)) ? status : 1;
  const std::string text = shown_text(read, all, given.type);
  if (!text.empty()) return print(STDOUT_FILENO, text) ? status : 1;
  if (status == 0) {
    spool::notice(name_of(given) + " has no type " + given.type + hint(all, given.type));
  }
  return 1;
}

}  // namespace

void add_schema(command& line) {
  auto given = std::make_shared<schema_arguments>();
  command& words = line.add_command("schema", "Show, check and compare provider schemas");
  command& checked = words.add_command("check",
                                       "Check a Provider Code Specification: print each mistake "
                                       "with its path; exit status 1 if there is one");
  checked.add_option("FILE", given->file, "The specification; - is standard input")
      .required()
      .value("");
  command& shown = words.add_command("show",
                                     "List the types in a specification or in the output of `tofu "
                                     "providers schema -json`, or show one");
  shown.add_option("FILE", given->file, "The document; - is standard input").required().value("");
  shown.add_option("TYPE", given->type, "A type, such as aws_instance, or a provider").value("");
  shown.footer("For example: tofu providers schema -json | tofud schema show - aws_instance");
  checked.run = [given] { return check(*given); };
  shown.run = [given] {
    ends_with_its_reader();
    return show(*given);
  };
  add_schema_diff(words);
}

}  // namespace tofud::cli
