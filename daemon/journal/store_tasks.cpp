// What coroutines await of the journal.
#include "daemon/journal/store.hpp"

#include <utility>

namespace tofud::journal {

net::task<append_result> store::append(const std::string& run, std::string bytes,
                                       ui::time_point arrived) {
  return net::given<append_result>(
      [this, run, bytes = std::move(bytes), arrived](auto give) mutable {
        append(run, std::move(bytes), arrived, std::move(give));
      });
}

net::task<text::failure> store::create(run_header header) {
  return net::given<text::failure>([this, header = std::move(header)](auto give) mutable {
    create(std::move(header), std::move(give));
  });
}

net::task<text::failure> store::add_event(const std::string& run, kept_event event) {
  return net::given<text::failure>([this, run, event = std::move(event)](auto give) mutable {
    add_event(run, std::move(event), std::move(give));
  });
}

net::task<text::failure> store::keep_attachments(const std::string& run,
                                                 std::vector<std::string> names) {
  return net::given<text::failure>([this, run, names = std::move(names)](auto give) mutable {
    keep_attachments(run, std::move(names), std::move(give));
  });
}

net::task<bool> store::clear_attachments(const std::string& run) {
  return net::given<bool>(
      [this, run](auto give) { clear_attachments(run, [give = std::move(give)] { give(true); }); });
}

net::task<text::failure> store::complete(const std::string& run, ui::time_point at) {
  return net::given<text::failure>(
      [this, run, at](auto give) { complete(run, at, std::move(give)); });
}

net::task<text::failure> store::remove(const std::string& run, removed_by whom, ui::time_point at) {
  return net::given<text::failure>(
      [this, run, whom, at](auto give) { remove(run, whom, at, std::move(give)); });
}

net::task<run_list> store::list(run_query query, sqlite::row_filter seen) {
  return net::given<run_list>(
      [this, query = std::move(query), seen = std::move(seen)](auto give) mutable {
        list(std::move(query), std::move(seen), std::move(give));
      });
}

net::task<text::result<history::report>> store::find_history(history::report_query query,
                                                             sqlite::row_filter seen) {
  return net::given<text::result<history::report>>(
      [this, query = std::move(query), seen = std::move(seen)](auto give) mutable {
        find_history(std::move(query), std::move(seen), std::move(give));
      });
}

net::task<text::failure> store::reindex() {
  return net::given<text::failure>([this](auto give) { reindex(std::move(give)); });
}

}  // namespace tofud::journal
