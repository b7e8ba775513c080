// One step of a message's way, for Valgrind to count its instructions: what is outside `counted` is
// not.
//
//     path_instructions parse|fold|encode|redact SCENARIO
#include "tests/bench/path_steps.hpp"

#include <cstdio>
#include <functional>
#include <map>
#include <string>

// Named in .ci/instructions; nothing of it may be known outside.
extern "C" [[gnu::noipa]] void counted(const std::function<void()>& step) { step(); }

int main(int argc, char** argv) {
  using namespace tofud;
  if (argc != 3) return 2;
  const std::string bytes = bench::recorded(argv[2]);
  const std::map<std::string, std::function<void()>> steps{
      {"parse", [&] { counted([&] { bench::parse(bytes); }); }},
      {"redact", [&] { counted([&] { bench::redact(bytes); }); }},
      {"fold",
       [&] {
         bench::folded_run folded;
         counted([&] { folded.feed(bytes); });
       }},
      {"encode",
       [&] {
         bench::folded_run folded;
         folded.feed(bytes);
         std::string out;
         counted([&] { bench::encode(folded.run(), out); });
       }},
  };
  const auto step = steps.find(argv[1]);
  if (step == steps.end()) return 2;
  step->second();
  return 0;
}
