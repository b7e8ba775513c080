// Any document as a plan and as a state: it is drawn in every form or refused, a terminal is not
// steered by it, rows are JSON, and what is wrong is said in a sentence. `{"plan":…,"schemas":…}`
// brings its schemas with it.
#include "daemon/terminal/sanitize.hpp"
#include "protocol/attachments/plan_facts.hpp"
#include "protocol/diff/plan_lines.hpp"
#include "protocol/diff/plan_text.hpp"
#include "protocol/diff/state_text.hpp"
#include "protocol/json/ranges.hpp"
#include "protocol/plan/checks.hpp"
#include "protocol/plan/configuration.hpp"
#include "protocol/plan/document_kind.hpp"
#include "protocol/redact/masked_plan.hpp"
#include "protocol/schema/provider_schemas.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace tofud {
namespace {

json::keep everything(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

void demand(bool holds, std::string_view what, std::string_view seen) {
  if (holds) return;
  std::cerr << what << ": " << seen.substr(0, 2000) << "\n";
  std::abort();
}

// But for colour codes of ours.
void demand_no_controls(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0x1b) {
      const std::size_t end = text.substr(i).find('m');
      demand(text.substr(i).starts_with("\x1b[") && end < 5, "a code that is none of ours", text);
      continue;
    }
    demand((byte >= 0x20 && byte != 0x7f) || byte == '\n' || byte == '\t', "a control", text);
  }
}

void demand_json_lines(std::string_view text) {
  json::document_parser parser{everything};
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    demand(end != std::string_view::npos, "a row without an end", text);
    demand(!parser.parse(text.substr(0, end)), "a row that is no JSON", text);
    text.remove_prefix(end + 1);
  }
}

// Draws whole or fails with a sentence; what was drawn before is looked at all the same.
template <class Draw>
std::string drawn(const Draw& draw) {
  std::string out;
  const auto done = draw([&](std::string_view piece) { out.append(piece); });
  demand(done || !done.error().text().empty(), "a failure without words", out);
  return out;
}

template <class Document, class Drawing>
void draw_all(const Document& document, Drawing wanted) {
  wanted.filter = [](std::string_view text) {
    return terminal::sanitize(text, terminal::colours::strip);
  };
  for (const auto colours : {text::ink::colours::no, text::ink::colours::yes}) {
    wanted.colours = colours;
    demand_no_controls(
        drawn([&](const diff::text_sink& out) { return diff::draw(document, wanted, out); }));
    demand_no_controls(drawn([&](const diff::text_sink& out) {
      return diff::draw_lines(document, wanted, diff::line_form::compact, out);
    }));
  }
  demand_json_lines(drawn([&](const diff::text_sink& out) {
    return diff::draw_lines(document, wanted, diff::line_form::rows, out);
  }));
}

// What is kept of a plan is a plan that is kept as it is, with the same facts.
void keep(const plan::document& plan, const schema::schemas* known) {
  const auto once = redact::masked_plan(plan, known);
  const auto facts = attachments::plan_facts::read(plan);
  if (!once) return;
  const auto kept = plan::read(*once);
  if (!kept) std::abort();
  const auto twice = redact::masked_plan(*kept, known);
  if (!twice || *twice != *once) std::abort();
  const auto of_kept = attachments::plan_facts::read(*kept);
  if (!facts || !of_kept || facts->changes().size() != of_kept->changes().size()) std::abort();
}

void read_the_rest(const plan::document& plan) {
  plan::part parsed;
  if (!parsed.parse(plan.configuration, "configuration")) plan::read_configuration(parsed.root());
  if (!parsed.parse(plan.variables, "variables")) plan::read_variables(parsed.root());
  if (!parsed.parse(plan.checks, "checks")) plan::read_checks(parsed.root());
}

void look_at(std::string_view text, const schema::schemas* known) {
  const diff::knowledge knowledge{known, diff::sensitivity::plan};
  if (const auto plan = plan::read(text)) {
    keep(*plan, known);
    read_the_rest(*plan);
    for (const auto mode : {diff::plan_mode::normal, diff::plan_mode::refresh_only}) {
      diff::plan_drawing wanted;
      wanted.known = knowledge;
      wanted.mode = mode;
      draw_all(*plan, wanted);
    }
  }
  if (const auto state = plan::read_state(text)) {
    diff::state_drawing wanted;
    wanted.known = knowledge;
    draw_all(*state, wanted);
  }
  plan::kind_of(text);
}

}  // namespace
}  // namespace tofud

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  std::string_view plan = text, known;
  if (const auto members = json::members_of(text)) {
    for (const json::range& each : *members) {
      if (each.key == "plan") plan = each.text;
      if (each.key == "schemas") known = each.text;
    }
  }
  json::document_parser parser{everything};
  if (!known.empty() && !parser.parse(known)) {
    if (const auto schemas = schema::read_provider_schemas(parser.root())) {
      look_at(plan, &*schemas);
      return 0;
    }
  }
  look_at(plan, nullptr);
  return 0;
}
