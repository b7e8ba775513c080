// What an ingested_run takes from the log that several daemons share.
#include "daemon/attachments/files.hpp"
#include "daemon/cluster/errors.hpp"
#include "daemon/cluster/limits.hpp"
#include "daemon/serve/ingested_run.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tofud::serve {

net::task<text::failure> ingested_run::take(cluster::record what) {
  const auto self = shared_from_this();
  switch (what.what) {
    case cluster::record::kind::open:
      break;
    case cluster::record::kind::bytes: {
      auto taking = take_bytes(std::move(what));
      co_return co_await std::move(taking);
    }
    case cluster::record::kind::document: {
      auto taking = take_document(std::move(what));
      co_return co_await std::move(taking);
    }
    case cluster::record::kind::event: {
      if (what.n <= kept_.events.size()) break;
      auto storing = store(kept_in_.here, {what.n, what.offset, std::move(what.data)});
      co_return co_await std::move(storing);
    }
    case cluster::record::kind::end: {
      if (kept_.complete) break;
      auto storing = kept_in_.here.complete(id(), what.at);
      text::failure failure = co_await std::move(storing);
      if (!failure.empty()) co_return failure;
      kept_.complete = true;
      pump();
      break;
    }
  }
  co_return text::failure{};
}

void ingested_run::become_stub() {
  kept_.bytes = 0;
  kept_.complete = kept_.compressed = false;
  kept_.events.clear();
  parsed_events_.clear();
  document_.clear();
  read_parts_.clear();
}

/// What is here already has to be the same.
net::task<text::failure> ingested_run::take_bytes(cluster::record what) {
  const std::uint64_t known = std::min<std::uint64_t>(
      kept_.bytes > what.offset ? kept_.bytes - what.offset : 0, what.data.size());
  if (known > 0) {
    std::string here(known, '\0');
    const auto read = reader();
    std::size_t count = 0;
    while (count < known) {
      const std::size_t more = read(what.offset + count, {here.data() + count, known - count});
      if (more == 0) break;
      count += more;
    }
    if (count < known || what.data.compare(0, known, here) != 0)
      co_return text::failure{cluster::error::diverged, id(), what.offset};
  }
  if (known == what.data.size()) co_return text::failure{};
  auto storing = store(kept_in_.here, what.data.substr(known), what.at);
  co_return co_await std::move(storing);
}

net::task<text::failure> ingested_run::take_document(cluster::record piece) {
  std::optional<feed::attachment> of;
  for (const auto part :
       {feed::attachment::plan, feed::attachment::schemas, feed::attachment::config}) {
    if (attachments::file_name(part) == piece.name) of = part;
  }
  if (piece.n == 1) document_.clear();
  const bool is_large = document_.size() + piece.data.size() > limits::shared_document_bytes;
  if (!of || is_large) co_return text::failure{};  // nobody of us has written it
  document_ += piece.data;
  if (piece.n < piece.pieces) co_return text::failure{};
  const operations::held_memory held{operations::memory_for::bodies, document_.capacity()};
  std::function<text::failure()> writing = [&to = kept_in_.here, id = id(), name = piece.name,
                                            text = std::exchange(document_, {})] {
    return to.write_attachment(id, name, text);
  };
  auto write = beside_.reads.result_of(std::move(writing));
  if (auto failed = co_await std::move(write); !failed.empty()) co_return failed;
  std::vector<std::string> names{piece.name};
  auto keeping = kept_in_.here.keep_attachments(id(), std::move(names));
  if (auto failed = co_await std::move(keeping); !failed.empty()) co_return failed;
  std::vector<feed::attachment> parts{*of};
  auto reading = read_parts(std::move(parts));
  co_await std::move(reading);
  // Masked by what was attached since.
  if (*of == feed::attachment::plan) plan_was_replaced();
  co_return text::failure{};
}

}  // namespace tofud::serve
