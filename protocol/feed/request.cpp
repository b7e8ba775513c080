#include "protocol/feed/request.hpp"

#include "protocol/feed/limits.hpp"
#include "protocol/text/edit_distance.hpp"
#include "protocol/text/percent.hpp"
#include "protocol/text/whole_number.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace tofud::feed {
namespace {

using refusal = std::optional<bad_request>;

constexpr std::array<std::string_view, 8> parameters{"run",  "kinds", "addr", "module",
                                                     "type", "since", "end",  "at"};

/// Names from outside are cut before they are repeated in a sentence.
std::string quoted_word(std::string_view text) {
  constexpr std::size_t most = 64;
  std::string out{'"'};
  out.append(text.substr(0, most));
  if (text.size() > most) out += "...";
  return out += '"';
}

/// `; did you mean "kinds"?`, or all of `known` when none of them is near.
template <class Words>
std::string advice(std::string_view word, const Words& known) {
  const std::string_view meant = text::nearest(word, known);
  if (!meant.empty()) return "; did you mean " + quoted_word(meant) + "?";
  std::string all;
  for (const std::string_view each : known) all.append(all.empty() ? "" : ", ").append(each);
  return "; known are " + all;
}

std::array<std::string_view, row_kinds> kind_names() {
  std::array<std::string_view, row_kinds> names;
  for (std::size_t i = 0; i < row_kinds; ++i) names[i] = name(static_cast<row_kind>(i));
  return names;
}

template <class Take>
refusal for_each_part(std::string_view text, char separator, Take take) {
  for (;;) {
    const std::size_t end = text.find(separator);
    if (refusal no = take(text.substr(0, end))) return no;
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
}

/// Takes the parameters of one request, each already decoded.
class reader {
 public:
  refusal take(const std::string& name, std::string value) {
    if (name == "kinds") return kinds(value);
    if (name == "addr") return pattern(name, asked_.wanted.addr, std::move(value));
    if (name == "module") return pattern(name, asked_.wanted.module, std::move(value));
    if (name == "type") return pattern(name, asked_.wanted.type, std::move(value));
    const auto known = std::find(parameters.begin(), parameters.end(), name);
    if (known == parameters.end())
      return bad_request{name, "unknown parameter " + quoted_word(name) + advice(name, parameters)};
    const auto bit = static_cast<std::size_t>(known - parameters.begin());
    if (seen_.test(bit)) return bad_request{name, quoted_word(name) + " is given twice"};
    seen_.set(bit);
    if (name == "run") return run(std::move(value));
    if (name == "since") return since(value);
    if (name == "at") return at(std::move(value));
    return end(value);
  }

  stream_request asked() && { return std::move(asked_); }

 private:
  refusal run(std::string value) {
    if (value.empty()) return bad_request{"run", "\"run\" is empty; leave it out for the wall"};
    asked_.run = std::move(value);
    return std::nullopt;
  }

  refusal since(std::string_view value) {
    const std::optional<position> given = parse_position(value);
    asked_.since_as = given ? since_given::parsed : since_given::unparsable;
    asked_.since = given.value_or(position{});
    return std::nullopt;
  }

  refusal at(std::string value) {
    if (value.empty()) return bad_request{"at", "\"at\" is empty; leave it out for now"};
    asked_.at = std::move(value);
    return std::nullopt;
  }

  refusal end(std::string_view value) {
    if (value != "close") return bad_request{"end", "\"end\" must be \"close\""};
    asked_.end_close = true;
    return std::nullopt;
  }

  refusal kinds(std::string_view value) {
    if (!kinds_given_) asked_.wanted.kinds.reset();
    kinds_given_ = true;
    return for_each_part(value, ',', [this](std::string_view word) -> refusal {
      if (refusal no = one_more("kinds")) return no;
      const std::optional<row_kind> kind = parse_row_kind(word);
      if (!kind)
        return bad_request{"kinds",
                           "there is no kind " + quoted_word(word) + advice(word, kind_names())};
      asked_.wanted.kinds.set(static_cast<std::size_t>(*kind));
      return std::nullopt;
    });
  }

  refusal pattern(const std::string& name, std::vector<std::string>& patterns, std::string value) {
    if (refusal no = one_more(name)) return no;
    // No address and no type is empty, but the root module's name is.
    if (value.empty() && name != "module")
      return bad_request{name, quoted_word(name) + " is empty; leave it out for all"};
    patterns.push_back(std::move(value));
    return std::nullopt;
  }

  refusal one_more(const std::string& name) {
    if (++values_ <= limits::filter_values) return std::nullopt;
    return bad_request{name, quoted_word(name) +
                                 " is one filter value too many; a request may have " +
                                 std::to_string(limits::filter_values)};
  }

  stream_request asked_;
  std::bitset<parameters.size()> seen_;
  bool kinds_given_ = false;
  std::size_t values_ = 0;
};

bool any_matches(const std::vector<std::string>& patterns, std::string_view text) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                         [&](const auto& one) { return glob_matches(one, text); });
}

}  // namespace

