#include "daemon/cli/schema_diff.hpp"

#include "daemon/attachments/limits.hpp"
#include "daemon/attachments/schema_document.hpp"
#include "daemon/cli/refusal.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/diff/objects.hpp"
#include "protocol/plan/document_kind.hpp"
#include "protocol/schema/affected.hpp"
#include "protocol/schema/breaking.hpp"
#include "protocol/schema/human.hpp"
#include "protocol/schema/provider_address.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::cli {
namespace {

using schema::breakage;
using schema::breaking_change;
using schema::section;

/// Addresses of one finding that people read before they look elsewhere; `--json` has all.
constexpr std::size_t shown_addresses = 10;

/// A finding, and whom it touches.
struct told_change {
  breaking_change what;
  std::vector<std::string> touches;
};

/// A plan or a state, and which schemas it needs.
class used_objects {
 public:
  /// The failure is a sentence.
  std::string read(const std::string& file, bool is_plan) {
    name_ = files::name_of_file(file);
    auto text = files::read_document(file, limits::plan_document_bytes);
    if (!text) return text.error().text();
    text_ = std::move(*text);
    return is_plan ? take(plan::read(text_), plan_) : take_state();
  }

  bool has(const schema::place& at) const { return types_.contains({at.in, std::string{at.type}}); }

  /// The failure is a sentence.
  std::string find(std::vector<told_change>& all) const {
    std::map<std::pair<section, std::string_view>, std::vector<told_change*>> by_type;
    for (told_change& each : all) by_type[{each.what.in, each.what.type}].push_back(&each);
    const auto look = [&by_type](const diff::known_object& object) {
      // A provider that is gone stands under no type.
      for (const auto& key :
           {std::pair{object.in, object.type}, std::pair{section::provider, std::string_view{}}}) {
        const auto found = by_type.find(key);
        if (found == by_type.end()) continue;
        for (told_change* each : found->second) tell(*each, object);
        if (object.in == section::provider) break;
      }
    };
    return for_each(look);
  }

 private:
  std::string for_each(const diff::object_sink& look) const {
    const auto wrong =
        plan_ ? diff::for_each_object(*plan_, look) : diff::for_each_object(*state_, look);
    return wrong ? name_ + ": " + wrong->text() : "";
  }

  template <class Document>
  std::string take(plan::result<Document> read, std::optional<Document>& into) {
    if (!read) return name_ + ": " + read.error().text();
    into = std::move(*read);
    return for_each([this](const diff::known_object& object) {
      types_.emplace(object.in, std::string{object.type});
    });
  }

  std::string take_state() {
    if (plan::kind_of(text_) == plan::document_kind::state_file)
      return name_ + " is a state file; give the output of `tofu show -json` instead";
    return take(plan::read_state(text_), state_);
  }

  static void tell(told_change& change, const diff::known_object& object) {
    if (!schema::is_same_provider(change.what.provider, object.provider)) return;
    // The configuration of a provider is one object, its types are others: only that the whole
    // provider is gone is about these, too.
    const bool is_of_provider = change.what.in == section::provider;
    const bool is_whole = is_of_provider && change.what.path.empty();
    if (is_of_provider && object.in != section::provider && !is_whole) return;
    if (schema::touches(change.what, object.values)) change.touches.emplace_back(object.address);
  }

  std::string name_, text_;
  std::optional<plan::document> plan_;
  std::optional<plan::state_document> state_;
  std::set<std::pair<section, std::string>> types_;
};

/// Nothing if it was read; else the status.
std::optional<int> read_schemas(const std::string& file,
                                const schema::schemas_scanner::wanted& types,
                                attachments::schema_document& into) {
  into = attachments::read_schema_document(file, types);
  if (!into.failure.empty()) return refuse_document(into.failure.text());
  if (into.what == attachments::schema_document::format::unknown)
    return refuse_document(
        files::name_of_file(file) +
        " has no schemas; give the output of `tofu providers schema -json` or a Provider "
        "Code Specification");
  for (const schema::finding& each : into.findings) {
    if (each.of == schema::finding::weight::error)
      return refuse_document(files::name_of_file(file) + ": " + to_string(each));
  }
  return {};
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string{count == 1 ? one : many};
}

/// What is told, for people or programs.
class page {
 public:
  explicit page(bool has_objects) : has_objects_{has_objects} {}

  void add(const told_change& each) {
    const bool is_broken = each.what.what != breakage::deprecated;
    if (has_objects_ && each.touches.empty()) {
      if (is_broken) ++elsewhere_;
      return;
    }
    is_broken ? ++broken_ : ++warned_;
    if (is_broken) touched_.insert(each.touches.begin(), each.touches.end());
    heading(each.what);
    const std::string path = path_text(each.what);
    text_ += "  " + (path.empty() ? "" : path + ": ") + sentence(each.what) + "\n";
    addresses(each.touches);
  }

