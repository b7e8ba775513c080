// What a subscriber asks for: GET
// /v1/stream?run=…&kinds=…&addr=…&module=…&type=…&since=…&end=close, or &at=…
#pragma once

#include "protocol/feed/limits.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/feed/source.hpp"

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::feed {

/// A position in a topic: `EPOCH:SEQ`, as subscribers get it in `hello` and `at`.
struct position {
  std::string epoch;
  sequence seq = 0;
  bool operator==(const position&) const = default;
};

/// Nothing if the text is no position.
std::optional<position> parse_position(std::string_view text);

/// Which rows, lines and views somebody wants. On fields fixed for a row's life only, so a row that
/// passes once passes always. Repeated values of a field are or, different fields are and; `*` in
/// `addr`, `module` and `type` stands for any text, there is no other wildcard. Those three choose
/// among rows with an address; other kinds pass them.
struct filter {
  std::bitset<row_kinds> kinds;
  std::vector<std::string> addr, module, type;  // empty: all
  bool passes(const row_facts& facts) const;
  /// About how many bytes `passes` may look at: each pattern all of its text.
  std::size_t bytes_looked_at(const row_facts& facts) const;
  bool wants(row_kind kind) const { return kinds.test(static_cast<std::size_t>(kind)); }
  bool operator==(const filter&) const = default;
};

/// Every kind but `log` and `text`.
std::bitset<row_kinds> default_kinds();

/// True if `text` matches `pattern`, in which each `*` stands for any text. Linear, as glibc's
/// memmem(3) is.
bool glob_matches(std::string_view pattern, std::string_view text);

/// How an asked position was given. An unparsable one is answered with a `reset`.
enum class since_given { no, parsed, unparsable };

struct stream_request {
  std::string run;  // id, "latest", or empty: the wall
  filter wanted{default_kinds(), {}, {}, {}};
  since_given since_as = since_given::no;
  position since;
  bool end_close = false;
  std::string at;  // a moment as it was given (ui::parse_moment reads it); empty: now
};

/// Why a request was refused: which parameter, and a sentence for the subscriber.
struct bad_request {
  std::string field, message;
};

/// What `value()` of a refused request throws: std::invalid_argument.
[[noreturn]] void throw_exception_from_error(const bad_request& bad, const boost::source_location&);

/// Reads a query string (without `?`), percent-encoded as in a URL. Unknown parameters are errors
/// that name the nearest known one, so that a typing error is not taken for "everything". Given
/// twice or empty where that means nothing, more than limits::filter_values filter values: errors.
boost::system::result<stream_request, bad_request> parse_stream_request(std::string_view query);

}  // namespace tofud::feed
