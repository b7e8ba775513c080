// Any bytes as a configuration file. One that is right says the same when it is printed and read
// again; the options of one that is wrong are never beyond what the table allows.
#include "daemon/settings/file.hpp"
#include "daemon/settings/show.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud::settings;
  const std::string text{reinterpret_cast<const char*>(data), size};
  for (const assignment& each : parse_file("f", text).assigned) {
    if (!refusal_of(*each.of, each.to, relative_paths::refused).empty()) std::abort();
  }
  sources from;
  from.files = {{"f", text}};
  const merged read = merge(from);
  for (const failure& each : read.failures) {
    if (each.what.empty() || !each.where.starts_with("f:")) std::abort();
  }
  if (!read.failures.empty()) return 0;
  from.files = {{"again", show(read.now, with_origins::yes)}};
  const merged again = merge(from);
  if (!again.failures.empty() || again.now.values != read.now.values) std::abort();
  return 0;
}
