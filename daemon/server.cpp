#include "daemon/server.hpp"

#include "daemon/fanout/serve.hpp"
#include "daemon/page_routes.hpp"
#include "daemon/version.hpp"
#include "protocol/feed/encode.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud {
namespace {

constexpr feed::row_number rows_per_piece = 256;

fanout::hub_options hub_options_of_this_build() {
  fanout::hub_options options;
  options.server = std::string{"tofud "} + version;
  options.build = build_id;
  return options;
}

fanout::opening opening_of(const http::handover& connection) {
  const http::request& asked = connection.asked;
  fanout::opening opening;
  opening.query = asked.query;
  opening.accept = asked.joined("accept");
  if (asked.count("last-event-id") > 0)
    opening.last_event_id = std::string{asked.first("last-event-id")};
  if (asked.wants_websocket()) {
    opening.websocket = fanout::websocket_offer{std::string{asked.first("sec-websocket-key")},
                                                asked.joined("sec-websocket-protocol")};
  }
  opening.http = asked.version == http::http_version::v1_0 ? fanout::opening::version::http_1_0
                                                           : fanout::opening::version::http_1_1;
  opening.asked = asked.is_head() ? fanout::opening::method::head : fanout::opening::method::get;
  opening.read_ahead = connection.read_ahead;
  opening.ticket = connection.ticket;
  return opening;
}

std::optional<feed::sequence> parse_sequence(std::string_view text) {
  feed::sequence number = 0;
  const auto [stop, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc{} || stop != text.data() + text.size()) return {};
  return number;
}

}  // namespace

server::server(boost::asio::io_context& io)
    : wall_{random_epoch()}, hub_{io, hub_options_of_this_build()}, listener_{io, routes_} {
  add_routes();
}

