#include "protocol/events/run_event.hpp"

#include "protocol/feed/limits.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/json/members.hpp"

#include <boost/json.hpp>

namespace tofud::events {
namespace {

using boost::json::object;

/// An empty text if all is well.
std::string read(const object& from, run_event& event) {
  const auto* offset = from.if_contains("offset");
  boost::json::error_code failed;
  if (offset == nullptr || !offset->is_number()) return "offset is missing, or no number";
  event.offset = offset->to_number<std::uint64_t>(failed);
  if (failed) return "offset is no count of bytes";
  const std::string kind = json::text_at(from, "event");
  if (kind.empty()) return "event is missing, or no string";
  if (kind == "exit") {
    const auto* status = from.if_contains("status");
    if (status == nullptr || !status->is_int64() || status->get_int64() < 0 ||
        status->get_int64() > 255) {
      return "status is no exit status from 0 to 255";
    }
    event.what = run_event::sort::exit;
    event.status = static_cast<int>(status->get_int64());
  } else if (kind == "label") {
    event.what = run_event::sort::label;
    event.name = json::text_at(from, "key");
    event.text = json::text_at(from, "value");
    if (event.name.empty()) return "key is missing, or no string";
    if (event.name.size() > limits::given_word_bytes ||
        event.text.size() > limits::given_word_bytes) {
      return "a label is at most " + std::to_string(limits::given_word_bytes) + " bytes long";
    }
  } else if (kind == "plan_file") {
    event.what = run_event::sort::plan_file;
    event.name = json::text_at(from, "role");
    event.text = json::text_at(from, "sha256");
    if (event.name != "out" && event.name != "argument") return "role is neither out nor argument";
  } else if (kind == "attachment") {
    event.what = run_event::sort::attachment;
    event.name = json::text_at(from, "part");
    event.text = json::text_at(from, "sha256");
    if (!feed::parse_attachment(event.name)) return "part is neither plan, schemas nor config";
  } else if (kind == "interrupt") {
    event.what = run_event::sort::interrupt;
  } else if (kind == "broken") {
    event.what = run_event::sort::broken;
  }
  return "";
}

}  // namespace

boost::system::result<run_event, std::string> parse_run_event(std::string_view json) {
  boost::json::error_code failed;
  boost::json::parse_options strict;
  strict.max_depth = 8;
  const boost::json::value document =
      boost::json::parse(boost::json::string_view{json.data(), json.size()}, failed, {}, strict);
  if (failed) return "the event is no JSON: " + failed.message();
  if (!document.is_object()) return "the event is no JSON object";
  run_event event;
  if (std::string wrong = read(document.get_object(), event); !wrong.empty()) return wrong;
  return event;
}

std::string exit_event(std::int64_t status) {
  return R"({"event":"exit","status":)" + std::to_string(status) + "}";
}

std::string attachment_event(std::uint64_t offset, std::string_view part, std::string_view sha256) {
  return R"({"offset":)" + std::to_string(offset) + R"(,"event":"attachment","part":")" +
         std::string{part} + R"(","sha256":")" + std::string{sha256} + R"("})";
}

std::string broken_event(std::uint64_t offset) {
  return R"({"offset":)" + std::to_string(offset) + R"(,"event":"broken"})";
}

}  // namespace tofud::events
