// The feed without a pipeline, for tests of the wire and measurements by hand:
//   feed_server [--port N] [--socket PATH] [--rows N] [--rate ROWS_PER_SECOND] [--batch N]
//               [--tick-max MS] [--heartbeat MS] [--ping-after MS]
// One run "r1" of N resource-like rows; with a rate they change for ever. Prints its CPU time and
// memory when a line comes on stdin, and ends with its stdin.
#include "daemon/fanout/hub.hpp"
#include "daemon/http/listener.hpp"
#include "tests/http/feed_route.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace tofud;
namespace asio = boost::asio;

struct settings {
  std::uint16_t port = 0;
  std::string path;  // of a Unix socket; empty: none
  std::size_t rows = 3, rate = 0, batch = 10;
  fanout::hub_options hub;
};

class generator {
 public:
  generator(asio::io_context& io, const settings& chosen)
      : chosen_{chosen},
        keys_(chosen.rows),
        rows_{"run/r1", "r1", "e1", source()},
        hub_{io, chosen.hub},
        clock_{io} {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      keys_[i] = "module.app.aws_instance.web[" + std::to_string(i) + "]";
      rows_.change({static_cast<feed::row_number>(i), ++seq_});
    }
    hub_.offer("r1", rows_);
    hub_.set_latest("r1");
    if (chosen.rate > 0) {
      next_ = std::chrono::steady_clock::now();
      step();
    }
  }

  fanout::hub& hub() { return hub_; }

 private:
  feed::row_source source() {
    feed::row_source from;
    from.encode = [this](std::string& out, feed::row_number row, feed::sequence seq) {
      out += "{\"kind\":\"resource\",\"key\":\"" + keys_[row] +
             "\",\"run\":\"r1\",\"seq\":" + std::to_string(seq) + ",\"pad\":\"";
      out.append(300, 'x');
      out += "\"}";
    };
    from.facts = [this](feed::row_number row) {
      return feed::row_facts{feed::row_kind::resource, keys_[row], "module.app", "aws_instance"};
    };
    from.view = [](std::string& out) { out += R"({"kind":"run","key":"r1","run":"r1"})"; };
    return from;
  }

  void step() {
    for (std::size_t i = 0; i < chosen_.batch; ++i) {
      ++seq_;
      rows_.change({static_cast<feed::row_number>(seq_ % keys_.size()), seq_});
    }
    rows_.publish();
    next_ += std::chrono::nanoseconds{1'000'000'000 * chosen_.batch / chosen_.rate};
    clock_.expires_at(next_);
    clock_.async_wait([this](boost::system::error_code ec) {
      if (!ec) step();
    });
  }

  settings chosen_;
  std::vector<std::string> keys_;
  fanout::topic rows_;
  fanout::hub hub_;
  asio::steady_timer clock_;
  std::chrono::steady_clock::time_point next_;
  feed::sequence seq_ = 0;
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void print_use(const fanout::hub& hub, const http::listener& listening) {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  std::ifstream statm{"/proc/self/statm"};
  long pages = 0, resident = 0;
  statm >> pages >> resident;
  std::cout << "subscribers " << hub.subscribers() << " connections " << listening.connections()
            << " user " << seconds(use.ru_utime) << " sys " << seconds(use.ru_stime) << " rss_kb "
            << resident * sysconf(_SC_PAGESIZE) / 1024 << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  settings chosen;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option{argv[i]};
    const auto number = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--port") chosen.port = static_cast<std::uint16_t>(number);
    if (option == "--socket") chosen.path = argv[i + 1];
    if (option == "--rows") chosen.rows = number;
    if (option == "--rate") chosen.rate = number;
    if (option == "--batch") chosen.batch = number;
    if (option == "--tick-max") chosen.hub.tick_max = std::chrono::milliseconds{number};
    if (option == "--heartbeat") chosen.hub.heartbeat = std::chrono::milliseconds{number};
    if (option == "--ping-after") chosen.hub.ping_after = std::chrono::milliseconds{number};
  }
  asio::io_context io{1};
  generator feed{io, chosen};
  http::router routes;
  routes.get_stream("/v1/stream", tests::feed_route(feed.hub()));
  routes.get("/healthz", [](const http::request&) {
    http::response answer;
    answer.content_type = "text/plain";
    answer.body = "ok\n";
    return answer;
  });
  http::listener listening{io, routes};
  http::listen_address where;
  where.port = chosen.port;
  where.more_ports = 0;
  const auto bound = listening.bind(where);
  if (!bound) {
    std::cerr << bound.error().message << '\n';
    return 1;
  }
  if (!chosen.path.empty()) {
    const auto local = listening.bind_local(chosen.path);
    if (!local) {
      std::cerr << local.error().message << '\n';
      return 1;
    }
  }
  listening.start();
  std::cout << "listening on " << bound->port() << std::endl;
  asio::posix::stream_descriptor input{io, dup(STDIN_FILENO)};
  std::string line;
  const std::function<void()> ask = [&] {
    asio::async_read_until(input, asio::dynamic_buffer(line), '\n',
                           [&](boost::system::error_code ec, std::size_t size) {
                             line.erase(0, size);
                             print_use(feed.hub(), listening);
                             if (ec) return io.stop();
                             ask();
                           });
  };
  ask();
  io.run();
}
