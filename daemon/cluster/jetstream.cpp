#include "daemon/cluster/jetstream.hpp"

#include "daemon/cluster/errors.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/beast/core/detail/base64.hpp>
#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tofud::cluster {
namespace {

namespace js = boost::json;

// https://github.com/nats-io/nats-server/blob/v2.9.10/server/errors.json
constexpr int not_enabled = 10039, not_enabled_here = 10076, no_message = 10037, no_stream = 10059,
              overlaps = 10065, wrong_last = 10071, beyond_bytes = 10077, no_resources = 10023,
              no_storage = 10047;

js::object object_in(std::string_view text) {
  js::error_code failed;
  const js::value read = js::parse(js::string_view{text.data(), text.size()}, failed);
  return !failed && read.is_object() ? read.get_object() : js::object{};
}

std::int64_t number_at(const js::object& in, std::string_view key) {
  const js::value* found = in.if_contains(js::string_view{key.data(), key.size()});
  if (found == nullptr) return 0;
  if (found->is_int64()) return found->get_int64();
  if (found->is_uint64()) return static_cast<std::int64_t>(found->get_uint64());
  return 0;
}

const js::object& object_at(const js::object& in, std::string_view key) {
  static const js::object none;
  const js::value* found = in.if_contains(js::string_view{key.data(), key.size()});
  return found != nullptr && found->is_object() ? found->get_object() : none;
}

struct api_error {
  int code = 0;  // 0: there is none
  std::string words;
};
api_error error_in(const js::object& answer) {
  const js::value* found = answer.if_contains("error");
  if (found == nullptr || !found->is_object()) return {};
  const js::object& said = found->get_object();
  const auto code = number_at(said, "err_code");
  return {static_cast<int>(code != 0 ? code : number_at(said, "code")),
          json::text_at(said, "description")};
}

/// Nobody listens there.
bool is_unheard(const message& answer) {
  return answer.data.empty() && answer.header_of("Status") == "503";
}

text::failure failure_of(const api_error& said, const std::string& what,
                         const std::string& stream) {
  switch (said.code) {
    case not_enabled:
    case not_enabled_here:
      return text::failure{error::no_jetstream};
    case wrong_last:
      return text::failure{error::other_writer};
    case beyond_bytes:
    case no_resources:
    case no_storage:
      return text::failure{error::full, stream, said.words};
    case overlaps:
      return text::failure{error::foreign_subjects, stream, said.words};
    default:
      return text::failure{error::refused, what, said.words};
  }
}

js::object config_of(const stream_wish& wanted) {
  // Nothing here depends on it, and it is not to be longer than what is kept.
  std::chrono::nanoseconds window = std::chrono::minutes{2};
  if (wanted.max_age.count() > 0) window = std::min(window, wanted.max_age);
  return {{"name", wanted.name},
          {"subjects", js::array{wanted.subjects}},
          {"retention", "limits"},
          {"storage", "file"},
          {"discard", "new"},
          {"max_consumers", -1},
          {"max_msgs", -1},
          {"max_msgs_per_subject", wanted.is_bucket ? 1 : -1},
          {"max_bytes", wanted.max_bytes},
          {"max_age", wanted.max_age.count()},
          {"max_msg_size", -1},
          {"num_replicas", wanted.replicas},
          {"duplicate_window", window.count()},
          {"allow_rollup_hdrs", wanted.is_bucket},
          {"deny_delete", true},
          {"allow_direct", false}};
}

/// What makes a stream another one than ours; the rest may have been set by an administrator.
text::failure difference(const stream_wish& wanted, const js::object& there) {
  const auto text_of = [](const js::object& in, const char* key) {
    const js::value* found = in.if_contains(key);
    return found == nullptr ? std::string{"missing"} : std::string{js::serialize(*found)};
  };
  const js::object ours = config_of(wanted);
  for (const char* key : {"subjects", "retention", "discard", "max_msgs_per_subject"}) {
    if (text_of(there, key) != text_of(ours, key))
      return text::failure{error::foreign_stream, wanted.name, std::string{key},
                           text_of(there, key), text_of(ours, key)};
  }
  return {};
}

std::string decoded(std::string_view text) {
  namespace base64 = boost::beast::detail::base64;
  std::string bytes(base64::decoded_size(text.size()), '\0');
  bytes.resize(base64::decode(bytes.data(), text.data(), text.size()).first);
  return bytes;
}

/// "NATS/1.0\r\nName: value\r\n…\r\n"
std::vector<header> headers_in(std::string_view block) {
  std::vector<header> all;
  std::size_t at = block.find("\r\n");
  while (at != std::string_view::npos) {
    block.remove_prefix(at + 2);
    at = block.find("\r\n");
    const std::string_view line = block.substr(0, at);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    all.push_back({std::string{line.substr(0, colon)}, std::string{value}});
  }
  return all;
}

}  // namespace

std::string_view stored_message::header_of(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const header& each) { return each.name == name; });
  return found == headers.end() ? std::string_view{} : std::string_view{found->value};
}

