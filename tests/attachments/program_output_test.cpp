#include "daemon/attachments/program_output.hpp"

#include "protocol/text/sizes.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

namespace tofud::attachments {
namespace {

struct outcome {
  std::string text, failure;
};

constexpr std::chrono::minutes long_enough{1};

outcome run(const std::string& script, std::uint64_t most = limits::mib,
            std::chrono::milliseconds patience = long_enough) {
  outcome made;
  made.failure =
      run_program({{"sh", "-c", script}, std::chrono::steady_clock::now() + patience, most},
                  [&](std::string_view bytes) { made.text += bytes; });
  return made;
}

TEST(ProgramOutput, StdoutIsWholeWhateverIsOnStderr) {
  const outcome made = run("head -c 700000 /dev/zero; head -c 900000 /dev/zero >&2; printf end");
  EXPECT_EQ(made.failure, "");
  EXPECT_EQ(made.text.size(), 700'003u);
  EXPECT_TRUE(made.text.ends_with("end"));
}

TEST(ProgramOutput, StandardInputIsEmpty) { EXPECT_EQ(run("cat; echo over").text, "over\n"); }

TEST(ProgramOutput, TooMuchIsAFailureAndEndsTheProgram) {
  const outcome made = run("cat /dev/zero", 2 * limits::mib);
  EXPECT_EQ(made.failure, "printed more than 2 MiB");
  EXPECT_LE(made.text.size(), 2 * limits::mib);
}

TEST(ProgramOutput, AProgramThatDoesNotEndIsKilled) {
  EXPECT_EQ(run("exec sleep 1000", limits::mib, std::chrono::milliseconds{1}).failure,
            "took too long");
}

TEST(ProgramOutput, AFailureIsTheFirstErrorElseTheStatus) {
  EXPECT_EQ(run("printf 'Warning: w\\n| Error: first\\n| Error: second\\n' >&2; exit 1").failure,
            "failed: Error: first");
  EXPECT_EQ(run("echo text; exit 3").failure, "failed with status 3");
  EXPECT_EQ(run("kill -9 $$").failure, "was killed by signal 9");
}

TEST(ProgramOutput, AWarningOfAProgramThatSucceedsIsNoFailure) {
  EXPECT_EQ(run("echo 'Error: of no consequence' >&2").failure, "");
}

}  // namespace
}  // namespace tofud::attachments
