#include "daemon/operations/log_sink.hpp"

#include "daemon/operations/limits.hpp"
#include "daemon/operations/systemd_library.hpp"

#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::operations {
namespace {

/// A pipe that nobody reads must not hold up the loop.
bool write_soon(std::string_view bytes) {
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  const auto most = static_cast<int>(limits::log_patience.count());
  if (::poll(&ready, 1, most) != 1 || (ready.revents & POLLOUT) == 0) return false;
  return ::write(STDERR_FILENO, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

bool write_journal(const log_line& line) {
  const auto* library = systemd();
  if (library == nullptr) return write_soon(as_text(line));
  std::vector<std::string> fields = as_journal_fields(line);
  std::vector<iovec> parts;
  parts.reserve(fields.size());
  for (std::string& field : fields) parts.push_back({field.data(), field.size()});
  return library->journal_sendv(parts.data(), static_cast<int>(parts.size())) == 0;
}

log_sink::writer writer_of(log_format format) {
  switch (format) {
    case log_format::json:
      return [](const log_line& line) { return write_soon(as_json(line)); };
    case log_format::journal:
      return write_journal;
    case log_format::text:
      break;
  }
  return [](const log_line& line) { return write_soon(as_text(line)); };
}

}  // namespace

log_sink::log_sink(writer to, std::function<std::string(std::string_view)> redact,
                   std::function<clock::time_point()> now)
    : to_{std::move(to)}, redact_{std::move(redact)}, now_{std::move(now)} {}

void log_sink::sink_it_(const spdlog::details::log_msg& said) {
  const log_context& about = current_log_context;
  kind_state& kind = kinds_[about.kind->name];
  kind.kind = *about.kind;
  const auto now = now_();
  if (kind.window == clock::time_point{} || now - kind.window >= limits::log_window) {
    kind.window = now;
    kind.written = 0;
  }
  log_line line;
  line.at = said.time;
  line.level = said.level;
  line.kind = kind.kind;
  line.left_out = kind.left_out;
  const auto leave_out = [&] {
    ++kind.left_out;
    ++left_out_;
    kind.worst = std::max(kind.worst, said.level);
  };
  if (kind.written >= limits::log_lines) return leave_out();
  const std::string text = redact_({said.payload.data(), said.payload.size()});
  const std::string run = redact_(about.about.run);
  const std::string peer = redact_(about.about.peer);
  line.text = std::string_view{text}.substr(0, limits::log_line_bytes);
  line.run = run;
  line.peer = peer;
  if (!to_(line)) return leave_out();
  ++kind.written;
  kind.left_out = 0;
  kind.worst = spdlog::level::debug;
}

void log_sink::redact_with(std::function<std::string(std::string_view)> redact) {
  const std::lock_guard held{mutex_};
  redact_ = std::move(redact);
}

void log_sink::tell_left_out() {
  const std::lock_guard held{mutex_};
  for (auto& [name, kind] : kinds_) {
    if (kind.left_out == 0 || now_() - kind.window < limits::log_window) continue;
    log_line line;
    line.at = std::chrono::system_clock::now();
    line.level = kind.worst;
    line.kind = kind.kind;
    const std::string text =
        std::to_string(kind.left_out) + " lines about " + std::string{name} + " were left out";
    line.text = text;
    if (to_(line)) kind.left_out = 0;
  }
}

std::uint64_t log_sink::left_out() const {
  auto& mutex = const_cast<std::mutex&>(mutex_);  // spdlog's is not mutable
  const std::lock_guard held{mutex};
  return left_out_;
}

std::shared_ptr<log_sink> begin_log(const log_options& options) {
  auto sink = std::make_shared<log_sink>(writer_of(options.format), options.redact);
  auto logger = std::make_shared<spdlog::logger>("tofud", sink);
  logger->set_level(options.level);
  spdlog::set_default_logger(std::move(logger));
  return sink;
}

}  // namespace tofud::operations
