#include "daemon/cli/mcp.hpp"

#include "daemon/cli/mcp_tools.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/mcp/limits.hpp"
#include "daemon/operations/version.hpp"

#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

/// A line each, until the client closes its end.
int run_mcp(const mcp_place& place) {
  const mcp::server server{operations::version, mcp_tools(place)};
  std::string waiting;
  bool is_long = false;  // what comes is the rest of a line that was refused
  std::array<char, limits::kib * 16> room;
  for (;;) {
    const ssize_t n = ::read(STDIN_FILENO, room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    waiting.append(room.data(), static_cast<std::size_t>(n));
    for (auto end = waiting.find('\n'); end != waiting.npos; end = waiting.find('\n')) {
      const std::string line = waiting.substr(0, end);
      waiting.erase(0, end + 1);
      if (std::exchange(is_long, false)) continue;
      std::string answer = line.size() > limits::mcp_request_bytes ? mcp::answer_to_long_line()
                                                                   : server.answer(line);
      if (answer.empty()) continue;
      if (!files::write_all(STDOUT_FILENO, answer + "\n")) return 1;
    }
    if (waiting.size() <= limits::mcp_request_bytes) continue;
    waiting.clear();
    if (std::exchange(is_long, true)) continue;
    if (!files::write_all(STDOUT_FILENO, mcp::answer_to_long_line() + "\n")) return 1;
  }
}

}  // namespace

void add_mcp(command& line) {
  auto given = std::make_shared<mcp_place>();
  command& words = line.add_command(
      "mcp",
      "Answer agents about runs, over the Model Context Protocol on standard input and output");
  add_state_dir(words, given->state_dir);
  add_server_arguments(words, given->server, given->no_server, given->token_file);
  words
      .add_option("--mask-file", given->mask_file,
                  "File with more values to redact, one on each line")
      .value("FILE")
      .variable("TOFUD_MASK_FILE");
  words.footer("It changes nothing. What it answers is redacted as exported documents are.");
  words.run = [given] { return run_mcp(*given); };
}

}  // namespace tofud::cli
