#include "daemon/cluster/jetstream.hpp"

#include "daemon/cluster/errors.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/base64.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/ui/timestamp.hpp"

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

constexpr std::uint64_t ns_in_us = 1000;

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

/// What JetStream says. Where nobody listens the server answers itself: no responders.
text::result<js::object> answer_in(const text::result<message>& came, const std::string& what) {
  if (!came) return came.error();
  if (came->data.empty() && came->header_of("Status") == "503")
    return text::failure{error::no_jetstream};
  auto read = json::object_in(came->data);
  if (!read) return text::failure{error::refused, what, "its answer is none of JetStream's"};
  return std::move(*read);
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

net::task<text::failure> jetstream::ensure(stream_wish wanted) {
  const std::string looks = "look for the stream " + wanted.name;
  auto looking = link_.ask({"$JS.API.STREAM.INFO." + wanted.name, "", {}, ""});
  const auto answer_came = co_await std::move(looking);
  const auto answer = answer_in(answer_came, looks);
  if (!answer) co_return answer.error();
  const api_error said = error_in(*answer);
  std::string verb = "CREATE";
  if (said.code == 0) {
    const js::object& config = object_at(*answer, "config");
    if (auto other = difference(wanted, config); !other.empty()) co_return other;
    const bool is_set = number_at(config, "max_bytes") == wanted.max_bytes &&
                        number_at(config, "max_age") == wanted.max_age.count() &&
                        number_at(config, "num_replicas") == wanted.replicas;
    if (is_set) co_return text::failure{};
    verb = "UPDATE";
  } else if (said.code != no_stream) {
    co_return failure_of(said, looks, wanted.name);
  }
  const std::string makes = "make the stream " + wanted.name;
  message asking{
      "$JS.API.STREAM." + verb + "." + wanted.name, "", {}, js::serialize(config_of(wanted))};
  auto making = link_.ask(std::move(asking));
  const auto made_came = co_await std::move(making);
  const auto made = answer_in(made_came, makes);
  if (!made) co_return made.error();
  const api_error wrong = error_in(*made);
  if (wrong.code == 0) co_return text::failure{};
  co_return failure_of(wrong, makes, wanted.name);
}

net::task<text::result<std::uint64_t>> jetstream::append(message what,
                                                         std::optional<std::uint64_t> expected,
                                                         std::chrono::milliseconds patience) {
  const std::string subject = what.subject, stores = "store a message of " + subject;
  if (expected)
    what.headers.push_back({"Nats-Expected-Last-Subject-Sequence", std::to_string(*expected)});
  auto asking = link_.ask(std::move(what), patience);
  const auto ack_came = co_await std::move(asking);
  const auto ack = answer_in(ack_came, stores);
  if (!ack) co_return ack.error();
  if (const api_error said = error_in(*ack); said.code != 0)
    co_return failure_of(said, stores, subject);
  // Whoever else may listen to that subject stores nothing.
  const std::uint64_t seq = json::count_at(*ack, "seq");
  if (seq == 0) co_return text::failure{error::refused, stores, "its answer has no number"};
  co_return seq;
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
  const std::string reads = "read " + subject;
  message asking{"$JS.API.STREAM.MSG.GET." + stream, "", {}, std::move(asked)};
  auto getting = link_.ask(std::move(asking));
  const auto read_came = co_await std::move(getting);
  const auto read = answer_in(read_came, reads);
  if (!read) co_return read.error();
  const api_error said = error_in(*read);
  if (said.code == no_message) co_return std::optional<stored_message>{};
  if (said.code != 0) co_return failure_of(said, reads, stream);
  const js::object& from = object_at(*read, "message");
  auto data = text::from_base64(json::text_at(from, "data"));
  const auto headers = text::from_base64(json::text_at(from, "hdrs"));
  if (!data || !headers) co_return text::failure{error::refused, reads, "it is no base64"};
  stored_message made;
  made.seq = json::count_at(from, "seq");
  made.subject = json::text_at(from, "subject");
  made.data = std::move(*data);
  made.headers = headers_in(*headers);
  if (const auto at = ui::parse_timestamp(json::text_at(from, "time"))) made.at = *at;
  co_return std::optional{std::move(made)};
}

net::task<text::failure> jetstream::purge(std::string stream, std::string subject) {
  const std::string deletes = "delete " + subject;
  message asking{
      "$JS.API.STREAM.PURGE." + stream, "", {}, js::serialize(js::object{{"filter", subject}})};
  auto purging = link_.ask(std::move(asking));
  const auto answer_came = co_await std::move(purging);
  const auto answer = answer_in(answer_came, deletes);
  if (!answer) co_return answer.error();
  const api_error said = error_in(*answer);
  if (said.code == 0) co_return text::failure{};
  co_return failure_of(said, deletes, stream);
}

net::task<text::result<stream_state>> jetstream::state(std::string stream) {
  const std::string looks = "look for the stream " + stream;
  auto looking = link_.ask({"$JS.API.STREAM.INFO." + stream, "", {}, ""});
  const auto answer_came = co_await std::move(looking);
  const auto answer = answer_in(answer_came, looks);
  if (!answer) co_return answer.error();
  if (const api_error said = error_in(*answer); said.code != 0)
    co_return failure_of(said, looks, stream);
  const js::object& now = object_at(*answer, "state");
  stream_state made;
  made.bytes = json::count_at(now, "bytes");
  made.last_seq = json::count_at(now, "last_seq");
  made.created = json::text_at(*answer, "created");
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
                   ui::time_point{std::chrono::microseconds{numbers[2] / ns_in_us}}};
}

}  // namespace tofud::cluster
