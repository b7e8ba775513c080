#include "daemon/local/server.hpp"

#include "daemon/api/feed_route.hpp"
#include "daemon/api/history_reads.hpp"
#include "daemon/api/page_routes.hpp"
#include "daemon/api/plain_pages.hpp"
#include "daemon/api/run_listing.hpp"
#include "daemon/api/run_question.hpp"
#include "daemon/api/stream_reads.hpp"
#include "daemon/files/checked_file.hpp"
#include "daemon/foresight/past_estimates.hpp"
#include "daemon/local/limits.hpp"
#include "daemon/operations/utc_now.hpp"
#include "protocol/feed/encode.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tofud {

/// Kept in a spool, a recording or in memory, for as long as it is served.
struct server::stream final : registry::run_source {
  explicit stream(files::stream_bytes of) : from{std::move(of)} {}
  files::stream_bytes bytes() const override { return from; }
  bool goes_on() const override { return true; }  // it stays on the wall

  files::stream_bytes from;
};

namespace {

fanout::hub_options hub_options_with(std::uint64_t tick) {
  fanout::hub_options options = hub_options_of_this_build();
  options.tick_max = std::chrono::milliseconds{tick};
  return options;
}

}  // namespace

server::server(boost::asio::io_context& io, machine_memory& memory, std::string mask_file,
               std::uint64_t tick)
    : memory_{memory},
      mask_file_{std::move(mask_file)},
      wall_{fanout::random_epoch()},
      hub_{io, hub_options_with(tick)},
      rows_{wall_, std::numeric_limits<std::size_t>::max()},
      runs_{hub_, rows_},
      reads_{io},
      listener_{io, routes_} {
  add_routes();
}

server::outcome server::listen(const listening& where, std::uint16_t port) {
  http::listen_address address;
  if (!where.address.empty()) {
    const auto parsed = http::parse_listen_address(where.address);
    if (!parsed) return {"", parsed.error().message};
    address = *parsed;
    if (!address.address.is_loopback()) {
      return {"", "--listen " + where.address +
                      ": a run itself serves only loopback addresses (127.0.0.1, [::1]); use "
                      "`tofud serve` for other machines"};
    }
  }
  if (port != 0) {
    address.port = port;
    address.more_ports = 0;
  }
  const auto bound = listener_.bind(address);
  if (!bound) return {"", bound.error().message};
  const std::string host = bound->address().is_v6() ? "[" + bound->address().to_string() + "]"
                                                    : bound->address().to_string();
  return {"http://" + host + ":" + std::to_string(bound->port()) + "/", "", bound->port()};
}

void server::start() {
  hub_.offer_wall(wall_.topic());
  listener_.start();
}

server::~server() = default;

void server::run_began(pipeline::run& run, files::stream_bytes bytes,
                       std::chrono::system_clock::time_point began) {
  streams_.emplace_back(std::move(bytes));
  const auto heard_at = std::chrono::floor<std::chrono::microseconds>(began);
  runs_.offer(runs_.add(streams_.back(), run.view(), heard_at), run);
}

void server::run_changed(const pipeline::run& run) {
  if (auto* shown = runs_.of_id(run.state.id())) runs_.changed(*shown);
}

void server::finish(last_words said, std::function<void()> done) {
  fanout::goodbye last;
  if (said == last_words::come_back) {
    last.code = fanout::close_codes::restarting;
    last.retry_spread = limits::handover_spread;
  }
  hub_.finish(last, std::move(done));
}

void server::close() { listener_.close(); }

