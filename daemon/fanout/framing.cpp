#include "daemon/fanout/framing.hpp"

#include <algorithm>

namespace tofud::fanout {

void append_sse(std::string& out, std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t size = std::min(lines.find('\n'), lines.size() - 1) + 1;
    out.append("data: ").append(lines.substr(0, size)) += '\n';
    lines.remove_prefix(size);
  }
}

void append_sse_at(std::string& out, std::string_view line, std::string_view epoch,
                   feed::sequence seq) {
  out.append("id: ").append(epoch).append(":").append(std::to_string(seq)) += '\n';
  append_sse(out, line);
}

void append_sse_nowhere(std::string& out) { out += "id:\n\n"; }

}  // namespace tofud::fanout
