#include "daemon/local/begun_run.hpp"

#include "daemon/keeper/spool_writer.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/stack/ci_labels.hpp"
#include "daemon/stack/plan_file.hpp"
#include "daemon/stack/run_facts.hpp"
#include "protocol/events/known_run.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

namespace tofud {
namespace {

stack::run_facts found_facts(const view_options& view, const keeper::stream_page& page) {
  if (view.wrapped)
    return {view.stack,     view.commit, view.plan_out,    view.plan_argument,  {},
            view.directory, {},          view.parallelism, view.looks_for_drift};
  stack::run_facts facts = stack::run_facts_of_pipe(page.input_inode, page.stored);
  if (!view.stack.empty()) facts.stack = view.stack;
  return facts;
}

// A person's own labels win.
std::vector<feed::label> labels_of(const view_options& view, const stack::run_facts& facts) {
  const auto variable = [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>{value};
  };
  std::vector<feed::label> labels = view.labels;
  stack::add_missing(labels, stack::ci_labels(variable));
  const auto add = [&labels](const char* key, std::string_view value) {
    if (!value.empty()) stack::add_missing(labels, {{key, std::string{value}}});
  };
  add("workspace", stack::workspace_of(facts.stack));
  add("commit", facts.commit);
  if (facts.looks_for_drift) add("purpose", "drift");
  return labels;
}

void find_out(begun_run& run, const view_options& view, worker_sort sort,
              const keeper::worker_link& link) {
  correlator::run_identity& identity = run.identity;
  const stack::run_facts facts = found_facts(view, *link.page);
  identity.stack = facts.stack;
  // What the stream shows of `other` is better than that word.
  if (!view.wrapped && facts.command != feed::run_command::other) identity.command = facts.command;
  identity.labels = labels_of(view, facts);
  run.plan_out = facts.plan_out;
  run.directory = facts.directory;
  identity.parallelism = facts.parallelism;
  if (!view.wrapped) run.variables = redaction::variables_of(facts.argv);
  const std::string spool = link.page->spool_path.data();
  // A later step of a job may export the run, and has not this step's environment.
  if (sort == worker_sort::with_view && !spool.empty() && std::getenv("CI") != nullptr)
      [[maybe_unused]]
    const auto frozen =
        redaction::frozen_rules(spool, redaction::environment_with(run.variables), view.mask_file);
  const auto write = [&link](events::body said) {
    keeper::write_event(link.events.get(), events::text_of({0, std::move(said)}));
  };
  write(events::begin{identity.id, identity.stack, identity.labels, identity.command});
  if (const char* parent = std::getenv("TRACEPARENT")) {
    if (auto read = events::parse_trace_parent(parent)) write(std::move(*read));
  }
  const auto plan = view.plan_hash ? view.plan_hash
                                   : plan_file_of(events::plan_role::argument, facts.plan_argument);
  if (plan) write(*plan);
}

}  // namespace

std::optional<events::plan_file> plan_file_of(events::plan_role role, const std::string& path) {
  auto hashed = stack::hash_plan_file(path);
  if (!hashed) return std::nullopt;
  return events::plan_file{role, std::move(hashed->sha256), hashed->bytes};
}

begun_run begin_run(const view_options& view, worker_sort sort, const keeper::worker_link& link) {
  begun_run run;
  run.variables = view.variables;
  run.identity.id = link.page->run_id.data();
  if (view.wrapped) {
    run.identity.command = view.wrapped->command;
    run.identity.may_ask = view.wrapped->may_ask;
  }
  auto known = events::parse_lines(keeper::read_events(link.events.get()));
  // A wrapped command may be over, and its exit status written, before any worker got here.
  if (known.id.empty()) {
    find_out(run, view, sort, link);
  } else {
    run.identity.stack = std::move(known.stack);
    if (!view.wrapped) run.identity.command = known.command;
    run.identity.labels = std::move(known.labels);
    run.plan_out = view.plan_out;
    run.attached = std::move(known.attachments);
  }
  return run;
}

}  // namespace tofud
