#include "protocol/feed/run_view.hpp"

#include "protocol/json/members.hpp"

#include <boost/json.hpp>

#include <cmath>

namespace tofud::feed {
namespace {

using boost::json::object;

const boost::json::value* at(const object& from, std::string_view key) {
  const auto* value = from.if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string text(const object& from, std::string_view key) {
  const auto* value = at(from, key);
  return value != nullptr && value->is_string() ? std::string{value->get_string()} : std::string{};
}

std::uint64_t number(const object& from, std::string_view key) {
  const auto* value = at(from, key);
  boost::json::error_code failed;
  if (value == nullptr || !value->is_number()) return 0;
  const auto found = value->to_number<std::uint64_t>(failed);
  return failed ? 0 : found;
}

std::int64_t count(const object& from, std::string_view key) {
  return static_cast<std::int64_t>(number(from, key));
}

const object& part(const object& from, std::string_view key) {
  static const object nothing;
  const auto* value = at(from, key);
  return value != nullptr && value->is_object() ? value->get_object() : nothing;
}

std::optional<ui::time_point> time(const object& from, std::string_view key) {
  return ui::parse_timestamp(text(from, key));
}

std::optional<change_counts> counts(const object& from, std::string_view key) {
  if (at(from, key) == nullptr) return std::nullopt;
  const object& of = part(from, key);
  change_counts read;
  read.add = count(of, "add");
  read.change = count(of, "change");
  read.import = count(of, "import");
  read.remove = count(of, "remove");
  read.forget = count(of, "forget");
  return read;
}

template <typename Enum, std::size_t N>
std::optional<Enum> word(const object& from, std::string_view key) {
  const std::string given = text(from, key);
  for (std::size_t i = 0; i < N; ++i) {
    if (name(static_cast<Enum>(i)) == given) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

void take_surroundings(const object& from, run_view& view) {
  view.contact = word<run_contact, 3>(from, "contact");
  if (const auto* seconds = at(from, "clock_offset_s"); seconds != nullptr) {
    boost::json::error_code failed;
    const auto offset = seconds->to_number<double>(failed);
    if (!failed) view.clock_offset = std::chrono::microseconds{std::llround(offset * 1e6)};
  }
  view.created_at = time(from, "created_at");
}

void take_failures(const object& from, run_view& view) {
  if (at(from, "failure") != nullptr) {
    const object& first = part(from, "failure");
    view.failures.first = run_view::first_failure{text(first, "addr"), text(first, "summary")};
  }
  if (at(from, "strands") == nullptr) return;
  const object& worst = part(from, "strands");
  view.failures.worst = run_view::stranding{text(worst, "addr"), number(worst, "count")};
}

}  // namespace

std::optional<run_view> parse_run_view(std::string_view document_text) {
  const json::small_document document{document_text};
  if (document.object() == nullptr) return std::nullopt;
  const object& from = *document.object();
  if (text(from, "kind") != "run" || text(from, "key").empty()) return std::nullopt;
  run_view view;
  view.id = text(from, "key");
  view.command = parse_run_command(text(from, "command")).value_or(run_command::other);
  view.status = word<run_status, feed::run_statuses>(from, "status").value_or(run_status::lost);
  view.phase = word<run_phase, 3>(from, "phase").value_or(run_phase::plan);
  const object& versions = part(from, "versions");
  view.tofu = text(versions, "tofu");
  view.terraform = text(versions, "terraform");
  view.ui = text(versions, "ui");
  for (const auto& [key, value] : part(from, "labels")) {
    if (value.is_string()) {
      view.labels.push_back({std::string{key}, std::string{value.get_string()}});
    }
  }
  if (const object& facts = part(from, "verified"); !text(facts, "issuer").empty()) {
    view.verified = std::make_shared<const verified_facts>(
        verified_facts{text(facts, "issuer"), text(facts, "subject"), text(facts, "repository"),
                       text(facts, "ref"), text(facts, "actor")});
  }
  const object& by_status = part(from, "counts");
  for (std::size_t i = 0; i < resource_statuses; ++i) {
    view.counts[i] = number(by_status, name(static_cast<resource_status>(i)));
  }
  view.progress.done = number(part(from, "progress"), "done");
  view.progress.total = number(part(from, "progress"), "total");
  view.planned = counts(from, "planned");
  view.applied = counts(from, "applied");
  view.diagnostics.errors = number(part(from, "diagnostics"), "error");
  view.diagnostics.warnings = number(part(from, "diagnostics"), "warning");
  view.started_at = time(from, "started_at");
  view.ended_at = time(from, "ended_at");
  view.last_line_at = time(from, "last_line_at");
  if (at(from, "exit_status") != nullptr)
    view.exit_status = static_cast<int>(number(from, "exit_status"));
  const object& lines = part(from, "lines");
  view.lines.messages = number(lines, "messages");
  view.lines.text = number(lines, "text");
  view.lines.log = number(lines, "log");
  view.lines.unmatched = number(lines, "unmatched");
  view.lines.malformed = number(lines, "malformed");
  view.stack = text(from, "stack");
  if (at(from, "tests") != nullptr) {
    const object& tests = part(from, "tests");
    view.tests = test_counts{};
    view.tests->passed = count(tests, "passed");
    view.tests->failed = count(tests, "failed");
    view.tests->errored = count(tests, "errored");
    view.tests->skipped = count(tests, "skipped");
  }
  if (const auto* both = at(from, "interleaved"); both != nullptr && both->is_bool())
    view.interleaved = both->get_bool();
  if (const auto* parts = at(from, "attachments"); parts != nullptr && parts->is_array()) {
    for (const auto& each : parts->get_array()) {
      const auto part = each.is_string() ? parse_attachment(each.get_string()) : std::nullopt;
      if (part) view.attached[static_cast<std::size_t>(*part)] = true;
    }
  }
  take_surroundings(from, view);
  take_failures(from, view);
  return view;
}

}  // namespace tofud::feed
