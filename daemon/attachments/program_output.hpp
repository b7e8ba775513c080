// A program that is asked for a document.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::attachments {

struct program_call {
  std::vector<std::string> argv;  // the program by name or path, and its words
  std::chrono::steady_clock::time_point until;
  std::uint64_t most = 0;  // bytes of its output
};

/// Runs a program and passes on what it prints, until it ends: the bytes so far are the document
/// only if nothing failed. Its standard input is empty; it is killed when its time is over, when it
/// prints too much, and by the kernel when the calling process dies. Returns an empty string, else
/// what failed as half a sentence behind the program's name: "failed: Error: …" with the first
/// error that it named on stderr. Blocks; a process with one thread only.
std::string run_program(const program_call& call,
                        const std::function<void(std::string_view bytes)>& take);

}  // namespace tofud::attachments
