// Any bytes as a state, and as the names and ids of a run that is recovered into it. What comes out
// is JSON, and says of every object how sure it is.
#include "protocol/json/document.hpp"
#include "protocol/recover/held_state.hpp"
#include "protocol/recover/recovery.hpp"
#include "protocol/recover/recovery_text.hpp"
#include "protocol/recover/statement.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace tofud::recover {
namespace {

void demand(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << what << "\n";
  std::abort();
}

feed::step made(feed::step_action action, feed::step_status status, std::string_view id) {
  feed::step step;
  step.action = action;
  step.status = status;
  step.id_key = "id";
  step.id_value = id;
  return step;
}

/// A replacement of what the seeds hold; `text` stands for what came in its place.
feed::resource_row replaced(std::string_view text) {
  using enum feed::step_action;
  feed::resource_row row;
  row.addr = text;
  row.names = feed::resource_names::of(row.addr, {"", "managed", "t", "one", "null", ""});
  row.plan.push_back({"replace"});
  row.steps.push_back(made(refresh, feed::step_status::done, "1"));
  row.steps.push_back(made(create, feed::step_status::done, text));
  row.steps.push_back(made(remove, feed::step_status::interrupted, "1"));
  return row;
}

void check(const held_state& state, std::string_view text) {
  const feed::resource_row row = replaced(text);
  const feed::resource_row* const rows[] = {&row};
  const recovery found = recover(rows, state);
  for (const finding& each : found.findings)
    demand(!statements_of(each).empty(), "nothing is said of an object");
  json::document_parser parser{
      [](std::string_view, std::size_t, std::string_view) { return json::keep::tree; }};
  const std::string written = recovery_text(found, {"r", "", "s", state.lineage, state.serial},
                                            summary_of(found, state, text));
  demand(!parser.parse(written), "what is written is no JSON");
}

}  // namespace
}  // namespace tofud::recover

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud::recover;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  check({}, text);
  const auto state = read_held_state(text);
  if (state) {
    check(*state, text);
  } else {
    demand(!state.error().text().empty(), "a failure says nothing");
  }
  return 0;
}
