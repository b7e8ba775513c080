#include "protocol/diagnostics/reason.hpp"

#include <gtest/gtest.h>

namespace tofud::diagnostics {
namespace {

std::string of(std::string summary, std::string detail) {
  feed::diagnostic_row row;
  row.summary = std::move(summary);
  row.detail = std::move(detail);
  return reason(row);
}

TEST(Reason, OfAProvisionerIsHowItEndedAndWhatItPrintedLast) {
  EXPECT_EQ(of("local-exec provisioner error",
               "Error running command 'sh boot.sh; echo \"it''s. over\"': exit status 3. Output: "
               "pulling\n\x1b[31mquota is 2\x1b[0m\n\n"),
            "exit status 3: quota is 2");
  EXPECT_EQ(of("x", "Error running command 'sleep 9': signal: killed. Output: step 1\n"),
            "signal: killed: step 1");
  EXPECT_EQ(of("x", "Error running command 'exit 2': exit status 2. Output: "), "exit status 2");
  EXPECT_EQ(of("x", "Error running command 'exit 2': exit status 2"), "exit status 2");
  EXPECT_EQ(of("remote-exec provisioner error",
               "error executing \"/tmp/terraform_1.sh\": Process exited with status 3"),
            "Process exited with status 3");
}

TEST(Reason, OfAnythingElseIsTheHeadline) {
  EXPECT_EQ(of("Invalid index\nmore", "The index is 2."), "Invalid index");
  EXPECT_EQ(of("", "Only a detail.\nmore"), "Only a detail.");
  EXPECT_EQ(of("x", "Error running command 'x'"), "x");
}

TEST(Reason, OfAnyBytesEnds) {
  for (const char* printed : {"\x1b[", "\x1b[1m", "\x1b", "\n", " \n \t\n", "\r\n\r"}) {
    EXPECT_EQ(of("x", std::string{"Error running command '': exit status 1. Output: "} + printed),
              "exit status 1")
        << printed;
  }
}

TEST(Reason, OfALongDetailIsItsEnd) {
  const std::string begin = "Error running command 'x': exit status 1. Output: ";
  EXPECT_EQ(of("x", begin + std::string(1 << 20, 'a') + "\nfull"), "exit status 1: full");
  EXPECT_EQ(of("x", begin + "full" + std::string(1 << 20, '\n')), "exit status 1");
  EXPECT_EQ(of("x", "Error running command '" + std::string(1 << 20, '\'') + "': exit status 1"),
            "x");
}

}  // namespace
}  // namespace tofud::diagnostics