server::outcome server::listen(const listening& where, std::uint16_t port) {
  http::listen_address address;
  if (!where.address.empty()) {
    const auto parsed = http::parse_listen_address(where.address);
    if (!parsed) return {"", parsed.error().message};
    address = *parsed;
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

void server::run_began(pipeline::run& run, stream_bytes bytes,
                       std::chrono::system_clock::time_point began) {
  runs_.push_back({&run, std::move(bytes), wall_.add(run.state)});
  hub_.offer(run.state.id(), run.topic);
  if (began < latest_began_) return;
  latest_began_ = began;
  latest_ = runs_.size() - 1;
  hub_.set_latest(run.state.id());
}

void server::run_changed(const pipeline::run& run) {
  for (auto each = runs_.rbegin(); each != runs_.rend(); ++each) {
    if (each->run != &run) continue;
    wall_.changed(each->on_wall);
    hub_.changed(each->run->topic);
    hub_.changed(wall_.topic());
    return;
  }
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
  routes_.get_stream("/v1/stream",
                     [this](http::handover& connection) -> std::optional<http::response> {
                       auto answer = fanout::serve(hub_, connection.socket, opening_of(connection));
                       if (!answer) return {};
                       http::response plain;
                       plain.status = answer->status;
                       plain.content_type = std::move(answer->content_type);
                       plain.body = std::move(answer->body);
                       return plain;
                     });
  add_page_routes(routes_);
  routes_.get("/healthz", [](const http::request&) {
    http::response healthy;
    healthy.body = "{\"status\":\"ok\"}\n";
    return healthy;
  });
  routes_.get("/v1/runs", [this](const http::request&) { return list_runs(); });
  routes_.get("/v1/runs/*", [this](const http::request& asked) { return run_document(asked); });
  routes_.get("/v1/runs/*/row", [this](const http::request& asked) { return one_row(asked); });
  routes_.get("/v1/runs/*/log", [this](const http::request& asked) { return lines(asked); });
}

const server::served* server::find(const http::request& asked) const {
  if (asked.captures.front() == "latest") return &runs_[latest_];
  for (const served& each : runs_) {
    if (each.run->state.id() == asked.captures.front()) return &each;
  }
  return nullptr;
}

http::response server::list_runs() const {
  http::response list;
  list.body = "{\"runs\":[";
  for (const served& each : runs_) {
    if (list.body.back() == '}') list.body.push_back(',');
    feed::encode(list.body, each.run->state.view(), 0);
  }
  list.body.append("]}\n");
  return list;
}

http::response server::run_document(const http::request& asked) const {
  const served* asked_for = find(asked);
  if (asked_for == nullptr)
    return http::problem(404, "no run " + asked.captures.front() + "; /v1/runs lists them");
  const pipeline::run* run = asked_for->run;
  http::response document;
  std::string head = "{\"run\":";
  feed::encode(head, run->state.view(), 0);
  head.append(",\"rows\":[");
  // Rows that come while it is sent are not in it: they may come faster than it goes.
  document.pieces =
      [run, head = std::move(head), next = feed::row_number{0},
       rows = static_cast<feed::row_number>(run->state.rows())](std::string& out) mutable {
        if (next > rows) return false;
        if (next == 0) out.append(head);
        const auto end = std::min(next + rows_per_piece, rows);
        for (; next < end; ++next) {
          if (next > 0) out.push_back(',');
          run->state.encode(out, next, run->state.seq(next), feed::cut::no);
        }
        if (next == rows) {
          out.append("]}\n");
          ++next;
        }
        return true;
      };
  return document;
}

http::response server::one_row(const http::request& asked) const {
  const served* asked_for = find(asked);
  if (asked_for == nullptr)
    return http::problem(404, "no run " + asked.captures.front() + "; /v1/runs lists them");
  const pipeline::run* run = asked_for->run;
  const auto kind = feed::parse_row_kind(asked.parameter("kind").value_or(""));
  const auto key = asked.parameter("key");
  if (!kind || !key) return http::problem(400, "give kind= and key= of the row");
  http::response found;
  if (*kind == feed::row_kind::run) {
    feed::encode(found.body, run->state.view(), 0);
  } else if (*kind == feed::row_kind::log || *kind == feed::row_kind::text) {
    line_query query;
    query.run = run->state.id();
    query.wanted.kinds.set(static_cast<std::size_t>(*kind));
    query.key = *key;
    query.upto_offset = run->of.fold().offset();
    auto search = std::make_shared<old_lines>(run->of.fold().runs().front().identity(), query,
                                              asked_for->bytes);
    found.content_type = "application/x-ndjson";
    found.pieces = [search](std::string& out) { return search->next(out); };
    return found;
  } else if (const auto number = run->state.find(*kind, *key)) {
    run->state.encode(found.body, *number, run->state.seq(*number), feed::cut::no);
  } else {
    return http::problem(404, "no row of that kind and key in " + run->state.id());
  }
  found.body.push_back('\n');
  return found;
}

http::response server::lines(const http::request& asked) const {
  const served* asked_for = find(asked);
  if (asked_for == nullptr)
    return http::problem(404, "no run " + asked.captures.front() + "; /v1/runs lists them");
  const pipeline::run* run = asked_for->run;
  const auto from = parse_sequence(asked.parameter("from").value_or("0"));
  if (!from) return http::problem(400, "from= is a sequence number");
  line_query query;
  query.run = run->state.id();
  query.from = *from;
  query.upto_offset = run->of.fold().offset();
  query.wanted.kinds.set(static_cast<std::size_t>(feed::row_kind::log));
  if (const auto addr = asked.parameter("addr"))
    query.wanted.addr.push_back(*addr);
  else
    query.wanted.kinds.set(static_cast<std::size_t>(feed::row_kind::text));
  auto search = std::make_shared<old_lines>(run->of.fold().runs().front().identity(), query,
                                            asked_for->bytes);
  http::response found;
  found.content_type = "application/x-ndjson";
  found.pieces = [search](std::string& out) { return search->next(out); };
  return found;
}

void write_latest(const std::string& url) {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime == nullptr || *runtime == '\0') return;
  const std::string directory = std::string{runtime} + "/tofud";
  ::mkdir(directory.c_str(), 0700);
  const std::string made = directory + "/latest." + std::to_string(::getpid());
  std::FILE* file = std::fopen(made.c_str(), "we");
  if (file == nullptr) return;
  const bool written = std::fprintf(file, "%s\n", url.c_str()) > 0;
  if (std::fclose(file) != 0 || !written ||
      std::rename(made.c_str(), (directory + "/latest").c_str()) != 0) {
    std::remove(made.c_str());
  }
}

}  // namespace tofud
