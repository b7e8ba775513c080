#include "daemon/serve/patch_body.hpp"

#include "daemon/files/limits.hpp"
#include "daemon/serve/answers.hpp"
#include "protocol/upload/placement.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tofud::serve {
namespace {

using answering = std::function<void(http::response)>;

/// The first byte, counted from `from`, in which the journal differs; nothing if it has the same.
std::optional<std::uint64_t> difference(const ingested_run& run, std::uint64_t from,
                                        std::string_view bytes) {
  const files::stream_bytes read = run.reader();
  std::vector<char> room(std::min<std::size_t>(bytes.size(), limits::read_bytes));
  while (!bytes.empty()) {
    const std::size_t count = read(from, {room.data(), std::min(room.size(), bytes.size())});
    const auto apart = std::mismatch(room.begin(), room.begin() + static_cast<long>(count),
                                     bytes.begin(), bytes.end());
    const auto equal = static_cast<std::size_t>(apart.first - room.begin());
    if (equal < count || count == 0) return from + equal;
    from += count;
    bytes.remove_prefix(count);
  }
  return std::nullopt;
}

/// Gives back the right to add to the run when the last who needs it lets go.
struct patch {
  patch(std::shared_ptr<ingested_run> adds_to, std::uint64_t at, bool ends)
      : run{std::move(adds_to)}, offset{at}, completes{ends} {}
  ~patch() {
    if (alone) run->leave();
  }
  patch(const patch&) = delete;
  patch& operator=(const patch&) = delete;

  std::shared_ptr<ingested_run> run;
  std::uint64_t offset;
  bool completes;
  std::string bytes;
  bool alone = false;
};

/// Calls `go` when nobody else adds to the run, or with why that takes too long.
void when_alone(const std::shared_ptr<patch>& wanted,
                std::function<void(std::optional<http::response>)> go) {
  if (wanted->alone) return go(std::nullopt);
  wanted->run->enter([wanted, go = std::move(go)](bool alone) {
    wanted->alone = alone;
    if (alone) return go(std::nullopt);
    go(conflict("busy", "another request adds to the run", wanted->run.get()));
  });
}

void complete(const std::shared_ptr<patch>& stored, const answering& answer) {
  if (!stored->completes) return answer(acknowledged(*stored->run));
  stored->run->finish([stored, answer](const std::string& failure) {
    const auto& run = *stored->run;
    answer(failure.empty() ? acknowledged(run) : no_room(&run, failure));
  });
}

void store(const std::shared_ptr<patch>& whole, const answering& answer) {
  ingested_run& run = *whole->run;
  if (run.is_removed()) return answer(was_removed(run.id()));
  const auto where = upload::place(run.state(), whole->offset, whole->bytes.size());
  if (where.what == upload::verdict::gap) {
    return answer(conflict("gap", "bytes before these are missing", &run));
  }
  run.heard();
  const std::string_view bytes{whole->bytes};
  if (const auto at = difference(run, whole->offset, bytes.substr(0, where.known))) {
    return answer(conflict("diverged", "the journal has other bytes there", &run, at));
  }
  if (where.what == upload::verdict::complete) {
    return answer(conflict("complete", "the stream is complete", &run));
  }
  whole->bytes.erase(0, where.known);
  if (whole->bytes.empty()) return complete(whole, answer);
  run.append(std::move(whole->bytes), [whole, answer](const std::string& failure) {
    if (!failure.empty()) return answer(no_room(whole->run.get(), failure));
    complete(whole, answer);
  });
}

class patch_body : public http::body_taker {
 public:
  explicit patch_body(std::shared_ptr<patch> taken) : patch_{std::move(taken)} {}

  void take(std::string bytes, std::function<void(std::optional<http::response>)> next) override {
    patch_->bytes.append(bytes);
    when_alone(patch_, std::move(next));
  }

  void end(answering answer) override {
    when_alone(patch_,
               [whole = patch_, answer = std::move(answer)](std::optional<http::response> refusal) {
                 if (refusal) return answer(std::move(*refusal));
                 store(whole, answer);
               });
  }

 private:
  std::shared_ptr<patch> patch_;
};

}  // namespace

std::unique_ptr<http::body_taker> make_patch_body(std::shared_ptr<ingested_run> run,
                                                  std::uint64_t offset, bool completes) {
  return std::make_unique<patch_body>(std::make_shared<patch>(std::move(run), offset, completes));
}

}  // namespace tofud::serve
