#include "daemon/serve/whole_stream.hpp"

#include "daemon/operations/held_memory.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/serve/answers.hpp"
#include "daemon/serve/limits.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/redact/stream_redactor.hpp"
#include "protocol/upload/naming_line.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

namespace tofud::serve {
namespace {

/// A stream on its way into the journal. It outlives its connection until what came is stored.
class stream : public std::enable_shared_from_this<stream> {
 public:
  stream(kept_streams& runs, const redact::rules& rules, stream_name name, stream_owner of,
         may_be_named first_line)
      : runs_{runs},
        ready_{std::make_shared<const redact::ready_rules>(rules)},
        redactor_{ready_},
        rules_{redact::digest(rules)},
        name_{std::move(name)},
        of_{std::move(of)},
        named_{first_line == may_be_named::no} {}

  net::task<http::response> take(std::shared_ptr<http::body> body) {
    std::string piece;
    for (;;) {
      auto reading = body->next(piece);
      const auto came = co_await std::move(reading);
      const bool is_last = came != http::body::came::piece;
      if (is_last && held_.empty() && !run_ && body->is_broken())
        co_return http::response{};  // nothing ever came
      if (held_.empty())
        held_.swap(piece);
      else
        held_ += piece;
      const auto wrong = name_from_first_line(is_last);
      if (!wrong.empty() && !body->is_broken()) co_return http::problem(400, wrong.text());
      if (!named_) continue;
      auto storing = store(is_last);
      co_await std::move(storing);
      body_.hold(held_.capacity() + redactor_.memory());
      if (is_last) break;
    }
    auto ending = end(body->is_broken());
    co_return co_await std::move(ending);
  }

  /// No more comes; `is_broken`: though there was more.
  net::task<http::response> end(bool is_broken) {
    if (!run_) co_return refusal_;
    run_->set_connected(false);
    if (run_->is_removed()) co_return was_removed(run_->id());
    // History that stopped before the end is not to look whole.
    text::failure failure;
    if (is_broken || unstored_) {
      auto finishing = run_->finish_broken();
      failure = co_await std::move(finishing);
    } else {
      auto finishing = run_->finish();
      failure = co_await std::move(finishing);
    }
    if (!failure.empty()) co_return no_room(nullptr, failure.text());
    auto loading = run_->load();
    co_await std::move(loading);
    co_return outcome();
  }

 private:
  /// Takes the first line if it names the run; `all`: no more will come. A failure if it is a
  /// wrong name.
  text::failure name_from_first_line(bool all) {
    if (named_) return {};
    const std::size_t end = held_.find('\n');
    if (end == std::string::npos && !all && held_.size() < limits::described_run_bytes) return {};
    named_ = true;
    const auto said = upload::parse_naming_line(std::string_view{held_}.substr(0, end));
    if (!said) return said.error();
    if (!*said) return {};
    name_ = {(*said)->stack, (*said)->labels, (*said)->command};
    held_.erase(0, end == std::string::npos ? end : end + 1);
    return {};
  }

  /// Stores what is held.
  net::task<bool> store(bool is_last) {
    if (!run_ && !refused_) {
      auto making = make();
      co_await std::move(making);
    }
    std::string text;
    text.swap(held_);
    if (refused_ || run_->is_removed()) co_return false;
    auto redacting = redact(std::move(text), is_last);
    std::string redacted = co_await std::move(redacting);
    if (redacted.empty()) co_return false;
    if (unstored_) {
      run_->show_only(redacted);
      co_return false;
    }
    auto storing = run_->append(std::move(redacted));
    const text::failure failure = co_await std::move(storing);
    unstored_ = !failure.empty();
    co_return !unstored_;
  }

  /// What may be stored now. A long line is redacted beside the loop.
  net::task<std::string> redact(std::string text, bool is_last) {
    std::function<std::string()> work = [self = shared_from_this(), text = std::move(text),
                                         is_last] {
      std::string redacted;
      // With a line that was begun in a piece before.
      redacted.reserve(text.size() + std::min(self->redactor_.memory(), text.size()));
      self->redactor_.feed(text, redacted);
      if (is_last) self->redactor_.finish(redacted);
      return redacted;
    };
    if (redactor_.memory() < limits::redacted_beside) co_return work();
    auto working = runs_.worker().result_of(std::move(work));
    co_return co_await std::move(working);
  }

