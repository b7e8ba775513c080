// Any bytes as the files of a run that a daemon finds at its start. Recovery takes or leaves the
// run; what it took it takes the second time, too, with nothing more to mend, and all its bytes can
// be read.
#include "daemon/journal/disk.hpp"
#include "daemon/journal/layout.hpp"
#include "daemon/journal/recovery.hpp"
#include "daemon/journal/stream_file.hpp"
#include "tests/journal/scratch_root.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::journal {
namespace {

constexpr std::string_view id = "20261121T0312-7f3a";

void demand(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << what << "\n";
  std::abort();
}

/// Each file begins with a byte that says which it is, and ends at a NUL before another of these.
void write_files(const std::string& root, std::string_view bytes) {
  const std::string run = run_in(root, id);
  std::filesystem::create_directories(run);
  const std::array<std::string, 7> names{header_in(run),   stream_in(run),   events_in(run),
                                         arrivals_in(run), complete_in(run), compressed_in(run),
                                         places_in(run)};
  while (!bytes.empty()) {
    const auto which = static_cast<unsigned char>(bytes.front()) % names.size();
    bytes.remove_prefix(1);
    const std::size_t end = std::min(bytes.find(std::string_view{"\0\x1e", 2}), bytes.size());
    std::ofstream{names.at(which), std::ios::binary} << bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 2, bytes.size()));
  }
}

void check(const std::string& root) {
  const recovered first = recover_runs(real_disk(), root);
  const recovered second = recover_runs(real_disk(), root);
  demand(first.runs.size() == second.runs.size(), "another number of runs");
  for (std::size_t i = 0; i < first.runs.size(); ++i) {
    const kept_run& run = first.runs[i];
    demand(run.bytes == second.runs[i].bytes && run.complete == second.runs[i].complete,
           "another length");
    demand(run.events.size() == second.runs[i].events.size(), "other events");
    (void)read_arrivals(real_disk(), run_in(root, run.header.id));
    auto stream = stream_file::open(real_disk(), run_in(root, run.header.id));
    if (!stream) continue;
    std::vector<char> room(4096);
    std::uint64_t at = 0;
    while (at < run.bytes) {
      const auto count = stream->read(at, room);
      if (!count || *count == 0) break;
      at += *count;
    }
    demand(at >= run.bytes || run.compressed, "bytes are missing");
  }
}

}  // namespace
}  // namespace tofud::journal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tofud::journal::scratch_root root;
  tofud::journal::write_files(root.path(), {reinterpret_cast<const char*>(data), size});
  tofud::journal::check(root.path());
  return 0;
}
