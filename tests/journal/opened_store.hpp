// A store in a directory of its own, with a loop that runs until what was asked is done.
#pragma once

#include "daemon/journal/store.hpp"
#include "tests/journal/scratch_root.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace tofud::journal {

inline std::string text_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void put_text(const std::string& path, std::string_view text) {
  std::ofstream{path, std::ios::binary} << text;
}

inline ui::time_point at_second(std::int64_t second) {
  return ui::time_point{std::chrono::seconds{1795230720 + second}};  // 2026-11-21 03:12
}

/// The journal's thread compresses an ended stream when it has nothing else to do.
inline void until_compressed(const std::string& root, const std::string& run) {
  const std::string stream = root + "/runs/" + run + "/stream.jsonl";
  for (int i = 0; i < 20'000 && std::filesystem::exists(stream); ++i) ::usleep(1000);
  EXPECT_FALSE(std::filesystem::exists(stream));
}

inline run_header some_run(const std::string& id = "20261121T0312-7f3a") {
  run_header header;
  header.id = id;
  header.upload_id = "upload-of-" + id;
  header.secret_hash = "5ec2e7";
  header.rules = "sha256:4a";
  header.stack = "net/prod";
  header.labels = {{"pr", "12"}};
  header.command = feed::run_command::apply;
  header.may_ask = true;
  header.parallelism = 4;
  header.started_at = at_second(0);
  header.created_at = at_second(1);
  return header;
}

/// A store and its loop; each call waits for its completion and returns what it said.
class opened_store {
 public:
  explicit opened_store(const std::string& root, disk* on = nullptr) {
    options given;
    given.free_bytes = 0;
    given.on = on;
    init(root, std::move(given));
  }
  opened_store(const std::string& root, options given) { init(root, std::move(given)); }

  std::string create(const run_header& header) {
    return failure_of([&](on_done done) { it->create(header, std::move(done)); });
  }
  append_result append(const std::string& run, std::string bytes,
                       ui::time_point at = at_second(2)) {
    std::optional<append_result> result;
    it->append(run, std::move(bytes), at, [&](append_result got) { result = std::move(got); });
    until_done();
    return result.value();
  }
  std::string event(const std::string& run, std::uint64_t n, const std::string& json) {
    return failure_of([&](on_done done) { it->add_event(run, {n, 0, json}, std::move(done)); });
  }
  std::string complete(const std::string& run, ui::time_point at = at_second(3)) {
    return failure_of([&](on_done done) { it->complete(run, at, std::move(done)); });
  }
  std::string remove(const std::string& run, removed_by whom = removed_by::person) {
    return failure_of([&](on_done done) { it->remove(run, whom, at_second(9), std::move(done)); });
  }
  /// `seen_at`: when somebody saw any run.
  std::vector<std::string> retain(const retention& kept, ui::time_point now,
                                  const std::string& keep = "", ui::time_point seen_at = {}) {
    std::vector<std::string> result;
    it->retain(
        kept, now,
        {[&](const std::string& run) { return run == keep; },
         [](const std::string&) { return false; }, [&](const std::string&) { return seen_at; }},
        [&](std::vector<std::string> removed) { result = std::move(removed); });
    until_done();
    return result;
  }
  std::string put(const indexed_run& run) {
    return failure_of([&](on_done done) { it->put(run, std::move(done)); });
  }
  /// What a run of the stack "net" did.
  std::string add_history(const std::string& run,
                          const std::vector<history::operation>& operations) {
    history::remembered_run of;
    of.id = run;
    of.stack = "net";
    const std::vector<history::run_operations> did{{of, operations}};
    return failure_of([&](on_done done) { it->add_history(run, did, std::move(done)); });
  }
  std::string reindex() {
    return failure_of([&](on_done done) { it->reindex(std::move(done)); });
  }
  run_list list(const run_query& query) {
    run_list result;
    it->list(query, nullptr, [&](run_list got) { result = std::move(got); });
    until_done();
    return result;
  }
  /// How many operations of that address are remembered.
  std::size_t remembered(const std::string& addr) {
    history::report_query query;
    query.addr = addr;
    std::uint64_t read = 0;
    it->find_history(query, nullptr,
                     [&](const text::result<history::report>& got) { read = got->read; });
    until_done();
    return read;
  }
  std::string stream(const std::string& run, std::size_t piece = 7) {
    const auto read = it->reader(run);
    std::string all;
    std::string room(piece, '\0');
    while (read) {
      const auto n = read(all.size(), room);
      if (n == 0) break;
      all.append(room, 0, n);
    }
    return all;
  }

  void until_done() {
    loop.restart();
    loop.run();
  }

  boost::asio::io_context loop;
  std::vector<std::string> said;
  std::vector<kept_run> found;  // by recovery
  std::unique_ptr<store> it;

 private:
  template <class Call>
  std::string failure_of(Call call) {
    std::optional<std::string> result;
    call([&](const text::failure& failure) { result = failure.text(); });
    until_done();
    return result.value();
  }
  void init(const std::string& root, options given) {
    given.said = [this](std::string sentence) { said.push_back(std::move(sentence)); };
    auto opened = store::open(loop, root, std::move(given));
    if (!opened) throw std::runtime_error{opened.error().text()};
    it = std::move(*opened);
    found = it->recover();
  }
};

}  // namespace tofud::journal
