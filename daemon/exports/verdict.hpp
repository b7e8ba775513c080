// What became of a run, in a few lines: for programs that decide what to do next, and for people in
// a hurry.
#pragma once

#include "daemon/exports/run_rows.hpp"
#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tofud::exports {

/// Texts from outside are one line each and cut; they are data, whatever they say.
struct verdict {
  struct failure {
    std::string addr;     // empty: of no resource
    std::string summary;  // why, in a line
    std::string file;     // empty: no place is known
    std::int64_t line = 0;
    std::string owner, runbook;  // empty: not said
  };
  struct stranding {
    std::uint64_t count = 0;
    std::string behind;             // the failure that strands most
    std::vector<std::string> some;  // of these
  };
  std::string run, stack;  // stack empty: unknown
  std::string_view command, status, phase;
  bool is_over = false;
  std::uint64_t done = 0, total = 0;
  std::optional<feed::change_counts> planned, applied;
  std::uint64_t errors = 0, warnings = 0;
  std::optional<feed::test_counts> tests;
  std::optional<std::chrono::microseconds> took;  // so far
  std::vector<failure> failures;                  // the first
  std::uint64_t more_failures = 0;
  std::vector<std::string> interrupted;  // resources; the first
  std::uint64_t more_interrupted = 0;
  stranding stranded;
  std::vector<std::string> next;  // what to do now: sentences of ours
};

/// Of at most limits::verdict_items failures, addresses and so on each.
verdict verdict_of(const run_rows& of);

/// One object with a newline, at most limits::verdict_bytes: what does not fit is only counted.
std::string to_json(const verdict& of);

/// The same for people, with a newline at the end of each line.
std::string to_text(const verdict& of);

}  // namespace tofud::exports