net::task<text::failure> jetstream::ensure(stream_wish wanted) {
  auto looking = link_.ask({"$JS.API.STREAM.INFO." + wanted.name, "", {}, ""});
  const auto there = co_await std::move(looking);
  if (!there) co_return there.error();
  if (is_unheard(*there)) co_return text::failure{error::no_jetstream};
  const js::object answer = object_in(there->data);
  const api_error said = error_in(answer);
  std::string verb = "CREATE";
  if (said.code == 0) {
    const js::object& config = object_at(answer, "config");
    if (auto other = difference(wanted, config); !other.empty()) co_return other;
    const bool is_set = number_at(config, "max_bytes") == wanted.max_bytes &&
                        number_at(config, "max_age") == wanted.max_age.count() &&
                        number_at(config, "num_replicas") == wanted.replicas;
    if (is_set) co_return text::failure{};
    verb = "UPDATE";
  } else if (said.code != no_stream) {
    co_return failure_of(said, "look for the stream " + wanted.name, wanted.name);
  }
  message asking{
      "$JS.API.STREAM." + verb + "." + wanted.name, "", {}, js::serialize(config_of(wanted))};
  auto making = link_.ask(std::move(asking));
  const auto made = co_await std::move(making);
  if (!made) co_return made.error();
  const api_error wrong = error_in(object_in(made->data));
  if (wrong.code == 0) co_return text::failure{};
  co_return failure_of(wrong, "make the stream " + wanted.name, wanted.name);
}

net::task<text::result<std::uint64_t>> jetstream::append(message what,
                                                         std::optional<std::uint64_t> expected) {
  using result = text::result<std::uint64_t>;
  const std::string subject = what.subject;
  if (expected)
    what.headers.push_back({"Nats-Expected-Last-Subject-Sequence", std::to_string(*expected)});
  auto asking = link_.ask(std::move(what));
  const auto answer = co_await std::move(asking);
  if (!answer) co_return answer.error();
  if (is_unheard(*answer)) co_return result{boost::system::in_place_error, error::no_jetstream};
  const js::object ack = object_in(answer->data);
  if (const api_error said = error_in(ack); said.code != 0)
    co_return failure_of(said, "store a message of " + subject, subject);
  co_return static_cast<std::uint64_t>(number_at(ack, "seq"));
}

net::task<jetstream::found> jetstream::last(std::string stream, std::string subject) {
  const std::string asked = js::serialize(js::object{{"last_by_subj", subject}});
  return get(std::move(stream), std::move(subject), asked);
}

net::task<jetstream::found> jetstream::first(std::string stream, std::string subject) {
  const std::string asked = js::serialize(js::object{{"seq", 1}, {"next_by_subj", subject}});
  return get(std::move(stream), std::move(subject), asked);
}

net::task<jetstream::found> jetstream::get(std::string stream, std::string subject,
                                           std::string asked) {
  message asking{"$JS.API.STREAM.MSG.GET." + stream, "", {}, std::move(asked)};
  auto getting = link_.ask(std::move(asking));
  const auto answer = co_await std::move(getting);
  if (!answer) co_return answer.error();
  if (is_unheard(*answer)) co_return found{boost::system::in_place_error, error::no_jetstream};
  const js::object read = object_in(answer->data);
  const api_error said = error_in(read);
  if (said.code == no_message) co_return std::optional<stored_message>{};
  if (said.code != 0) co_return failure_of(said, "read " + subject, stream);
  const js::object& from = object_at(read, "message");
  stored_message made;
  made.seq = static_cast<std::uint64_t>(number_at(from, "seq"));
  made.subject = json::text_at(from, "subject");
  made.data = decoded(json::text_at(from, "data"));
  made.headers = headers_in(decoded(json::text_at(from, "hdrs")));
  if (const auto at = ui::parse_timestamp(json::text_at(from, "time")))
    made.at = at->time_since_epoch();
  co_return std::optional{std::move(made)};
}

net::task<text::failure> jetstream::purge(std::string stream, std::string subject) {
  message asking{
      "$JS.API.STREAM.PURGE." + stream, "", {}, js::serialize(js::object{{"filter", subject}})};
  auto purging = link_.ask(std::move(asking));
  const auto answer = co_await std::move(purging);
  if (!answer) co_return answer.error();
  const api_error said = error_in(object_in(answer->data));
  if (said.code == 0) co_return text::failure{};
  co_return failure_of(said, "forget " + subject, stream);
}

net::task<text::result<stream_state>> jetstream::state(std::string stream) {
  auto looking = link_.ask({"$JS.API.STREAM.INFO." + stream, "", {}, ""});
  const auto there = co_await std::move(looking);
  if (!there) co_return there.error();
  const js::object answer = object_in(there->data);
  if (const api_error said = error_in(answer); said.code != 0)
    co_return failure_of(said, "look for the stream " + stream, stream);
  const js::object& now = object_at(answer, "state");
  stream_state made;
  made.messages = static_cast<std::uint64_t>(number_at(now, "messages"));
  made.bytes = static_cast<std::uint64_t>(number_at(now, "bytes"));
  made.last_seq = static_cast<std::uint64_t>(number_at(now, "last_seq"));
  made.max_bytes = number_at(object_at(answer, "config"), "max_bytes");
  made.created = json::text_at(answer, "created");
  co_return made;
}

std::optional<delivered> parse_delivery(std::string_view reply) {
  // $JS.ACK.[DOMAIN.ACCOUNT.]STREAM.CONSUMER.DELIVERED.SEQ.CONSUMER_SEQ.TIME.PENDING[.RANDOM]
  if (!reply.starts_with("$JS.ACK.")) return std::nullopt;
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= reply.size();) {
    const std::size_t dot = std::min(reply.find('.', from), reply.size());
    parts.push_back(reply.substr(from, dot - from));
    from = dot + 1;
  }
  const std::size_t first = parts.size() == 9 ? 5 : 7;
  if (parts.size() != 9 && parts.size() < 11) return std::nullopt;
  std::array<std::uint64_t, 4> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto read = text::parse_whole_number<std::uint64_t>(parts[first + i]);
    if (!read) return std::nullopt;
    numbers[i] = *read;
  }
  return delivered{numbers[0], numbers[1], numbers[3],
                   std::chrono::nanoseconds{static_cast<std::int64_t>(numbers[2])}};
}

}  // namespace tofud::cluster