void server::add_routes() {
  add_page_routes(routes_);
  // Without a script a wall asks a daemon; a pipe has little more than one run, whose page says
  // what else there is.
  routes_.get("/wall/plain", [](const http::request&) {
    http::response there;
    there.status = 303;
    there.headers.push_back({"Location", "../"});
    return there;
  });
  routes_.get("/healthz", [](const http::request&) {
    http::response healthy;
    healthy.body = "{\"status\":\"ok\"}\n";
    return healthy;
  });
  routes_.get("/v1/runs", [this](const http::request& asked) { return list_runs(asked); });
  add_plain_files(routes_);
  routes_.get("/stacks/*", [this](const http::request& asked) { return stack_page_of(asked); });
  routes_.get("/runs", [this](const http::request& asked) { return runs_page(asked); });
  const run_finder finder = [this](const std::string& id, const access::principal& /*by*/) {
    return runs_.readable(id, access::own_user());
  };
  add_stream_read(routes_, finder, mask_file_);
  const foresight::past_estimates past{
      [this](const std::vector<history::usual_query>& queries, auto found) {
        memory_.find_usual(queries, [found](const text::result<machine_memory::usual_answer>& got) {
          found(got ? *got : machine_memory::usual_answer{});
        });
      }};
  const past_estimate_maker expected = [past](const std::string& run) { return past.of(run); };
  add_feed_route(
      routes_, hub_, [](const http::request& asked) { return fanout::viewer{asked.permit}; },
      finder, reads_, expected);
  add_run_reads(routes_, finder, reads_, expected);
  add_history_route(routes_,
                    [this](const history::report_query& query, const access::principal& /*by*/,
                           auto found) { memory_.find(query, std::move(found)); });
}

http::response server::list_runs(const http::request& asked) const {
  try {
    const auto found = tofud::list_runs(runs_.views(access::own_user()),
                                        runs_asked_for(asked, operations::utc_now()));
    if (!found.failure.empty()) return http::problem(400, found.failure);
    listed_runs_text text;
    for (const feed::run_view& run : found.runs) text.add(run);
    http::response list;
    list.body = std::move(text).end(found.next, found.counts);
    return list;
  } catch (const bad_question& bad) {
    return http::problem(400, bad.sentence);
  }
}

http::response server::runs_page(const http::request& asked) const {
  pages::run_list list;
  list.asked = search_of(asked);
  list.now = operations::utc_now();
  std::set<std::string> stacks;
  for (const feed::run_view& run : runs_.views(access::own_user())) stacks.insert(run.stack);
  list.stacks.assign(stacks.begin(), stacks.end());
  try {
    feed::run_query query = runs_asked_for(list.asked, list.now);
    query.cursor = asked.parameter("cursor").value_or("");
    list.from_the_newest = query.cursor.empty();
    auto found = tofud::list_runs(runs_.views(access::own_user()), query);
    list.problem = std::move(found.failure);
    list.runs = std::move(found.runs);
    list.next = std::move(found.next);
    list.counts = std::move(found.counts);
  } catch (const bad_question& bad) {
    list.problem = bad.sentence;
  }
  return plain_page(run_list_page(list), pages::run_list_policy());
}

http::response server::stack_page_of(const http::request& asked) const {
  pages::stack_view shown;
  shown.name = asked.captures.front();
  shown.now = operations::utc_now();
  auto found = tofud::list_runs(runs_.views(access::own_user()), runs_of_stack(shown.name));
  shown.problem = std::move(found.failure);
  shown.runs = std::move(found.runs);
  shown.has_older = !found.next.empty();
  return stack_answer(shown);
}

void write_latest(const std::string& url) {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime == nullptr || *runtime == '\0') return;
  const std::string directory = std::string{runtime} + "/tofud";
  ::mkdir(directory.c_str(), 0700);
  const std::string made = directory + "/latest." + std::to_string(::getpid());
  const int fd = files::open_checked(made, O_WRONLY | O_CREAT | O_TRUNC);
  std::FILE* file = fd < 0 ? nullptr : ::fdopen(fd, "w");
  if (file == nullptr) {
    if (fd >= 0) ::close(fd);
    return;
  }
  const bool written = std::fprintf(file, "%s\n", url.c_str()) > 0;
  if (std::fclose(file) != 0 || !written ||
      std::rename(made.c_str(), (directory + "/latest").c_str()) != 0) {
    std::remove(made.c_str());
  }
}

}  // namespace tofud