  void add_row(const told_change& each) {
    const bool is_broken = each.what.what != breakage::deprecated;
    if (!has_objects_ || !each.touches.empty()) is_broken ? ++broken_ : ++warned_;
    append_row(text_, each.what, has_objects_ ? &each.touches : nullptr);
  }

  void end() {
    if (!text_.empty()) text_ += "\n";
    text_ += counted(broken_, "breaking change", "breaking changes");
    if (has_objects_) {
      text_ += " for " + counted(touched_.size(), "object", "objects");
      if (elsewhere_ > 0) text_ += "; " + std::to_string(elsewhere_) + " more touch none of them";
    }
    if (warned_ > 0) text_ += "; " + std::to_string(warned_) + " deprecated";
    text_ += ".\n";
  }

  const std::string& text() const { return text_; }
  bool has_broken() const { return broken_ > 0; }

 private:
  void heading(const breaking_change& what) {
    std::string line{schema::text_of(what.in)};
    if (what.in == section::identity) line += " of resource";
    if (!what.type.empty()) line += " " + what.type;
    line += " (" + what.provider + ")\n";
    if (line == heading_) return;
    if (!heading_.empty()) text_ += "\n";
    heading_ = line;
    text_ += line;
  }

  void addresses(const std::vector<std::string>& all) {
    const std::size_t shown = std::min(all.size(), shown_addresses);
    for (std::size_t i = 0; i < shown; ++i) text_ += "      " + all[i] + "\n";
    if (shown < all.size()) text_ += "      and " + std::to_string(all.size() - shown) + " more\n";
  }

  bool has_objects_;
  std::size_t broken_ = 0, warned_ = 0, elsewhere_ = 0;
  std::set<std::string, std::less<>> touched_;
  std::string heading_, text_;
};

schema::both_say comparable(const attachments::schema_document& before,
                            const attachments::schema_document& after) {
  using format = attachments::schema_document::format;
  return {before.what == format::provider_schemas && after.what == format::provider_schemas,
          before.what == format::specification && after.what == format::specification};
}

}  // namespace

int schema_diff(const schema_diff_arguments& given) {
  const bool has_objects = !given.plan.empty() || !given.state.empty();
  used_objects objects;
  schema::schemas_scanner::wanted types = [](const schema::place&) { return true; };
  if (has_objects) {
    const bool is_plan = !given.plan.empty();
    const std::string failure = objects.read(is_plan ? given.plan : given.state, is_plan);
    if (!failure.empty()) return refuse_document(failure);
    types = [&objects](const schema::place& at) {
      return at.in == section::provider || objects.has(at);
    };
  }
  attachments::schema_document before, after;
  if (const auto failed = read_schemas(given.before, types, before)) return *failed;
  if (const auto failed = read_schemas(given.after, types, after)) return *failed;
  std::vector<told_change> all;
  for (auto& each : schema::breaking_changes(before.types, after.types, comparable(before, after)))
    all.push_back({std::move(each), {}});
  if (has_objects) {
    if (const std::string failure = objects.find(all); !failure.empty())
      return refuse_document(failure);
  }
  page told{has_objects};
  for (const told_change& each : all) given.json ? told.add_row(each) : told.add(each);
  if (!given.json) told.end();
  const bool is_written =
      files::write_all(STDOUT_FILENO, terminal::sanitize(told.text(), terminal::colours::strip));
  return told.has_broken() || !is_written ? 1 : 0;
}

void add_schema_diff(command& schema) {
  auto given = std::make_shared<schema_diff_arguments>();
  command& words = schema.add_command("diff",
                                      "Compare two versions of a provider's schemas and print what "
                                      "breaks; exit status 1 if anything does");
  words.add_option("OLD", given->before, "The old schemas, in either format").required().value("");
  words.add_option("NEW", given->after, "The new schemas").required().value("");
  option& plan = words
                     .add_option("--plan", given->plan,
                                 "Only changes that affect objects of this plan (`tofu show -json "
                                 "PLANFILE`, made with the old version)")
                     .value("FILE");
  words
      .add_option("--state", given->state,
                  "Only changes that affect objects of this state (`tofu show -json`)")
      .value("FILE")
      .excludes(plan);
  words.add_flag("--json", given->json,
                 "Print one JSON object for each change, with all objects it affects");
  words.footer("Deprecations are listed, but do not count as breaking changes.");
  words.run = [given] {
    ends_with_its_reader();
    return schema_diff(*given);
  };
}

}  // namespace tofud::cli
