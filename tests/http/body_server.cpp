// Takes bodies and raw streams and says what came: for clients we did not write, and for load.
// body_server --socket PATH; a line on standard input asks for the CPU used so far.
#include "daemon/http/listener.hpp"
#include "protocol/text/sizes.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>

#include <cstdint>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace {

namespace asio = boost::asio;
using namespace tofud;

/// Sum and number of the bytes; `python3 -c` can do the same.
class tally {
 public:
  void add(std::string_view bytes) {
    count_ += bytes.size();
    for (const char c : bytes) sum_ = (sum_ * 31 + static_cast<unsigned char>(c)) % 1'000'000'007;
  }
  std::uint64_t count() const { return count_; }
  std::string text() const { return std::to_string(count_) + " bytes, " + std::to_string(sum_); }

 private:
  std::uint64_t count_ = 0, sum_ = 0;
};

http::response said(int status, const std::string& text) {
  http::response answer;
  answer.status = status;
  answer.content_type = "text/plain";
  answer.body = text + "\n";
  return answer;
}

/// Counts; refuses what goes beyond `most`.
class counting_taker : public http::body_taker {
 public:
  counting_taker(std::string name, std::uint64_t most) : name_{std::move(name)}, most_{most} {}

  void take(std::string bytes, std::function<void(std::optional<http::response>)> next) override {
    seen_.add(bytes);
    if (seen_.count() > most_) return next(http::problem(507, "the disk is full"));
    next(std::nullopt);
  }
  void end(std::function<void(http::response)> answer) override {
    say("ended");
    answer(said(201, seen_.text()));
  }
  void broken() noexcept override { say("broken"); }

 private:
  void say(std::string_view how) const {
    std::cout << name_ << " " << how << ": " << seen_.text() << std::endl;
  }
  std::string name_;
  std::uint64_t most_;
  tally seen_;
};

/// Only asks for the next piece: what the way to a taker costs.
class forgetting_taker : public http::body_taker {
  void take(std::string, std::function<void(std::optional<http::response>)> next) override {
    next(std::nullopt);
  }
  void end(std::function<void(http::response)> answer) override { answer(said(204, "")); }
};

constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();

void add_routes(http::router& routes) {
  using opened = std::variant<http::response, std::unique_ptr<http::body_taker>>;
  routes.take("PUT", "/count", {unbounded, std::nullopt}, [](const http::request&) -> opened {
    return std::make_unique<counting_taker>("body", unbounded);
  });
  routes.take("PUT", "/full", {unbounded, std::nullopt}, [](const http::request&) -> opened {
    return std::make_unique<counting_taker>("body", 100'000);
  });
  routes.take("PUT", "/refused", {unbounded, std::nullopt},
              [](const http::request&) -> opened { return http::problem(409, "not now"); });
  routes.take("PATCH", "/forget", {limits::mib, std::nullopt},
              [](const http::request&) -> opened { return std::make_unique<forgetting_taker>(); });
  routes.take_whole("POST", "/whole", 1000,
                    [](const http::request&, std::string body,
                       const std::function<void(http::response)>& answer) {
                      tally seen;
                      seen.add(body);
                      answer(said(200, seen.text()));
                    });
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

int main(int argc, char** argv) {
  std::string path;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view{argv[i]} == "--socket") path = argv[i + 1];
  }
  asio::io_context io{1};
  http::router routes;
  add_routes(routes);
  http::listener listening{io, routes};
  const auto bound = listening.bind(*http::parse_listen_address("127.0.0.1:0"));
  const auto local = listening.bind_local(path);
  if (!bound || !local) {
    std::cerr << (bound ? local.error().message : bound.error().message) << '\n';
    return 1;
  }
  listening.on_raw(
      [](const auto& /*from*/) { return std::make_unique<counting_taker>("raw", 3'000'000); });
  listening.start();
  std::cout << "listening on " << bound->port() << std::endl;
  asio::posix::stream_descriptor input{io, dup(STDIN_FILENO)};
  std::string line;
  const std::function<void()> ask = [&] {
    asio::async_read_until(input, asio::dynamic_buffer(line), '\n',
                           [&](boost::system::error_code ec, std::size_t size) {
                             line.erase(0, size);
                             if (ec) return io.stop();
                             rusage use{};
                             getrusage(RUSAGE_SELF, &use);
                             std::cout << "user " << seconds(use.ru_utime) << " sys "
                                       << seconds(use.ru_stime) << std::endl;
                             ask();
                           });
  };
  ask();
  io.run();
}
