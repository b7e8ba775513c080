#include "daemon/cli/mcp_tools.hpp"

#include "daemon/api/run_filter.hpp"
#include "daemon/cli/history_source.hpp"
#include "daemon/cli/limits.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/run_listing.hpp"
#include "daemon/cli/whole_run.hpp"
#include "daemon/exports/exported_runs.hpp"
#include "daemon/exports/verdict.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/request.hpp"
#include "protocol/history/answer.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/order/blocks.hpp"
#include "protocol/order/build.hpp"
#include "protocol/order/planned.hpp"
#include "protocol/ui/resource_address.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace tofud::cli {
namespace {

using arguments = boost::json::object;
using mcp::outcome;

std::string text_of(const arguments& given, std::string_view name) {
  const auto* value = given.if_contains(name);
  return value == nullptr ? std::string{} : std::string{value->get_string()};
}

std::size_t number_of(const arguments& given, std::string_view name, std::size_t usual,
                      std::size_t most) {
  const auto* value = given.if_contains(name);
  if (value == nullptr) return usual;
  return std::clamp<std::size_t>(static_cast<std::size_t>(value->get_int64()), 1, most);
}

/// `ask` gives JSON, or says why not as commands do.
outcome heard(const std::function<std::string()>& ask) {
  const spool::collected_notices said;
  outcome made;
  made.json = ask();
  if (made.json.empty()) made.why = said.text().empty() ? "nothing was found" : said.text();
  return made;
}

run_argument run_of(const mcp_place& place, const arguments& given) {
  const std::string run = text_of(given, "run");
  return {run.empty() ? "last" : run, place.state_dir, place.server, place.no_server,
          place.token_file};
}

std::unique_ptr<whole_run> read(const mcp_place& place, const arguments& given) {
  // A file is no run, with or without a slash: an agent is not to read what lies around here.
  const std::string name = text_of(given, "run");
  const bool is_id = name.empty() || name == "last" ||
                     (name.front() >= '0' && name.front() <= '9' &&
                      name.find_first_not_of("0123456789abcdefT-.") == name.npos);
  if (!is_id) {
    spool::notice("a run is named by its id, the beginning of one, or last");
    return nullptr;
  }
  return whole_run::read(run_of(place, given), {}, place.mask_file);
}

/// [a, b, …] of JSON values.
std::string list_of(const std::deque<std::string>& items) {
  std::string text{"["};
  for (const std::string& each : items) {
    if (text.size() > 1) text += ',';
    text += each;
  }
  return text + "]";
}

// ---- tools ----------------------------------------------------------------------------------

std::string runs(const mcp_place& place, const arguments& given) {
  filter_words words;
  if (const std::string status = text_of(given, "status"); !status.empty())
    words.statuses.push_back(status);
  words.stack = text_of(given, "stack");
  words.text = text_of(given, "text");
  words.since = text_of(given, "since");
  const auto wanted = parse_filter(words, operations::utc_now());
  if (!wanted) {
    spool::notice(wanted.error().text());
    return "";
  }
  const auto found = list_runs({place.state_dir, place.server, place.token_file, place.no_server,
                                *wanted, place.mask_file, false});
  if (!found) return "";
  const std::size_t most = number_of(given, "limit", limits::mcp_runs_usual, limits::mcp_runs);
  std::deque<std::string> rows;
  std::size_t more = found->left_out;
  for (const auto& each : found->runs) {
    if (!each.read) continue;
    if (rows.size() == most) {
      ++more;
      continue;
    }
    std::string row;
    feed::encode(row, each.run, 0);
    rows.push_back(std::move(row));
  }
  const bool is_more = more > 0 || found->more_there;
  return "{\"runs\":" + list_of(rows) + ",\"more\":" + (is_more ? "true" : "false") + "}";
}

std::string verdict(const mcp_place& place, const arguments& given) {
  const auto run = read(place, given);
  if (!run) return "";
  const auto runs = exports::exported_runs(run->fold(), run->only());
  return runs.empty() ? "" : exports::to_json(exports::verdict_of(runs.back()));
}

/// The last lines of provisioners, as rows of the feed.
std::string log_tail(const mcp_place& place, const arguments& given) {
  const auto run = read(place, given);
  if (!run) return "";
  const std::string wanted = text_of(given, "address");
  const std::size_t most = number_of(given, "lines", limits::mcp_lines_usual, limits::mcp_lines);
  std::deque<std::string> lines;
  std::size_t before = 0, bytes = 0;
  const auto take = [&](std::string_view row) {
    if (!row.starts_with(R"({"kind":"log")")) return;
    boost::json::error_code wrong;
    const auto value = boost::json::parse({row.data(), row.size()}, wrong);
    const auto* addr =
        wrong || !value.is_object() ? nullptr : value.get_object().if_contains("addr");
    const std::string_view of =
        addr != nullptr && addr->is_string() ? std::string_view{addr->get_string()} : "";
    if (!wanted.empty() && !feed::glob_matches(wanted, of)) return;
    lines.emplace_back(row);
    bytes += row.size();
    while (lines.size() > most || bytes > limits::mcp_lines_bytes) {
      bytes -= lines.front().size();
      lines.pop_front();
      ++before;
    }
  };
  // Pieces of whole rows, each with its newline.
  run->rows().write(
      [&](std::string_view piece) {
        while (!piece.empty()) {
          const std::string_view row = piece.substr(0, piece.find('\n'));
          piece.remove_prefix(std::min(row.size() + 1, piece.size()));
          take(row);
        }
        return true;
      },
      run->only());
  return "{\"lines\":" + list_of(lines) + ",\"before\":" + std::to_string(before) + "}";
}

std::string history(const mcp_place& place, const arguments& given) {
  history::report_query query;
  query.addr = text_of(given, "address");
  query.stack = text_of(given, "stack");
  query.limit = number_of(given, "limit", limits::mcp_history_usual, limits::mcp_history);
  const auto found =
      report_of({place.state_dir, place.server, place.token_file, place.no_server}, query);
  return found ? history::to_json(*found) : "";
}

/// As GET /v1/runs/ID/diff answers it.
std::string drawn_diff(const mcp_place& place, const arguments& given) {
  const auto run = read(place, given);
  if (!run) return "";
  const std::string address = text_of(given, "address");
  if (const client::service* daemon = run->opened().stream.daemon(); daemon != nullptr) {
    const auto answer = daemon->diff(run->opened().stream.identity().id, address);
    if (answer) return *answer;
    spool::notice(answer.error().sentence);
    return "";
  }
  const auto& known = run->stream().attached();
  if (!known || !known->has(feed::attachment::plan)) {
    spool::notice("no plan is attached to the run");
    return "";
  }
  const auto found = known->diff(address, {});
  if (!found) {
    spool::notice(found.error().text());
    return "";
  }
  const auto hide = redaction::of_texts(*run->rules());
  std::deque<std::string> rows;
  for (const std::string& each : *found) rows.push_back(hide(each));
  std::string text{"{\"addr\":"};
  json::append_quoted(text, hide(address));
  return text + ",\"rows\":" + list_of(rows) + "}";
}

std::string diff(const mcp_place& place, const arguments& given) {
  std::string text = drawn_diff(place, given);
  while (text.ends_with('\n')) text.pop_back();
  if (!text.ends_with(R"("rows":[]})")) return text;
  spool::notice("the plan has nothing about that address");
  return "";
}

/// The order of a run's apply by blocks, as GET /v1/runs/ID/order answers it.
std::string order_of(const whole_run& run) {
  if (const client::service* daemon = run.opened().stream.daemon(); daemon != nullptr) {
    const auto answer = daemon->order(run.opened().stream.identity().id);
    if (answer) return *answer;
    spool::notice(answer.error().sentence);
    return "";
  }
  const auto& known = run.stream().attached();
  if (!known || (!known->plan() && !known->config())) {
    spool::notice("neither a plan nor a configuration is attached to the run");
    return "";
  }
  const auto plan = known->plan();
  const auto config = known->config();
  const auto knowledge = known->order();
  const auto facts =
      order::facts_of(config.get(), knowledge.get(), run.fold().runs().back().waits());
  std::vector<order::planned_object> planned;
  if (plan)
    planned = order::planned_in(*plan);
  else if (facts.config != nullptr)
    planned = order::blocks_of(*facts.config);
  return order::to_json(order::by_blocks(order::build(planned, facts)));
}

std::string order_around(const mcp_place& place, const arguments& given) {
  const auto run = read(place, given);
  if (!run) return "";
  const std::string text = order_of(*run);
  if (text.empty()) return "";
  const std::string address = text_of(given, "address");
  const std::string block = ui::without_keys(address).value_or(address);
  boost::json::error_code wrong;
  const auto all = boost::json::parse(text, wrong);
  const auto* steps = wrong ? nullptr : all.as_object().if_contains("steps");
  if (steps == nullptr || !steps->is_array()) {
    spool::notice("the order can't be read");
    return "";
  }
  const auto& list = steps->get_array();
  const auto named = [&list](std::size_t i) {
    const auto& step = list.at(i).as_object();
    std::string name{"{\"block\":"};
    json::append_quoted(name, std::string{step.at("block").as_string()});
    json::append_quoted(name.append(",\"does\":"), std::string{step.at("does").as_string()});
    return name + "}";
  };
  std::deque<std::string> before, after;
  bool is_there = false;
  std::size_t left_out = 0;
  const auto add = [&](std::deque<std::string>& to, std::size_t which) {
    if (to.size() < limits::mcp_order_steps)
      to.push_back(named(which));
    else
      ++left_out;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& step = list.at(i).as_object();
    const bool is_it = std::string_view{step.at("block").as_string()} == block;
    is_there = is_there || is_it;
    const auto* comes_after = step.if_contains("before");
    if (comes_after == nullptr || !comes_after->is_array()) continue;
    for (const auto& each : comes_after->get_array()) {
      const auto which = static_cast<std::size_t>(each.as_int64());
      const bool is_of_it =
          std::string_view{list.at(which).as_object().at("block").as_string()} == block;
      if (is_it && !is_of_it) add(before, which);
      if (!is_it && is_of_it) add(after, i);
    }
  }
  if (!is_there) {
    spool::notice("the run does nothing to that address");
    return "";
  }
  std::string made{"{\"block\":"};
  json::append_quoted(made, block);
  return made + ",\"comes_after\":" + list_of(before) + ",\"comes_before\":" + list_of(after) +
         ",\"left_out\":" + std::to_string(left_out) + "}";
}

constexpr mcp::argument run_argument_of{
    "run", "string", "Id of the run or the beginning of one; last, or nothing: the newest", false};
constexpr mcp::argument needed_address{
    "address", "string", "Address of a resource instance, as OpenTofu prints it", true};

}  // namespace

