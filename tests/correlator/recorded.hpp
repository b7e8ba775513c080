// Recorded streams for tests: where they are, how they ended, what they fold into.
#pragma once

#include <boost/json/object.hpp>

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::test {

struct recorded {
  std::string scenario;  // folder
  std::string stem;      // "stream", "plan.stream", …
  std::filesystem::path path;
};

std::ostream& operator<<(std::ostream& out, const recorded& stream);

/// Every stream under tests/recordings, sorted.
std::vector<recorded> all_recordings();

/// The bytes of a file, unzipped; of NAME.gz if there is no NAME. Nothing if there is neither.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// The recorded exit status: 0…, 137 for "signal 9"; nothing if none was recorded.
std::optional<int> exit_status(const recorded& stream);

/// The final rows of a stream fed in pieces; `next_piece(left)` gives the size of each. At its end
/// so many resources are settled at a time.
std::string rows_of(std::string_view id, std::string_view bytes,
                    const std::function<std::size_t(std::size_t left)>& next_piece,
                    std::size_t settled = std::numeric_limits<std::size_t>::max());
std::string rows_of(std::string_view id, std::string_view bytes);

std::vector<boost::json::object> parse_rows(std::string_view rows);

}  // namespace tofud::test
