#include "daemon/operations/audit_log.hpp"

#include "daemon/operations/errors.hpp"
#include "daemon/operations/limits.hpp"
#include "daemon/operations/log_event.hpp"
#include "protocol/json/quote.hpp"

#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/rotating_file_sink.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <sys/stat.h>
#include <utility>

namespace tofud::operations {
namespace {

void add_member(std::string& line, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  line.append(",\"").append(key).append("\":");
  json::append_quoted(line, text);
}

/// For the log: "ci (token) from 10.0.0.5: export, run 20261121T0312-7f3a of net/prod".
std::string in_words(const audit_entry& entry) {
  std::string text = entry.who.empty() ? "somebody" : entry.who;
  if (!entry.as.empty()) text += " (" + entry.as + ")";
  if (!entry.from.empty()) text += " from " + entry.from;
  text.append(": ").append(entry.action);
  if (!entry.request.empty()) text += " " + entry.request;
  if (!entry.run.empty()) text += ", run " + entry.run;
  if (!entry.stack.empty()) text += (entry.run.empty() ? ", stack " : " of ") + entry.stack;
  if (!entry.detail.empty()) text += ", " + entry.detail;
  return text;
}

}  // namespace

std::string to_line(const audit_entry& entry, ui::time_point at) {
  std::string line{"{\"at\":\""};
  ui::append_timestamp(line, at);
  line += '"';
  add_member(line, "action", entry.action);
  add_member(line, "who", entry.who);
  add_member(line, "as", entry.as);
  add_member(line, "from", entry.from);
  add_member(line, "run", entry.run);
  add_member(line, "stack", entry.stack);
  add_member(line, "request", entry.request);
  add_member(line, "detail", entry.detail);
  if (entry.status != 0) line += ",\"status\":" + std::to_string(entry.status);
  return line + "}";
}

text::result<std::unique_ptr<audit_log>> audit_log::open(const std::string& path, redactor redact) {
  spdlog::file_event_handlers opened;
  opened.after_open = [](const spdlog::filename_t&, std::FILE* file) {
    ::fchmod(::fileno(file), 0600);
  };
  const auto without_signals = [] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
  };
  try {
    auto sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
        path, limits::audit_bytes, limits::audit_files, false, opened);
    std::unique_ptr<audit_log> made{new audit_log{std::move(redact)}};
    made->thread_ =
        std::make_shared<spdlog::details::thread_pool>(limits::audit_waiting, 1, without_signals);
    made->to_ = std::make_shared<spdlog::async_logger>(
        "audit", std::move(sink), made->thread_, spdlog::async_overflow_policy::overrun_oldest);
    made->to_->set_pattern("%v");
    made->to_->flush_on(spdlog::level::info);
    made->to_->set_error_handler([](const std::string& why) {
      log_error(events::audit, {}, "the audit file can't be written: {}", why);
    });
    return made;
  } catch (const spdlog::spdlog_ex& refused) {
    return text::failure{error::audit_not_opened, path, refused.what()};
  }
}

audit_log::~audit_log() = default;

bool audit_log::is_one_too_many(const audit_entry& entry, ui::time_point at) {
  if (at - second_ >= std::chrono::seconds{1}) {
    second_ = at;
    refusals_ = 0;
  }
  const bool is_strangers = entry.action == "refuse" && entry.who.empty();
  if (!is_strangers || ++refusals_ <= limits::audit_refusals) return false;
  ++left_out_;
  return true;
}

void audit_log::add(const audit_entry& entry, ui::time_point at) {
  if (is_one_too_many(entry, at)) return;
  if (const auto left_out = std::exchange(left_out_, 0); left_out > 0) {
    audit_entry more;
    more.action = "refuse";
    more.detail = std::to_string(left_out) + " more, of nobody who is known";
    write(more, at);
  }
  write(entry, at);
}

void audit_log::write(const audit_entry& entry, ui::time_point at) {
  const std::string line = redact_(to_line(entry, at));
  to_->log(spdlog::level::info, spdlog::string_view_t{line});
  if (const auto lost = thread_->overrun_counter(); lost > lost_) {
    log_error(events::audit, {}, "{} lines of the audit file are lost: the disk is too slow",
              lost - lost_);
    lost_ = lost;
  }
  log_info(events::audit, {entry.run, entry.from}, "{}", in_words(entry));
}

}  // namespace tofud::operations