std::vector<mcp::tool> mcp_tools(const mcp_place& place) {
  using tool_work = std::string (*)(const mcp_place&, const arguments&);
  const auto by = [place](tool_work work) {
    return
        [place, work](const arguments& given) { return heard([&] { return work(place, given); }); };
  };
  return {
      {"runs",
       "Runs",
       "Lists stored runs, newest first, as rows of tofud's feed.",
       {{"status", "string", "Only with this status, such as failed or running"},
        {"stack", "string", "Only of exactly this stack"},
        {"text", "string", "Only with this text in id, stack or a label"},
        {"since", "string", "Only that began then or later, such as 24h or 2026-11-21"},
        {"limit", "integer", "How many at most"}},
       by(runs)},
      {"verdict",
       "Verdict",
       "What became of a run: result, counts, first failures with their place in the "
       "configuration, "
       "what never began, what to do now.",
       {run_argument_of},
       by(verdict)},
      {"diff",
       "Diff of an address",
       "What the plan of a run changes in one resource; sensitive values are not in it.",
       {run_argument_of, needed_address},
       by(diff)},
      {"history",
       "History",
       "How long operations took in all runs that are remembered, and how often they failed.",
       {{"address", "string", "Only of this address; * stands for any characters"},
        {"stack", "string", "Only of this stack"},
        {"limit", "integer", "How many entries at most"}},
       by(history)},
      {"order",
       "Before and after an address",
       "What the apply does directly before and after what it does to an address, by blocks.",
       {run_argument_of, needed_address},
       by(order_around)},
      {"log_tail",
       "Last lines of provisioners",
       "The last lines that provisioners printed, redacted.",
       {run_argument_of,
        {"address", "string", "Only of this address; * stands for any characters"},
        {"lines", "integer", "How many at most"}},
       by(log_tail)},
  };
}

}  // namespace tofud::cli
