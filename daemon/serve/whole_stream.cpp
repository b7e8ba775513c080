#include "daemon/serve/whole_stream.hpp"

#include "daemon/operations/log_event.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/answers.hpp"
#include "daemon/serve/limits.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/redact/stream_redactor.hpp"
#include "protocol/upload/naming_line.hpp"

#include <functional>
#include <utility>

namespace tofud::serve {
namespace {

using answering = std::function<void(http::response)>;
using then = std::function<void()>;

/// Outlives its connection until what came is stored.
class stream : public std::enable_shared_from_this<stream> {
 public:
  stream(run_registry& runs, const redact::rules& rules, stream_name name, std::string sender,
         may_be_named first_line)
      : runs_{runs},
        ready_{std::make_shared<const redact::ready_rules>(rules)},
        redactor_{ready_},
        rules_{redact::digest(rules)},
        name_{std::move(name)},
        sender_{std::move(sender)},
        named_{first_line == may_be_named::no} {}

  /// `next` is called when these bytes are stored, with a sentence if their name is wrong.
  void take(std::string_view bytes, const std::function<void(std::string)>& next) {
    held_.append(bytes);
    if (std::string wrong = name_from_first_line(false); !wrong.empty()) return next(wrong);
    if (!named_) return next("");
    store([next] { next(""); });
  }

  void end(const answering& answer) {
    if (std::string wrong = name_from_first_line(true); !wrong.empty()) {
      return answer(http::problem(400, wrong));
    }
    last_ = true;
    store([self = shared_from_this(), answer] {
      if (!self->run_) return answer(self->refusal_);
      self->run_->set_connected(false);
      if (self->run_->is_removed()) return answer(was_removed(self->run_->id()));
      const auto stored = [self, answer](const std::string& failure) {
        if (!failure.empty()) return answer(no_room(nullptr, failure));
        self->run_->load([self, answer] { answer(self->outcome()); });
      };
      // History that stopped before the end is not to look whole.
      if (self->unstored_) return self->run_->finish_broken(stored);
      self->run_->finish(stored);
    });
  }

  void broken() {
    if (held_.empty() && !run_ && !begun_) return;  // nothing ever came
    name_from_first_line(true);
    last_ = true;
    store([self = shared_from_this()] {
      if (!self->run_ || self->run_->is_removed()) return;
      self->run_->set_connected(false);
      self->run_->finish_broken([](const std::string&) {});
    });
  }

 private:
  /// Takes the first line if it names the run; `all`: no more will come. A sentence if it is a
  /// wrong name.
  std::string name_from_first_line(bool all) {
    if (named_) return "";
    const std::size_t end = held_.find('\n');
    if (end == std::string::npos && !all && held_.size() < limits::described_run_bytes) return "";
    named_ = true;
    const auto said = upload::parse_naming_line(std::string_view{held_}.substr(0, end));
    if (!said) return said.error();
    if (!*said) return "";
    name_ = {(*said)->stack, (*said)->labels, (*said)->command};
    held_.erase(0, end == std::string::npos ? end : end + 1);
    return "";
  }

  void store(const then& done) {
    if (refused_ || (run_ && run_->is_removed())) {
      held_.clear();
      return done();
    }
    if (!run_) return make([self = shared_from_this(), done] { self->store(done); });
    std::string redacted;
    redactor_.feed(held_, redacted);
    held_.clear();
    if (std::exchange(last_, false)) redactor_.finish(redacted);
    if (redacted.empty()) return done();
    if (unstored_) {
      run_->show_only(redacted);
      return done();
    }
    run_->append(std::move(redacted),
                 [self = shared_from_this(), done](const std::string& failure) {
                   if (!failure.empty()) self->unstored_ = true;
                   done();
                 });
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
                          "a stream is neither kept nor shown: {}", why);
  }

  void make(const then& done) {
    begun_ = true;
    const std::string no_memory = runs_.why_full();
    auto full = refuse_for_memory(no_memory);
    if (!full) full = refuse_one_more(runs_.live(), sender_);
    if (full) {
      refuse(std::move(*full), no_memory.empty() ? "too many runs go on" : no_memory);
      return done();
    }
    journal::run_header header;
    header.id = runs_.free_id("");
    header.rules = rules_;
    header.redacted_by = journal::redactor::daemon;
    header.stack = redacted(name_.stack);
    header.labels = name_.labels;
    for (feed::label& label : header.labels) {
      label.key = redacted(label.key);
      label.value = redacted(label.value);
    }
    header.command = name_.command;
    header.created_at = operations::utc_now();
    runs_.create(std::move(header), sender_,
                 [self = shared_from_this(), done](const std::shared_ptr<ingested_run>& run,
                                                   const std::string& failure) {
                   self->run_ = run;
                   if (run) {
                     run->set_connected(true);
                   } else {
                     self->refuse(no_room(nullptr, failure), failure);
                   }
                   done();
                 });
  }

  http::response outcome() const {
    http::response answer;
    answer.status = 201;
    answer.headers.push_back({"Location", "/v1/runs/" + run_->id()});
    answer.body = "{\"run\":";
    json::append_quoted(answer.body, run_->id());
    answer.body += ",\"bytes\":" + std::to_string(run_->bytes()) + ",\"status\":";
    const shown_run* shown = runs_.shown(run_->id());
    json::append_quoted(
        answer.body, feed::name(shown != nullptr ? shown->view().status : feed::run_status::lost));
    answer.body += "}\n";
    return answer;
  }

  run_registry& runs_;
  std::shared_ptr<const redact::ready_rules> ready_;
  redact::stream_redactor redactor_;
  std::string rules_;
  stream_name name_;
  std::string sender_;
  std::string held_;  // not yet redacted
  std::shared_ptr<ingested_run> run_;
  http::response refusal_;  // if it is `refused_`
  bool named_, begun_ = false, refused_ = false, unstored_ = false, last_ = false;
};

class whole_stream : public http::body_taker {
 public:
  explicit whole_stream(std::shared_ptr<stream> taken) : stream_{std::move(taken)} {}

  void take(std::string bytes, std::function<void(std::optional<http::response>)> next) override {
    stream_->take(bytes, [next = std::move(next)](const std::string& wrong) {
      if (wrong.empty()) return next(std::nullopt);
      next(http::problem(400, wrong));
    });
  }
  void end(answering answer) override { stream_->end(answer); }
  void broken() noexcept override {
    try {
      stream_->broken();
    } catch (const std::exception& e) {
      operations::log_error(operations::events::stream_lost, {}, "a stream broke off: {}",
                            e.what());
    }
  }

 private:
  std::shared_ptr<stream> stream_;
};

}  // namespace

std::unique_ptr<http::body_taker> make_whole_stream(run_registry& runs, const redact::rules& rules,
                                                    stream_name name, std::string sender,
                                                    may_be_named first_line) {
  return std::make_unique<whole_stream>(
      std::make_shared<stream>(runs, rules, std::move(name), std::move(sender), first_line));
}

}  // namespace tofud::serve