std::optional<position> parse_position(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos) return std::nullopt;
  const auto seq = text::parse_whole_number<sequence>(text.substr(colon + 1));
  if (!seq) return std::nullopt;
  return position{std::string{text.substr(0, colon)}, *seq};
}

bool filter::passes(const row_facts& facts) const {
  if (!wants(facts.kind)) return false;
  if (facts.addr.empty()) return true;
  return any_matches(addr, facts.addr) && any_matches(module, facts.module) &&
         any_matches(type, facts.type);
}

std::bitset<row_kinds> default_kinds() {
  std::bitset<row_kinds> kinds;
  kinds.set();
  kinds.reset(static_cast<std::size_t>(row_kind::log));
  kinds.reset(static_cast<std::size_t>(row_kind::text));
  return kinds;
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  const std::size_t first = pattern.find('*');
  if (first == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, first))) return false;
  text.remove_prefix(first);
  pattern.remove_prefix(first);
  const std::size_t last = pattern.rfind('*');
  const std::string_view end = pattern.substr(last + 1);
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  pattern.remove_suffix(pattern.size() - last);
  // What stands between two stars is found as far to the left as possible: what follows has most
  // room then.
  while (!pattern.empty()) {
    pattern.remove_prefix(1);
    const std::string_view piece = pattern.substr(0, pattern.find('*'));
    pattern.remove_prefix(piece.size());
    if (piece.empty()) continue;
    const void* found =
        text.empty() ? nullptr : ::memmem(text.data(), text.size(), piece.data(), piece.size());
    if (found == nullptr) return false;
    text.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) +
                       piece.size());
  }
  return true;
}

std::size_t filter::bytes_looked_at(const row_facts& facts) const {
  return addr.size() * facts.addr.size() + module.size() * facts.module.size() +
         type.size() * facts.type.size();
}

boost::system::result<stream_request, bad_request> parse_stream_request(std::string_view query) {
  reader asked;
  const refusal no = for_each_part(query, '&', [&](std::string_view pair) -> refusal {
    if (pair.empty()) return std::nullopt;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view raw_name = pair.substr(0, equals);
    const std::optional<std::string> name = text::percent_decoded(raw_name);
    std::optional<std::string> value =
        text::percent_decoded(pair.substr(std::min(equals + 1, pair.size())));
    if (!name || !value)
      return bad_request{name.value_or(std::string{raw_name}),
                         quoted_word(raw_name) + " contains a % without two hex digits after it"};
    return asked.take(*name, *std::move(value));
  });
  if (no) return *no;
  stream_request made = std::move(asked).asked();
  if (!made.at.empty() && made.run.empty())
    return bad_request{"at", "\"at\" is a moment of a run; name one with run="};
  if (!made.at.empty() && made.since_as != since_given::no)
    return bad_request{"at", "\"at\" and \"since\" exclude each other"};
  return made;
}

void throw_exception_from_error(const bad_request& bad, const boost::source_location&) {
  throw std::invalid_argument{bad.field + ": " + bad.message};
}

}  // namespace tofud::feed