  /// Names and labels are kept and shown as the stream is.
  std::string redacted(const std::string& text) const {
    std::string out;
    redact::line_redactor{ready_}.redact(text, out);
    return out;
  }

  /// Who sends may be an apply: it is read to its end all the same.
  void refuse(http::response with, std::string_view why) {
    refused_ = true;
    refusal_ = std::move(with);
    operations::log_error(operations::events::stream_lost, {},
                          "stream rejected, neither stored nor shown: {}", why);
  }

  net::task<bool> make() {
    if (of_.refused) {
      refuse(std::move(*of_.refused), "its sender may not send runs of that stack");
      co_return false;
    }
    const std::string no_memory = runs_.why_full();
    auto full = refuse_for_memory(no_memory);
    if (full) runs_.count_memory_limit();
    if (!full) full = refuse_one_more(runs_.live(), of_.sender, of_.sent_as);
    if (full) {
      refuse(std::move(*full), no_memory.empty() ? "too many runs are running" : no_memory);
      co_return false;
    }
    journal::run_header header;
    header.id = runs_.free_id("");
    header.rules = rules_;
    header.redacted_by = journal::redactor::daemon;
    header.stack = redacted(name_.stack);
    header.labels = name_.labels;
    header.sent_as = of_.sent_as;
    header.granted = of_.granted;
    header.verified = of_.verified;
    redaction::redact_labels(header.labels,
                             [this](const std::string& text) { return redacted(text); });
    header.command = name_.command;
    header.created_at = operations::utc_now();
    auto creating = runs_.create(std::move(header), of_.sender);
    const auto run = co_await std::move(creating);
    if (!run) {
      const std::string why = run.error().text();
      refuse(no_room(nullptr, why), why);
      co_return false;
    }
    run_ = *run;
    run_->set_connected(true);
    co_return true;
  }

  http::response outcome() const {
    http::response answer;
    answer.status = 201;
    answer.headers.push_back({"Location", "/v1/runs/" + run_->id()});
    answer.body = "{\"run\":";
    json::append_quoted(answer.body, run_->id());
    answer.body += ",\"bytes\":" + std::to_string(run_->kept_bytes()) + ",\"status\":";
    const registry::shown_run* shown = runs_.shown().find(run_->id(), access::own_user());
    json::append_quoted(
        answer.body, feed::name(shown != nullptr ? shown->view().status : feed::run_status::lost));
    answer.body += "}\n";
    return answer;
  }

  kept_streams& runs_;
  std::shared_ptr<const redact::ready_rules> ready_;
  redact::stream_redactor redactor_;
  std::string rules_;
  stream_name name_;
  stream_owner of_;
  std::string held_;                                              // not yet redacted
  operations::held_memory body_{operations::memory_for::bodies};  // of it and its unfinished line
  std::shared_ptr<ingested_run> run_;
  http::response refusal_;  // if it is `refused_`
  bool named_, refused_ = false, unstored_ = false;
};

net::task<http::response> take_all(std::shared_ptr<stream> whole,
                                   std::shared_ptr<http::body> body) {
  std::exception_ptr fault;
  try {
    auto taking = whole->take(std::move(body));
    co_return co_await std::move(taking);
  } catch (...) {
    fault = std::current_exception();
  }
  // Nobody sends the rest: it is not to look as if it went on.
  auto ending = whole->end(true);
  co_await std::move(ending);
  std::rethrow_exception(fault);
}

}  // namespace

std::unique_ptr<http::body_taker> make_whole_stream(boost::asio::io_context& io, kept_streams& runs,
                                                    const redact::rules& rules, stream_name name,
                                                    stream_owner of, may_be_named first_line) {
  const auto whole =
      std::make_shared<stream>(runs, rules, std::move(name), std::move(of), first_line);
  return http::taken_by(
      io, [whole](std::shared_ptr<http::body> body) { return take_all(whole, std::move(body)); },
      http::early_answer::at_end);
}

}  // namespace tofud::serve
