#include "daemon/http/message/body_framing.hpp"

#include "protocol/text/whole_number.hpp"

#include <algorithm>
#include <limits>

namespace tofud::http {
namespace {

std::string_view last_element(std::string_view list) {
  const auto comma = list.rfind(',');
  if (comma != std::string_view::npos) list.remove_prefix(comma + 1);
  const auto first = list.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return list.substr(first, list.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::variant<body_framing, response> framing_of(const request& asked) {
  const auto codings = asked.count("transfer-encoding");
  const auto lengths = asked.count("content-length");
  body_framing found;
  if (codings > 0) {
    if (lengths > 0)
      return problem(400, "Transfer-Encoding and Content-Length: send only one of them");
    if (asked.version == http_version::v1_0) {
      return problem(400, "Transfer-Encoding: not allowed in HTTP/1.0");
    }
    const std::string all = asked.joined("transfer-encoding");
    if (!equal_without_case(last_element(all), "chunked")) {
      return problem(400, "Transfer-Encoding: the last coding of a request must be chunked");
    }
    if (!equal_without_case(all, "chunked")) {
      return problem(501, "Transfer-Encoding: only chunked is supported");
    }
    found.by = body_framing::kind::chunked;
    return found;
  }
  if (lengths == 0) return found;
  const auto length = text::parse_whole_number<std::uint64_t>(asked.first("content-length"));
  if (lengths > 1 || !length) return problem(400, "Content-Length: must be one number");
  found.by = body_framing::kind::length;
  found.length = *length;
  return found;
}

body_cutter::body_cutter(const body_framing& framing, std::uint64_t most_bytes)
    : by_{framing.by}, left_{most_bytes}, chunks_{most_bytes} {
  if (by_ == body_framing::kind::none) left_ = 0;
  if (by_ != body_framing::kind::length) return;
  too_long_ = framing.length > most_bytes;
  left_ = framing.length;
}

std::size_t body_cutter::feed(std::string_view bytes, std::string& out) {
  if (now() != chunked_decoder::state::more) return 0;
  if (by_ == body_framing::kind::chunked) return chunks_.feed(bytes, out);
  if (by_ == body_framing::kind::raw && bytes.size() > left_) {
    too_long_ = true;
    return 0;
  }
  const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  out.append(bytes.substr(0, piece));
  left_ -= piece;
  return piece;
}

chunked_decoder::state body_cutter::now() const {
  using state = chunked_decoder::state;
  if (too_long_) return state::too_long;
  if (by_ == body_framing::kind::chunked) return chunks_.now();
  if (by_ == body_framing::kind::raw) return state::more;
  return left_ == 0 ? state::done : state::more;
}

std::uint64_t body_cutter::wanted() const {
  if (by_ == body_framing::kind::length || by_ == body_framing::kind::none) return left_;
  return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace tofud::http
