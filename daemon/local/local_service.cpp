#include "daemon/local/local_service.hpp"

#include "daemon/spool/page_url.hpp"

#include <charconv>
#include <chrono>
#include <filesystem>
#include <thread>

namespace tofud {
namespace {

// Neighbours are looked for every so many beats.
constexpr int beats_between_looks = 5;

// The one before us has closed its port before it gave the lock back, but for one that was killed:
// after so many beats another port has to do.
constexpr int tries_for_the_same_port = 20;

// Whoever has just taken the lock has bound its port soon.
constexpr int looks_for_address = 30;
constexpr std::chrono::milliseconds between_looks{10};

std::uint16_t port_of(const std::string& url) {
  const std::size_t colon = url.rfind(':');
  std::uint16_t port = 0;
  if (colon != std::string::npos) {
    std::from_chars(url.data() + colon + 1, url.data() + url.size(), port);
  }
  return port;
}

}  // namespace

local_service::local_service(boost::asio::io_context& io, machine_memory& memory,
                             const listening& where, own_run own)
    : io_{io}, memory_{memory}, where_{where}, own_{std::move(own)} {
  const bool told_where = !where.address.empty();
  if (told_where || own_.spool.empty()) return;
  lock_.emplace(std::filesystem::path{own_.spool}.parent_path().string());
}

local_service::~local_service() = default;

local_service::outcome local_service::begin(std::uint16_t port) {
  if (!lock_ || lock_->take()) return bind(port, port != 0);
  std::string url = lock_->announced();
  for (int look = 0; url.empty() && look < looks_for_address; ++look) {
    std::this_thread::sleep_for(between_looks);
    url = lock_->announced();
  }
  if (url.empty()) return {"", "another tofud serves here but does not tell its address", 0};
  url += "?run=" + own_.id;
  spool::write_page_url(own_.spool, url);
  return {url, "", 0};
}

local_service::outcome local_service::bind(std::uint16_t port, bool exactly) {
  server_ = std::make_unique<server>(io_, memory_, own_.mask_file, where_.tick);
  const auto bound = server_->listen(where_, exactly ? port : std::uint16_t{0});
  if (bound.url.empty()) {
    server_.reset();
    if (lock_ && !exactly) lock_->give_back();
    return {"", bound.failure, 0};
  }
  if (lock_) {
    lock_->announce(bound.url);
    other_runs_ = std::make_unique<other_local_runs>(
        io_, std::filesystem::path{own_.spool}.parent_path().string(), own_.spool, *server_);
  }
  write_latest(bound.url);
  if (!own_.spool.empty()) spool::write_page_url(own_.spool, bound.url);
  return {bound.url, "", bound.port};
}

void local_service::run_began(pipeline::run& run) {
  runs_.push_back(&run);
  if (server_) add(run);
}

void local_service::add(pipeline::run& run) {
  std::chrono::system_clock::time_point began = std::chrono::system_clock::now();
  if (!own_.spool.empty()) {
    const auto all = spool::kept_runs(std::filesystem::path{own_.spool}.parent_path().string(),
                                      [](const char*) { return std::nullopt; });
    for (const auto& kept : all ? *all : std::vector<spool::kept_run>{}) {
      if (kept.path == own_.spool) began = kept.began;
    }
  }
  server_->run_began(run, own_.bytes, began);
}

void local_service::run_changed(const pipeline::run& run) {
  if (server_) server_->run_changed(run);
}

void local_service::caught_up() {
  caught_up_ = true;
  start_if_ready();
}

// A viewer who comes back asks for what is new since the process before this one. Until that much
// is folded again it would be told to begin anew; so it waits, with its connection in the
// listener's backlog.
void local_service::start_if_ready() {
  if (started_ || !server_ || !caught_up_) return;
  if (other_runs_) {
    other_runs_->look();
    if (!other_runs_->caught_up()) return;
  }
  started_ = true;
  server_->start();
}

void local_service::beat() {
  if (finishing_ || !lock_) return;
  if (!server_) return take_over();
  start_if_ready();
  if (other_runs_ && ++beats_ % beats_between_looks == 0) other_runs_->look();
}

void local_service::take_over() {
  if (!lock_->taken() && !lock_->take()) return;
  const bool same_port = ++tries_ <= tries_for_the_same_port;
  const std::uint16_t port = port_of(lock_->announced());
  if (bind(port, same_port && port != 0).url.empty()) return;
  for (pipeline::run* run : runs_) add(*run);
  start_if_ready();
}

void local_service::finish(std::function<void()> done) {
  finishing_ = true;
  if (!server_) {
    if (!own_.spool.empty()) spool::remove_page_url(own_.spool);
    return done();
  }
  const bool others = other_runs_ && other_runs_->any_goes_on();
  const auto words = others ? server::last_words::come_back : server::last_words::run_over;
  server_->finish(words, [this, done = std::move(done)] {
    if (other_runs_) other_runs_->stop();
    server_->close();
    if (lock_) lock_->give_back();
    if (!own_.spool.empty()) spool::remove_page_url(own_.spool);
    done();
  });
}

}  // namespace tofud
