#include "daemon/serve/upload_routes.hpp"

#include "daemon/access/secret.hpp"
#include "daemon/net/limits.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/answers.hpp"
#include "daemon/serve/claim.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/serve/patch_body.hpp"
#include "protocol/events/event.hpp"
#include "protocol/text/sha256.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/upload/answer.hpp"
#include "protocol/upload/create_request.hpp"
#include "protocol/upload/limits.hpp"
#include "protocol/upload/placement.hpp"

#include <memory>
#include <utility>

namespace tofud::serve {
namespace {

using answering = std::function<void(http::response)>;

class uploads {
 public:
  uploads(run_registry& runs, sender_finder sender,
          std::function<std::string(const std::string&)> page)
      : runs_{runs}, sender_{std::move(sender)}, page_{std::move(page)} {}

  void create(const http::request& asked, const std::string& body, const answering& answer) const {
    create(sender_(asked), body, answer);
  }

  void create(const std::string& sender, const std::string& body, const answering& answer) const {
    if (runs_.is_draining()) return answer(restarting());
    auto wanted = upload::parse_create_request(body);
    if (!wanted) return answer(http::problem(400, wanted.error()));
    const std::string secret = text::sha256_hex(wanted->upload_secret);
    if (const auto known = runs_.by_upload(wanted->upload_id)) {
      if (!access::same_secret(secret, known->header().secret_hash)) {
        return answer(conflict("conflict", "that upload_id has another upload_secret"));
      }
      if (wanted->rules != known->header().rules) {
        return answer(conflict("conflict", "that upload_id has other redaction rules"));
      }
      runs_.sent_by(*known, sender);
      known->heard();
      return answer(described(*known, 200));
    }
    if (runs_.was_removed(wanted->upload_id)) return answer(was_removed(wanted->id));
    // Another request is making it: then this one finds it made.
    const auto again = [this, sender, body, answer] { create(sender, body, answer); };
    if (runs_.wait_for_making(wanted->upload_id, again)) return;
    if (auto full = refuse_for_memory(runs_.why_full())) return answer(std::move(*full));
    if (auto full = refuse_one_more(runs_.live(), sender)) return answer(std::move(*full));
    journal::run_header header;
    header.id = runs_.free_id(wanted->id);
    header.upload_id = wanted->upload_id;
    header.secret_hash = secret;
    header.rules = wanted->rules;
    header.redacted_by = journal::redactor::forwarder;
    header.stack = wanted->stack;
    header.labels = wanted->labels;
    header.command = wanted->command;
    header.may_ask = wanted->may_ask;
    header.started_at = wanted->started_at;
    header.created_at = operations::utc_now();
    runs_.create(
        std::move(header), sender,
        [this, answer](const std::shared_ptr<ingested_run>& run, const std::string& failure) {
          answer(run ? described(*run, 201) : no_room(nullptr, failure));
        });
  }

  http::response head(const http::request& asked) const {
    const auto [run, refusal] = claim_of(runs_, asked, sender_);
    if (!run) return refusal;
    run->heard();
    auto answer = acknowledged(*run);
    answer.status = 200;
    answer.headers.push_back({"Cache-Control", "no-store"});
    return answer;
  }

  std::variant<http::response, std::unique_ptr<http::body_taker>> patch(
      const http::request& asked) const {
    if (runs_.is_draining()) return restarting();
    auto [run, refusal] = claim_of(runs_, asked, sender_);
    if (!run) return refusal;
    const auto offset = text::parse_whole_number<std::uint64_t>(asked.first("upload-offset"));
    if (!offset || asked.count("upload-offset") != 1) {
      return http::problem(400, "Upload-Offset is missing, or no count of bytes");
    }
    const auto complete = asked.first("upload-complete");
    if (!complete.empty() && complete != "?1" && complete != "?0") {
      return http::problem(400, "Upload-Complete is neither ?1 nor ?0");
    }
    return make_patch_body(std::move(run), *offset, complete == "?1");
  }

