#include "daemon/local/machine_memory.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace tofud {

namespace asio = boost::asio;

struct machine_memory::opened {
  std::string directory;
  std::optional<history::machine_history> file;
};

machine_memory::machine_memory(asio::io_context& io, std::string directory)
    : io_{io}, file_{std::make_shared<opened>()}, thread_{io} {
  file_->directory = std::move(directory);
}

machine_memory::~machine_memory() = default;

void machine_memory::remember(std::string stream, std::vector<history::run_operations> runs,
                              std::function<void(text::failure)> done) {
  thread_.post([&io = io_, stays = asio::make_work_guard(io_), file = file_,
                stream = std::move(stream), runs = std::move(runs), done = std::move(done)] {
    text::failure failure;
    if (!file->directory.empty() && !file->file) {
      auto made = history::machine_history::open(file->directory);
      if (made)
        file->file = std::move(*made);
      else
        failure = made.error();
    }
    if (file->file) failure = file->file->put(stream, runs);
    asio::post(io, [done, failure] { done(failure); });
  });
}

/// Nothing is made for who only asks.
template <class T>
void machine_memory::ask(std::function<text::result<T>(history::machine_history&)> work,
                         std::function<void(text::result<T>)> done) {
  thread_.post([&io = io_, stays = asio::make_work_guard(io_), file = file_, work = std::move(work),
                done = std::move(done)] {
    text::result<T> answer{T{}};
    if (!file->directory.empty() && !file->file) {
      auto there = history::machine_history::open_existing(file->directory);
      if (there)
        file->file = std::move(*there);
      else
        answer = there.error();
    }
    if (file->file) answer = work(*file->file);
    asio::post(io, [done, answer = std::move(answer)] { done(answer); });
  });
}

void machine_memory::find(history::report_query query,
                          std::function<void(text::result<history::report>)> found) {
  ask<history::report>(
      [query = std::move(query)](history::machine_history& in) { return in.find(query); },
      std::move(found));
}

void machine_memory::find_usual(std::vector<history::usual_query> queries,
                                std::function<void(text::result<usual_answer>)> found) {
  ask<usual_answer>([queries = std::move(queries)](
                        history::machine_history& in) { return in.find_usual(queries); },
                    std::move(found));
}

}  // namespace tofud
