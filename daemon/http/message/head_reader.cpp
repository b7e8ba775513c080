#include "daemon/http/message/head_reader.hpp"

#include "daemon/http/message/limits.hpp"
#include "daemon/http/message/upgrade_head.hpp"

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/none.hpp>

#include <algorithm>
#include <utility>

namespace tofud::http {
namespace {

namespace beast_http = boost::beast::http;

/// Browsers send about twenty.
constexpr std::size_t most_headers = 100;

/// Splits the target. Absolute form (`http://host/path`) is for proxies, but a server must take it;
/// its host must be the one of the Host header, which is checked later.
bool split_target(request& head) {
  std::string_view target{head.target};
  if (target.find('#') != std::string_view::npos) return false;  // fragments are not sent
  const auto scheme = std::min(target.find("://"), target.size());
  if (equal_without_case(target.substr(0, scheme), "http") ||
      equal_without_case(target.substr(0, scheme), "https")) {
    target.remove_prefix(std::min(scheme + 3, target.size()));
    const auto end = std::min(target.find_first_of("/?"), target.size());
    const std::string authority{target.substr(0, end)};
    if (head.count("host") == 1) {
      for (auto& field : head.headers) {
        if (field.name == "host" && !equal_without_case(field.value, authority)) return false;
      }
    }
    target.remove_prefix(end);
    if (target.empty()) target = "/";
  }
  if (!target.starts_with('/')) return head.method == "OPTIONS" && target == "*";
  const auto query = std::min(target.find('?'), target.size());
  head.path = target.substr(0, query);
  head.query = target.substr(std::min(query + 1, target.size()));
  return true;
}

}  // namespace

head_reader::head_reader(std::size_t most_bytes) : most_bytes_{most_bytes} {}
head_reader::~head_reader() = default;

head_reader::state head_reader::refuse(int status, std::string_view message) {
  error_ = {status, std::string{message}};
  return state::bad;
}

/// As soon as it is there, so that who speaks another protocol is told at once.
std::optional<head_reader::state> head_reader::judge_first_line() {
  if (first_line_judged_) return std::nullopt;
  const auto end = bytes_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string_view line{bytes_.data(), end};
  if (!line.ends_with('\r')) return refuse(400, "the request line does not end in CR LF");
  line.remove_suffix(1);
  const auto space = line.rfind(' ');
  const auto version =
      space == std::string_view::npos ? std::string_view{} : line.substr(space + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    if (version.starts_with("HTTP/")) return refuse(505, "this server speaks HTTP/1.1");
    return refuse(400, "the request line has no HTTP version");
  }
  first_line_judged_ = true;
  return std::nullopt;
}

head_reader::state head_reader::feed(std::string_view bytes) {
  const std::size_t seen = bytes_.size();
  bytes_.append(bytes);
  // An empty line before a request is to be ignored (RFC 9112, 2.2).
  if (!first_line_judged_) {
    std::size_t blank = 0;
    while (bytes_.compare(blank, 2, "\r\n") == 0) {
      blank += 2;
      if (++blank_lines_ > limits::blank_lines)
        return refuse(400, "there are too many empty lines before the request");
    }
    bytes_.erase(0, blank);
  }
  if (const auto judged = judge_first_line()) return *judged;

  const auto found = bytes_.find("\r\n\r\n", seen > 3 && seen < bytes_.size() ? seen - 3 : 0);
  const std::size_t size = found == std::string::npos ? bytes_.size() : found + 4;
  if (size > most_bytes_) {
    if (!first_line_judged_ || bytes_.find('\n') > most_bytes_)
      return refuse(414, "the request line is too long");
    return refuse(431, "the request's headers are too long");
  }
  if (found == std::string::npos) return state::incomplete;

  const std::string_view text{bytes_.data(), size};
  if (text.find("\r\n ") != text.npos || text.find("\r\n\t") != text.npos) {
    return refuse(400, "folded header lines are not supported");
  }
  beast_http::request_parser<beast_http::empty_body> parser;
  parser.header_limit(static_cast<std::uint32_t>(most_bytes_));
  parser.body_limit(boost::none);  // whoever asks refuses bodies, with a better answer
  boost::beast::error_code ec;
  const auto used = parser.put(boost::asio::buffer(text), ec);
  if (ec || used != size || !parser.is_header_done()) {
    return refuse(400, "the request's header is malformed");
  }
  head_ = {};
  const auto& parsed = parser.get();
  head_.method = parsed.method_string();
  head_.target = parsed.target();
  head_.version = parsed.version() == 10 ? http_version::v1_0 : http_version::v1_1;
  for (const auto& field : parsed) {
    if (head_.headers.size() == most_headers)
      return refuse(431, "the request has too many headers");
    std::string name{field.name_string()};
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    head_.headers.push_back({std::move(name), std::string{field.value()}});
  }
  // A tunnel is no business of this server, and an echo shows scripts what they must not see.
  if (head_.method == "CONNECT" || head_.method == "TRACE") {
    return refuse(501, head_.method + " is not supported");
  }
  if (!split_target(head_)) return refuse(400, "the request's target is not a path of this server");
  if (head_.wants_websocket()) {
    head_.upgrade = std::make_shared<const upgrade_head>(upgrade_head{parser.release()});
  }
  bytes_.erase(0, size);
  first_line_judged_ = false;
  blank_lines_ = 0;
  return state::complete;
}

request head_reader::take() { return std::exchange(head_, {}); }

std::string head_reader::take_rest() { return std::exchange(bytes_, {}); }

}  // namespace tofud::http
