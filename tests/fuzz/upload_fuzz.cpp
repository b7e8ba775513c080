// Any bytes as what a forwarder and a daemon say to each other. Whoever is understood says the same
// when it is written and read again, whoever is not is told why; and whatever places pieces of a
// stream claim, what is stored is the stream from its beginning.
#include "protocol/events/event.hpp"
#include "protocol/upload/answer.hpp"
#include "protocol/upload/create_request.hpp"
#include "protocol/upload/naming_line.hpp"
#include "protocol/upload/placement.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace tofud::upload;

void need(bool holds) {
  if (!holds) std::abort();
}

void take_create_request(std::string_view text) {
  const auto asked = parse_create_request(text);
  if (!asked) return need(!asked.error().text().empty());
  const std::string written = to_json(*asked);
  const auto again = parse_create_request(written);
  need(again && to_json(*again) == written);
}

void take_granted(std::string_view text) {
  const auto granted = parse_granted(text);
  if (!granted) return;
  need(!granted->run.empty() && granted->max_patch > 0);
  need(parse_granted(to_json(*granted)) == granted);
}

void take_error(std::string_view text) {
  (void)code_in(text);
  for (const char c : said_by(409, text)) need(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  if (const auto pause = retry_after_in(text)) need(pause->count() >= 0);
}

/// Each three bytes are a piece: where it begins, how long it is, whether it is the last.
void take_pieces(std::string_view claims) {
  constexpr std::size_t longest = 512;
  std::string stream(longest, '\0');
  for (std::size_t i = 0; i < stream.size(); ++i) stream[i] = static_cast<char>('a' + i % 23);
  std::string stored;
  upload_state state;
  for (; claims.size() >= 3; claims.remove_prefix(3)) {
    const auto offset = static_cast<unsigned char>(claims[0]);
    const std::string_view piece =
        std::string_view{stream}.substr(offset, static_cast<unsigned char>(claims[1]));
    const placement found = place(state, offset, piece.size());
    if (found.what == verdict::gap) {
      need(offset > stored.size());
      continue;
    }
    need(found.known <= piece.size());
    if (found.what == verdict::complete) {
      need(state.complete);
      continue;
    }
    need(stored.compare(offset, found.known, piece.substr(0, found.known)) == 0);
    need(found.known == piece.size() || offset + found.known == stored.size());
    stored.append(piece.substr(found.known));
    need(std::string_view{stream}.starts_with(stored));
    state.acknowledged = stored.size();
    state.complete = state.complete || (claims[2] & 1) != 0;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  take_create_request(text);
  take_granted(text);
  take_error(text);
  if (const auto event = tofud::events::parse(text); !event) need(!event.error().text().empty());
  if (const auto name = parse_naming_line(text); !name) need(!name.error().text().empty());
  take_pieces(text);
  return 0;
}
