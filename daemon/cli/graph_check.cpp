#include "daemon/cli/graph_check.hpp"

#include "daemon/cli/limits.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/order/limits.hpp"
#include "protocol/order/progress.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/ui/line_splitter.hpp"
#include "protocol/ui/parse_message.hpp"
#include "protocol/ui/resource_address.hpp"

#include <algorithm>
#include <map>
#include <unistd.h>
#include <utility>
#include <variant>

namespace tofud::cli {
namespace {

/// Follows the operations of a stream.
class stream_check {
 public:
  explicit stream_check(const order::order& of) : of_{of}, at_{of} {
    for (const order::vertex each : of.operations()) {
      const order::operation& what = *of.at(each);
      places_[{what.address, what.what}].push_back(each);
    }
  }

  void line(std::string_view text) {
    const ui::parsed_line& parsed = parser_.parse(text);
    if (!parsed.head) return;
    if (const auto* start = std::get_if<ui::apply_start>(&parsed.body))
      begin(start->resource.addr, start->action == ui::hook_action::remove);
    else if (const auto* done = std::get_if<ui::apply_complete>(&parsed.body))
      end(done->resource.addr, done->action == ui::hook_action::remove, order::progress_of::done);
    else if (const auto* failed = std::get_if<ui::apply_errored>(&parsed.body))
      end(failed->resource.addr, failed->action == ui::hook_action::remove,
          order::progress_of::failed);
  }

  std::size_t begun() const { return begun_; }
  std::size_t unknown() const { return unknown_; }
  const std::vector<std::string>& contradictions() const { return contradictions_; }

 private:
  order::vertex find(std::string_view addr, bool removes, order::progress_of now) const {
    const auto known =
        places_.find({std::string{addr}, removes ? order::effect::remove : order::effect::make});
    if (known == places_.end()) return order::no_vertex;
    for (const order::vertex each : known->second) {
      if (at_.get(each) == now) return each;
    }
    return order::no_vertex;
  }

  void begin(std::string_view addr, bool removes) {
    ++begun_;
    const order::vertex found = find(addr, removes, order::progress_of::owed);
    if (found == order::no_vertex) {
      ++unknown_;
      return;
    }
    const auto waits = blockers(of_, at_.waits_for(found));
    for (const std::string& each : waits)
      contradictions_.push_back(name_of(*of_.at(found)) + " began before " + each + " ended");
    at_.set(found, order::progress_of::running);
  }

  void end(std::string_view addr, bool removes, order::progress_of how) {
    const order::vertex found = find(addr, removes, order::progress_of::running);
    if (found != order::no_vertex) at_.set(found, how);
  }

  const order::order& of_;
  order::progress at_;
  std::map<std::pair<std::string, order::effect>, std::vector<order::vertex>> places_;
  ui::message_parser parser_;
  std::size_t begun_ = 0, unknown_ = 0;
  std::vector<std::string> contradictions_;
};

}  // namespace

std::string name_of(const order::operation& what) {
  std::string text{what.action};
  text.append(" ").append(what.address);
  if (!what.deposed.empty()) text.append(" (deposed ").append(what.deposed).append(")");
  return text;
}

std::vector<std::string> blockers(const order::order& of, const std::vector<order::vertex>& some) {
  std::map<std::pair<std::string, std::string_view>, std::vector<std::string>> by_block;
  for (const order::vertex each : some) {
    const order::operation& what = *of.at(each);
    by_block[{ui::without_keys(what.address).value_or(what.address), what.action}].push_back(
        name_of(what));
  }
  std::vector<std::string> names;
  for (auto& [block, those] : by_block) {
    if (those.size() > limits::blockers_named) {
      names.push_back(name_of({block.first + "[*]", {}, {}, block.second}) + " (" +
                      std::to_string(those.size()) + ")");
    } else {
      std::sort(those.begin(), those.end());
      names.insert(names.end(), those.begin(), those.end());
    }
  }
  return names;
}

int check_stream(const order::order& of, const std::string& path) {
  stream_check check{of};
  ui::line_splitter lines{limits::line_bytes};
  const auto failure = files::read_pieces(path, [&](std::string_view bytes) {
    lines.feed(
        bytes, [&](std::string_view line) { check.line(line); }, [](std::uint64_t) {});
    return true;
  });
  if (!failure.empty()) {
    spool::notice(failure.text());
    return 2;
  }
  if (!lines.rest().empty()) check.line(lines.rest());
  std::string text;
  for (const std::string& each : check.contradictions()) text.append(each).push_back('\n');
  const auto counted = [](std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
  };
  text += counted(check.begun(), "operation", "operations") + " began; " +
          (check.contradictions().empty()
               ? "none before what it had to wait for"
               : counted(check.contradictions().size(), "contradiction", "contradictions") +
                     " to this order");
  if (check.unknown() > 0)
    text += "; " + counted(check.unknown(), "operation is", "operations are") + " not in it";
  if (!files::write_all(STDOUT_FILENO, terminal::sanitize(text + "\n", terminal::colours::strip)))
    return 1;
  return check.contradictions().empty() ? 0 : 1;
}

}  // namespace tofud::cli