  void event(const http::request& asked, const std::string& body, const answering& answer) const {
    if (runs_.is_draining()) return answer(restarting());
    const auto [run, refusal] = claim_of(runs_, asked, sender_);
    if (!run) return answer(refusal);
    const auto n = text::parse_whole_number<std::uint64_t>(asked.captures[1]);
    if (!n || *n == 0) return answer(http::problem(400, "events are numbered from 1 on"));
    const auto said = events::parse(body);
    if (!said) return answer(http::problem(400, said.error()));
    if (std::holds_alternative<events::broken>(said->what)) {
      return answer(http::problem(400, "event broken is the daemon's own"));
    }
    if (std::holds_alternative<events::attachment>(said->what)) {
      return answer(http::problem(400, "attach with PUT /v1/runs/ID/attachments/PART"));
    }
    run->enter([this, run = run, n = *n, body, offset = said->offset, answer](bool alone) {
      if (!alone) return answer(conflict("busy", "another request adds to the run", run.get()));
      add_event(run, n, body, offset, [run, answer](http::response response) {
        run->leave();
        answer(std::move(response));
      });
    });
  }

 private:
  http::response described(const ingested_run& run, int status) const {
    http::response answer;
    answer.status = status;
    answer.body = upload::to_json(
        {run.id(), page_(run.id()), run.bytes(), limits::patch_bytes, limits::keep_alive});
    answer.headers.push_back({"Location", "/v1/runs/" + run.id()});
    return answer;
  }

  void add_event(const std::shared_ptr<ingested_run>& run, std::uint64_t n, const std::string& body,
                 std::uint64_t offset, const answering& answer) const {
    if (run->is_removed()) return answer(was_removed(run->id()));
    const auto& events = run->events();
    const std::string line = journal::as_line(body);
    if (n <= events.size()) {
      run->heard();
      if (events[n - 1].json == line) return answer(acknowledged(*run));
      return answer(conflict("event", "event " + std::to_string(n) + " is another one", run.get()));
    }
    if (run->complete()) {
      return answer(conflict("complete", "the stream is complete", run.get()));
    }
    if (n > events.size() + 1) {
      return answer(conflict(
          "order", "event " + std::to_string(events.size() + 1) + " is the next one", run.get()));
    }
    if (!events.empty() && offset < events.back().offset) {
      return answer(
          conflict("order", "its offset is before that of the event before it", run.get()));
    }
    if (n > limits::events_per_run) {
      runs_.count_events_limit();
      return answer(http::problem(
          413, "a run has at most " + std::to_string(limits::events_per_run) + " events"));
    }
    run->add_event({n, offset, line}, [run, answer](const std::string& failure) {
      answer(failure.empty() ? acknowledged(*run) : no_room(run.get(), failure));
    });
  }

  run_registry& runs_;
  sender_finder sender_;
  std::function<std::string(const std::string&)> page_;
};

}  // namespace

void add_upload_routes(http::router& routes, run_registry& runs, sender_finder sender,
                       std::function<std::string(const std::string&)> page) {
  const auto all = std::make_shared<uploads>(runs, std::move(sender), std::move(page));
  routes.take_whole("POST", "/v1/runs", limits::described_run_bytes,
                    [all](const http::request& asked, const std::string& body,
                          const answering& answer) { all->create(asked, body, answer); });
  routes.answer_later(
      "HEAD", "/v1/runs/*/lines",
      [all](const http::request& asked, const answering& answer) { answer(all->head(asked)); });
  routes.take("PATCH", "/v1/runs/*/lines",
              {limits::patch_bytes, limits::patch_stalled_after, limits::body_time},
              [all](const http::request& asked) { return all->patch(asked); });
  routes.take_whole("PUT", "/v1/runs/*/events/*", limits::described_run_bytes,
                    [all](const http::request& asked, const std::string& body,
                          const answering& answer) { all->event(asked, body, answer); });
}

}  // namespace tofud::serve
