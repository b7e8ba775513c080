// Who did what with this daemon: a line of JSON each, in a file that only grows until it is put
// aside. docs/access.md describes the members.
#pragma once

#include "protocol/text/failure.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace spdlog {
class async_logger;
namespace details {
class thread_pool;
}
}  // namespace spdlog

namespace tofud::operations {

/// What is empty is not said.
struct audit_entry {
  std::string_view action;  // "watch", "export", "refuse", …
  std::string who, as;      // a name, and how it is known: "token", "login", "proxy", "owner", …
  std::string from;         // an address, or "uid 1000"
  std::string run, stack;
  std::string request;  // of what was refused: method and path
  std::string detail;
  int status = 0;  // of HTTP; 0: it was no request
};

/// Without the newline.
std::string to_line(const audit_entry& entry, ui::time_point at);

/// Writes each line at once, on a thread of its own: a disk that hangs does not hold the loop.
/// Beyond limits::audit_waiting lines that wait for it the oldest are lost, which the log says.
/// Beyond limits::audit_bytes the file gets a number and a new one begins; limits::audit_files of
/// them stay. What strangers are refused is counted beyond
/// limits::audit_refusals a second, so that nobody writes the rest away.
class audit_log {
 public:
  using redactor = std::function<std::string(std::string_view)>;

  /// The file is made, 0600, if it is not there. The failure says why it can't be written.
  static text::result<std::unique_ptr<audit_log>> open(const std::string& path, redactor redact);
  /// Writes what waits.
  /// Writes what waits.
  ~audit_log();
  audit_log(const audit_log&) = delete;
  audit_log& operator=(const audit_log&) = delete;

  void redact_with(redactor redact) { redact_ = std::move(redact); }
  /// Says it in the log as well. A disk that refuses is said there.
  void add(const audit_entry& entry, ui::time_point at);

 private:
  explicit audit_log(redactor redact) : redact_{std::move(redact)} {}
  void write(const audit_entry& entry, ui::time_point at);
  bool is_one_too_many(const audit_entry& entry, ui::time_point at);

  std::shared_ptr<spdlog::details::thread_pool> thread_;
  std::shared_ptr<spdlog::async_logger> to_;
  redactor redact_;
  ui::time_point second_{};
  std::uint64_t refusals_ = 0, left_out_ = 0;
  std::size_t lost_ = 0;  // lines that waited too long
};

}  // namespace tofud::operations
