#include "daemon/cli/show_documents.hpp"

#include "daemon/attachments/limits.hpp"
#include "daemon/attachments/schema_files.hpp"
#include "daemon/cli/foretold_text.hpp"
#include "daemon/cli/refusal.hpp"
#include "daemon/exports/report_file.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/foresight/limits.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "daemon/terminal/style.hpp"
#include "protocol/diff/markdown.hpp"
#include "protocol/diff/plan_lines.hpp"
#include "protocol/diff/plan_text.hpp"
#include "protocol/diff/plan_types.hpp"
#include "protocol/diff/state_text.hpp"
#include "protocol/plan/document_kind.hpp"
#include "protocol/redact/document_redactor.hpp"

#include <cstdlib>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tofud::cli {
namespace {

class document_view {
 public:
  explicit document_view(const show_arguments& given)
      : given_{given}, to_terminal_{::isatty(STDOUT_FILENO) != 0} {
    plan_.known.schemas = &schemas_;
    // OpenTofu follows the plan alone.
    if (given.overlay) plan_.known.marks = diff::sensitivity::plan_and_schema;
    if (given.refresh_only) plan_.mode = diff::plan_mode::refresh_only;
    if (given.destroy) plan_.mode = diff::plan_mode::destroy;
    if (terminal::wants_colour(given.colour, to_terminal_, ::getenv))
      plan_.colours = text::ink::colours::yes;
    // A file or a program gets what OpenTofu would have written; a terminal is steered by nobody.
    if (to_terminal_) {
      plan_.filter = [](std::string_view text) {
        return terminal::sanitize(text, terminal::colours::strip);
      };
    }
    state_ = {plan_.colours, plan_.known, plan_.filter};
  }

  int show(const std::string& file) {
    const auto read = files::read_document(file, limits::plan_document_bytes);
    if (!read) return refuse_document(read.error().text());
    const std::string& text = *read;
    switch (plan::kind_of(text)) {
      case plan::document_kind::plan:
        return show_plan(file, text);
      case plan::document_kind::state:
        return show_state(file, text);
      case plan::document_kind::state_file:
        return refuse_document(files::name_of_file(file) +
                               " is a state file; give the output of `tofu show -json` instead");
      case plan::document_kind::provider_schemas:
        return refuse_document(files::name_of_file(file) +
                               " contains provider schemas; give it with --schemas");
      case plan::document_kind::stream:
        return refuse_document(
            files::name_of_file(file) +
            " is the stream of a run; its diagnostics: tofud show --diagnostics " + file);
      case plan::document_kind::other:
        break;
    }
    return refuse_document(
        files::name_of_file(file) +
        " is neither a plan nor a state in JSON; `tofu show -json PLAN` writes one");
  }

 private:
  /// Of the files of schemas what a document needs. False: one can't be read; that was said.
  bool read_schemas(const schema::schemas_scanner::wanted& types) {
    std::vector<std::string> paths = given_.schemas;
    if (const auto own = attachments::own_schemas_of(""); !own.empty()) paths.push_back(own);
    attachments::schema_files read = attachments::read_schema_files(paths, types);
    for (const text::failure& each : read.wrong) spool::notice(each.text());
    schemas_ = std::move(read.all);
    return read.wrong.empty();
  }

  diff::text_sink sink() {
    return [this](std::string_view piece) {
      if (failed_) return;
      const auto charset = to_terminal_ ? terminal::charset_of(::getenv) : terminal::charset::utf8;
      failed_ = !files::write_all(STDOUT_FILENO, terminal::in_charset(std::string{piece}, charset));
    };
  }

  diff::line_form form() const {
    return given_.json ? diff::line_form::rows : diff::line_form::compact;
  }

  int show_plan(const std::string& file, std::string_view text) {
    const auto plan = plan::read(text);
    if (!plan) return refuse_document(files::name_of_file(file) + ": " + plan.error().text());
    const auto types = diff::types_of(*plan);
    if (!types) return refuse_document(files::name_of_file(file) + ": " + types.error().text());
    if (!read_schemas(*types)) return unreadable;
    if (given_.markdown || given_.html) return show_to_others(file, text);
    if (given_.json || given_.compact)
      return end(file, diff::draw_lines(*plan, plan_, form(), sink()));
    return end(file, diff::draw(*plan, plan_, sink()));
  }

  /// Others read it: it is masked as all that leaves this machine.
  int show_to_others(const std::string& file, std::string_view text) {
    const auto rules = redaction::rules_here(redaction::own_environment(), given_.mask_file);
    if (!rules) return refuse_document(rules.error().text());
    const std::string masked =
        redact::redacted_document(text, std::make_shared<const redact::ready_rules>(*rules));
    const auto plan = plan::read(masked);
    if (!plan) return refuse_document(files::name_of_file(file) + ": " + plan.error().text());
    if (given_.html) return show_page(file, *plan);
    std::string comment;
    const auto drawn = diff::draw_markdown(*plan, plan_, comment, limits::markdown_plan_characters,
                                           foretold(*plan));
    if (drawn) sink()(comment);
    return end(file, drawn);
  }

  /// The page of a report, in which the plan is reviewed.
  int show_page(const std::string& file, const plan::document& plan) {
    std::string rows;
    const auto drawn = diff::draw_lines(plan, plan_, diff::line_form::rows,
                                        [&rows](std::string_view piece) { rows.append(piece); });
    if (drawn) sink()(exports::report_of_plan(files::name_of_file(file), rows));
    return end(file, drawn);
  }

  /// How long it takes and what it takes away; empty: nobody knows.
  std::string foretold(const plan::document& plan) const {
    order_sources sources;
    if (!read_order(plan, given_.config, sources)) return "";
    const auto found = foretell(sources, given_.memory, given_.config, limits::usual_slots);
    return found ? markdown_of(*found) : "";
  }

  int show_state(const std::string& file, std::string_view text) {
    if (given_.markdown || given_.html)
      return refuse_document(files::name_of_file(file) + " is a state; " +
                             (given_.html ? "--html" : "--md") + " draws what a plan changes");
    const auto state = plan::read_state(text);
    if (!state) return refuse_document(files::name_of_file(file) + ": " + state.error().text());
    const auto types = diff::types_of(*state);
    if (!types) return refuse_document(files::name_of_file(file) + ": " + types.error().text());
    if (!read_schemas(*types)) return unreadable;
    if (given_.json || given_.compact)
      return end(file, diff::draw_lines(*state, state_, form(), sink()));
    return end(file, diff::draw(*state, state_, sink()));
  }

  int end(const std::string& file, const plan::result<diff::drawn_plan>& drawn) const {
    if (failed_) return 1;
    if (!drawn) return refuse_document(files::name_of_file(file) + ": " + drawn.error().text());
    if (drawn->without_schema > 0) {
      spool::notice(std::to_string(drawn->without_schema) + " of the resources of " +
                    files::name_of_file(file) +
                    " were shown without a schema, guessing types from their values; give "
                    "--schemas with the output of `tofu providers schema -json`");
    }
    return 0;
  }

  const show_arguments& given_;
  schema::schemas schemas_;
  bool to_terminal_;
  diff::plan_drawing plan_;
  diff::state_drawing state_;
  bool failed_ = false;
};

}  // namespace

int show_documents(const show_arguments& given) {
  document_view shown{given};
  int status = 0;
  for (const std::string& file : given.files) {
    if (const int one = shown.show(file); one != 0) status = one;
  }
  return status;
}

}  // namespace tofud::cli
