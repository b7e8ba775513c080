#include "daemon/cli/history_source.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/history/machine_history.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/spool_place.hpp"
#include "protocol/history/answer.hpp"

#include <utility>

namespace tofud::cli {
namespace {

std::optional<history::report> report_here(const std::string& state_dir,
                                           const history::report_query& query) {
  for (const auto& place : spool::place_candidates(state_dir, spool::process_environment())) {
    auto opened = history::machine_history::open_existing(place.directory);
    if (!opened) {
      spool::notice(opened.error().text());
      return std::nullopt;
    }
    if (!*opened) continue;
    auto found = (*opened)->find(query);
    if (found) return std::move(*found);
    spool::notice(found.error().text());
    return std::nullopt;
  }
  return history::report{};
}

}  // namespace

void add_history_source(command& words, history_source& to) {
  add_state_dir(words, to.state_dir);
  add_server_arguments(words, to.server, to.no_server, to.token_file);
}

std::optional<history::report> report_of(const history_source& source,
                                         const history::report_query& query) {
  const auto daemon = daemon_for(source.server, source.no_server, source.token_file);
  if (!daemon) return std::nullopt;
  if (!daemon->service) return report_here(source.state_dir, query);
  const auto body = daemon->service->history(query.addr, query.stack, query.type, query.limit);
  if (!body) {
    if (is_left_over(*daemon, body.error())) return report_here(source.state_dir, query);
    spool::notice(body.error().sentence);
    return std::nullopt;
  }
  auto read = history::read_report(*body);
  if (read) return std::move(*read);
  spool::notice(read.error().text());
  return std::nullopt;
}

}  // namespace tofud::cli
