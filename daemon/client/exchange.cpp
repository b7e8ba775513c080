#include "daemon/client/exchange.hpp"

#include "daemon/client/connection.hpp"
#include "daemon/client/limits.hpp"
#include "protocol/text/readable.hpp"
#include "protocol/text/sizes.hpp"
#include "protocol/upload/limits.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/json/parse.hpp>

#include <array>
#include <sstream>

namespace tofud::client {
namespace {

namespace http = boost::beast::http;

failure no_http(const place& from) {
  return {trouble::stranger, "what answers at " + from.shown + " is no tofud: it speaks no HTTP"};
}

failure cut_short(const place& from) {
  return {trouble::silent, "tofud at " + from.shown + " closed the connection in mid-answer"};
}

/// Feeds the parser what `unread` holds; what it does not take yet stays there.
template <typename Parser>
boost::system::error_code feed(Parser& parser, std::string& unread) {
  boost::system::error_code failed;
  while (!unread.empty() && !parser.is_done()) {
    const std::size_t taken = parser.put(boost::asio::buffer(unread), failed);
    unread.erase(0, taken);
    if (failed == http::error::need_more) return {};
    if (failed || taken == 0) return failed;
  }
  return {};
}

}  // namespace

std::string request_text(const place& to, std::string_view method, const std::string& target) {
  http::request<http::empty_body> asked;
  asked.version(11);
  asked.method_string({method.data(), method.size()});
  asked.target(to.base + target);
  asked.set(http::field::host, to.header);
  asked.set(http::field::user_agent, "tofud");
  asked.set(http::field::connection, "close");
  if (!to.authorization.empty()) asked.set(http::field::authorization, to.authorization);
  if (method == "POST") asked.content_length(0);
  std::ostringstream text;
  text << asked;
  return text.str();
}

boost::system::result<answer, failure> ask(const place& to, std::string_view method,
                                           const std::string& target) {
  auto opened = connection::open(to);
  if (!opened) return opened.error();
  if (const auto sent = opened->send(request_text(to, method, target)); !sent) return sent.error();
  http::response_parser<http::string_body> parser;
  parser.eager(true);
  parser.body_limit(limits::remote_answer_bytes);
  std::array<char, 64 * limits::kib> room{};
  std::string unread;
  while (!parser.is_done()) {
    const auto piece = opened->read(room);
    if (!piece) return piece.error();
    boost::system::error_code failed;
    if (piece->over) {
      if (!parser.got_some()) return no_http(to);
      parser.put_eof(failed);
      if (failed) return parser.is_header_done() ? cut_short(to) : no_http(to);
      break;
    }
    unread.append(room.data(), piece->size);
    failed = feed(parser, unread);
    if (failed == http::error::body_limit) {
      return failure{trouble::refused, "the answer of " + to.shown + " is longer than " +
                                           std::to_string(limits::remote_answer_bytes) + " bytes"};
    }
    if (failed) return no_http(to);
    if (piece->size == 0 && !opened->wait(limits::remote_wait)) {
      return failure{trouble::silent, "tofud at " + to.shown + " did not answer in time"};
    }
  }
  return answer{static_cast<int>(parser.get().result_int()), std::move(parser.get().body())};
}

failure meaning_of(const answer& given, const place& from) {
  boost::json::error_code failed;
  const auto body = boost::json::parse(given.body, failed);
  const auto* object = failed ? nullptr : body.if_object();
  const auto* said = object == nullptr ? nullptr : object->if_contains("message");
  if (said == nullptr || !said->is_string()) {
    return {trouble::stranger, "what answers at " + from.shown + " is no tofud that serves runs (" +
                                   std::to_string(given.status) + ")"};
  }
  // It goes to a terminal, or into the log of a job.
  const std::string sentence = text::beginning(
      text::readable_line(std::string_view{said->get_string()}), limits::told_message_bytes);
  if (given.status == 404 || given.status == 410) return {trouble::not_found, sentence};
  return {trouble::refused, "tofud at " + from.shown + " refused: " + sentence};
}

}  // namespace tofud::client
