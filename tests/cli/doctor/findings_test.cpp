#include "daemon/cli/doctor/findings.hpp"

#include <gtest/gtest.h>

namespace tofud::doctor {
namespace {

program_facts program(bool opentofu, int major, int minor) {
  return {"/bin/tofu", program_facts::version{opentofu, major, minor, "X"}};
}

verdict of_program(const program_facts& facts) { return judge_programs({facts}).at(0).verdict; }

std::string said_of(const program_facts& facts) { return judge_programs({facts}).at(0).sentence; }

TEST(Doctor, OpenTofuSince1Dot12KeepsItsTerminal) {
  EXPECT_EQ(of_program(program(true, 1, 12)), verdict::ok);
  EXPECT_EQ(of_program(program(true, 2, 0)), verdict::ok);
  EXPECT_NE(said_of(program(true, 1, 12)).find("-json-into"), std::string::npos);
}

TEST(Doctor, OlderVersionsAndTerraformCannotPrompt) {
  for (const auto& facts :
       {program(true, 1, 11), program(false, 1, 12), program(false, 1, 1), program(false, 2, 0)}) {
    EXPECT_EQ(of_program(facts), verdict::warning);
    EXPECT_NE(said_of(facts).find("-auto-approve"), std::string::npos);
  }
  EXPECT_EQ(of_program(program(false, 1, 0)), verdict::problem);
}

TEST(Doctor, AProgramWithoutAVersionIsAWarningAndNoneAtAllAProblem) {
  EXPECT_EQ(of_program({"/bin/tofu", {}}), verdict::warning);
  EXPECT_EQ(judge_programs({}).at(0).verdict, verdict::problem);
}

TEST(Doctor, TheFirstWritableDirectoryIsChosen) {
  const auto found = judge_places({{"/a", "is full", false}, {"/b", "", false}, {"/c", "", false}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], (finding{verdict::ok, "spools", "/a is skipped: is full"}));
  EXPECT_EQ(found[1], (finding{verdict::ok, "spools", "/b is where streams are kept"}));
  EXPECT_EQ(found[2], (finding{verdict::ok, "spools", "/c is writable too"}));
}

TEST(Doctor, ANamedDirectoryThatIsRefusedIsAWarning) {
  const auto found = judge_places({{"/a", "is full", true}, {"/b", "", false}});
  EXPECT_EQ(found.at(0).verdict, verdict::warning);
}

TEST(Doctor, WithoutADirectoryTheStreamInMemoryIsAWarning) {
  const auto found = judge_places({{"/a", "is full", false}});
  EXPECT_EQ(found.back().verdict, verdict::warning);
  EXPECT_NE(found.back().sentence.find("memory"), std::string::npos);
}

TEST(Doctor, AListenerThatCanNotBindIsAProblemWithItsReason) {
  EXPECT_EQ(judge_listener({"http://127.0.0.1:8638/", ""}, false),
            (finding{verdict::ok, "page", "a run would be served at http://127.0.0.1:8638/"}));
  EXPECT_NE(judge_listener({"http://127.0.0.1:8638/", ""}, true).sentence.find("--listen"),
            std::string::npos);
  EXPECT_EQ(judge_listener({"", "no port"}, false),
            (finding{verdict::problem, "page", "no page can be served: no port"}));
}

TEST(Doctor, ATerminalWithoutUtf8IsAWarning) {
  EXPECT_EQ(judge_terminal({true, true, true, 120, "xterm", "tty"}),
            (finding{verdict::ok, "terminal",
                     "TERM is xterm, 120 columns, colours: --progress=auto means tty"}));
  EXPECT_EQ(judge_terminal({true, true, false, 120, "xterm", "tty"}).verdict, verdict::warning);
  EXPECT_EQ(judge_terminal({false, false, false, 0, "", "plain"}),
            (finding{verdict::ok, "terminal",
                     "standard output is not a terminal: --progress=auto means plain"}));
}

TEST(Doctor, AShellWithoutATerminalKeepsSignalsFromTofu) {
  const finding found = judge_parent({7, "bash", false}, false);
  EXPECT_EQ(found.verdict, verdict::warning);
  EXPECT_NE(found.sentence.find("exec tofud run -- tofu apply"), std::string::npos);
  EXPECT_NE(found.sentence.find("bash (process 7)"), std::string::npos);
}

TEST(Doctor, ATerminalSignalsTheWholeGroupButNotInACiJob) {
  EXPECT_EQ(judge_parent({7, "bash", true}, false).verdict, verdict::ok);
  EXPECT_EQ(judge_parent({7, "bash", true}, true).verdict, verdict::warning);
}

TEST(Doctor, ParentThatForwardsSignalsIsFine) {
  EXPECT_EQ(judge_parent({1, "", false}, true).verdict, verdict::ok);
  EXPECT_EQ(judge_parent({0, "", false}, true).verdict, verdict::ok);
  EXPECT_EQ(judge_parent({7, "tini", false}, true).verdict, verdict::ok);
}

TEST(Doctor, UnknownParentIsReportedInCi) {
  EXPECT_EQ(judge_parent({7, "make", false}, true).verdict, verdict::warning);
  EXPECT_EQ(judge_parent({7, "make", false}, false).verdict, verdict::ok);
}

TEST(Doctor, BuildAndLibrariesAreTold) {
  build_facts build{
      "0.1.0", "GCC 12.2.0", "amd64", true, {{"OpenSSL", "3.0.17"}, {"zlib", "1.2.13"}}};
  const auto found = judge_build(build);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].sentence, "tofud 0.1.0 for amd64, GCC 12.2.0, libraries linked in");
  EXPECT_EQ(found[1].sentence, "OpenSSL 3.0.17, zlib 1.2.13");
  build.is_portable = false;
  EXPECT_EQ(judge_build(build)[0].sentence,
            "tofud 0.1.0 for amd64, GCC 12.2.0, libraries of this system");
}

TEST(Doctor, AKernelThatRefusesACallIsAWarningWithItsEffect) {
  const auto good = judge_kernel({"6.1.0", {}});
  ASSERT_EQ(good.size(), 1U);
  EXPECT_EQ(good[0].verdict, verdict::ok);
  const auto old =
      judge_kernel({"5.2.0", {{"pidfd_open", "the end of a command is seen up to 50 ms later"}}});
  ASSERT_EQ(old.size(), 1U);
  EXPECT_EQ(old[0].verdict, verdict::warning);
  EXPECT_EQ(old[0].sentence,
            "Linux 5.2.0 refuses pidfd_open: the end of a command is seen up to 50 ms later");
}

TEST(Doctor, ChecksComeInTheOrderOfAFirstRun) {
  facts all;
  all.places = {{"/a", "", false}};
  std::string order;
  for (const finding& each : judge(all)) order += each.about + " ";
  EXPECT_EQ(order, "build libraries kernel tofu spools page terminal CI cancelling ");
}

TEST(Doctor, ATokenThatEndsSoonIsAWarning) {
  EXPECT_TRUE(judge_tokens({}).empty());
  const auto found = judge_tokens(
      {{"ci", "2026-11-27", 0}, {"6a3ab54b", "2026-11-28", 1}, {"x", "2026-12-01", 4}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], (finding{verdict::warning, "tokens",
                               "the token ci ends within a day (2026-11-27); make its successor "
                               "with `tofud token create`, by the same name"}));
  EXPECT_NE(found[1].sentence.find("ends in 1 day (2026-11-28)"), std::string::npos);
  EXPECT_NE(found[2].sentence.find("ends in 4 days"), std::string::npos);
}

}  // namespace
}  // namespace tofud::doctor
