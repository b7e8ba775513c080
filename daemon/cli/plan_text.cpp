#include "daemon/cli/plan_text.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/keeper/printed_child.hpp"
#include "daemon/stack/tofu_version.hpp"
#include "daemon/terminal/plan_telling.hpp"
#include "protocol/text/sizes.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tofud::cli {
namespace {

/// Whether all of it could be read.
template <typename Take>
bool read_stream(const std::string& path, Take&& take) {
  const files::descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return false;
  std::array<char, 64 * limits::kib> room;
  for (;;) {
    const ssize_t n = ::read(file.get(), room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    take(std::string_view{room.data(), static_cast<std::size_t>(n)});
  }
}

terminal::line_sink lines_to(int fd) {
  return [fd](std::string_view line) {
    std::string text{line};
    text += '\n';
    files::write_all(fd, text);
  };
}

void ignore_line(std::string_view) {}

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != 0;
}

}  // namespace

text::result<std::unique_ptr<plan_text>> plan_text::of(const stack::shown_plan& plan,
                                                       const stack::tofu_command& command,
                                                       const std::string& program) {
  std::optional<files::memory_file> own;
  if (plan.file.empty()) {
    auto made = files::memory_file::of("");
    if (made.has_error()) return made.error();
    own = std::move(*made);
  }
  return std::unique_ptr<plan_text>{new plan_text{plan, command, program, std::move(own)}};
}

plan_text::plan_text(const stack::shown_plan& plan, const stack::tofu_command& command,
                     const std::string& program, std::optional<files::memory_file> own)
    : plan_{plan}, program_{program}, chdir_{command.chdir}, own_{std::move(own)} {}

std::string plan_text::path() const { return own_ ? own_->path_for_others() : plan_.file; }

std::vector<std::string> plan_text::flags() const {
  if (!own_) return {};
  return {"-out=" + path()};
}

void plan_text::print(const std::string& spool, int status, const keeper::original_signals& signals,
                      keeper::signal_relay& relay) noexcept try {
  // By a signal: nobody waits for more.
  if (status < 128) print_all(spool, signals, relay);
} catch (const std::exception& e) {
  failure_ = e.what();
}

void plan_text::print_all(const std::string& spool, const keeper::original_signals& signals,
                          keeper::signal_relay& relay) {
  using part = terminal::plan_telling::part;
  const auto colours = plan_.coloured ? text::ink::colours::yes : text::ink::colours::no;
  terminal::plan_telling known{part::before_plan, ignore_line, ignore_line, colours};
  known.watch([this](const feed::diagnostic_row& each) {
    if (own_ && each.detail.find(path()) != std::string::npos)
      failure_ = plan_.program + " can't write its plan where tofud reads it";
    else if (plan_.may_prompt && each.summary == "No value for required variable")
      failure_ = "a variable has no value, and " + plan_.program + " prompts for it";
  });
  if (!read_stream(spool, [&](std::string_view piece) { known.feed(piece); }))
    failure_ = "its stream could not be read back";
  known.end();
  if (!failure_.empty()) return;
  std::optional<bool> can_be_applied = false;
  if (known.has_plan()) {
    can_be_applied = show(signals, relay);
    if (!can_be_applied) return;
  }
  terminal::plan_telling behind{part::behind_plan, lines_to(STDOUT_FILENO), lines_to(STDERR_FILENO),
                                colours};
  read_stream(spool, [&](std::string_view piece) { behind.feed(piece); });
  behind.end();
  if (*can_be_applied && !is_set("TF_IN_AUTOMATION"))
    files::write_all(STDOUT_FILENO, terminal::plan_next_step(plan_.program, plan_.file, colours));
}

std::optional<bool> plan_text::show(const keeper::original_signals& signals,
                                    keeper::signal_relay& relay) {
  const files::descriptor nowhere{::open("/dev/null", O_WRONLY | O_CLOEXEC)};
  keeper::child_plan child;
  child.program = program_;
  child.argv = {program_};
  if (!chdir_.empty()) child.argv.push_back("-chdir=" + chdir_);
  child.argv.emplace_back("show");
  if (!plan_.coloured) child.argv.emplace_back("-no-color");
  child.argv.push_back(path());
  child.env = stack::quiet_environment();
  child.stderr_fd = nowhere.get();
  terminal::shown_plan_reader reader;
  const auto status = keeper::print_child(child, signals, relay, [&](std::string_view piece) {
    reader.feed(piece);
    files::write_all(STDOUT_FILENO, piece);
  });
  if (status && *status == 0) return reader.can_be_applied();
  failure_ = "`show` of its plan failed" +
             (status ? " with status " + std::to_string(*status) : std::string{});
  return std::nullopt;
}

}  // namespace tofud::cli
