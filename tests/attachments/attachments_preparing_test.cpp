// The worker's side of the process that prepares attachments. This program is its own child: what
// the class starts is itself, which then plays one of the parts below.
#include "daemon/attachments/attachments_preparing.hpp"

#include "daemon/cli/attach.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

void say(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

/// Descriptors, and signals that are ignored or blocked.
std::string inheritance() {
  std::string found = "fds";
  for (int fd = 0; fd < 64; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) found += " " + std::to_string(fd);
  }
  found += ", ignored";
  for (int number = 1; number < 32; ++number) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN)
      found += " " + std::to_string(number);
  }
  return found + (::getpgrp() == ::getpid() ? ", leads a group" : ", is in a group");
}

/// The saved plan as the child finds it.
std::string plan_in(const std::vector<std::string>& words) {
  constexpr std::string_view name = "--saved-plan=";
  for (const std::string& word : words) {
    if (!word.starts_with(name)) continue;
    std::ifstream file{word.substr(name.size())};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  return "none";
}

int play(std::string_view part, const std::vector<std::string>& words) {
  if (part == "parts") {
    say("config\nplan\nunknown\nnote something is wrong\nschemas");
  } else if (part == "words") {
    for (const std::string& word : words) say("note " + word);
  } else if (part == "plan") {
    say("note " + plan_in(words));
  } else if (part == "inheritance") {
    say("note " + inheritance());
  } else if (part == "dies") {
    say("config");
    ::kill(::getpid(), SIGKILL);
  } else if (part == "hangs") {
    if (const pid_t grandchild = ::fork(); grandchild != 0)
      say("note " + std::to_string(::getpid()) + " " + std::to_string(grandchild));
    for (;;) ::pause();
  }
  return 0;
}

}  // namespace

namespace tofud {
namespace {

namespace asio = boost::asio;

struct AttachmentsPreparing : ::testing::Test {
  void use(const char* part) { ::setenv("TEST_PART", part, 1); }

  attachments::attachments_preparing::listeners listeners() {
    return {[this](feed::attachment part) { said.push_back(std::string{feed::name(part)}); },
            [this](const std::string& sentence) { said.push_back("note " + sentence); },
            [this] { said.emplace_back("over"); }};
  }

  using words = std::vector<std::string>;

  words all(const attachments::wanted& what) {
    attachments::attachments_preparing preparing{io, what, listeners()};
    EXPECT_EQ(said, words{});
    EXPECT_FALSE(preparing.over());
    io.run();
    EXPECT_TRUE(preparing.over());
    return said;
  }

  asio::io_context io;
  words said;
};

TEST_F(AttachmentsPreparing, PartsAndSentencesComeInTheirOrder) {
  use("parts");
  EXPECT_EQ(all({}), (words{"config", "plan", "note something is wrong", "schemas", "over"}));
}

TEST_F(AttachmentsPreparing, TheChildGetsItsRequest) {
  use("words");
  attachments::wanted what;
  what.spool = "/s.jsonl";
  what.config = "-dash";
  what.schemas = {"a b", "c"};
  EXPECT_EQ(all(what), (words{"note --spool=/s.jsonl", "note --config=-dash", "note --schemas=a b",
                              "note --schemas=c", "over"}));
}

TEST_F(AttachmentsPreparing, TheChildInheritsOnlyWhatItNeeds) {
  use("inheritance");
  std::signal(SIGINT, SIG_IGN);
  const int own = ::open("/dev/null", O_RDONLY);  // not closed on exec
  EXPECT_EQ(all({}), (words{"note fds 0 1 2, ignored, leads a group", "over"}));
  ::close(own);
  std::signal(SIGINT, SIG_DFL);
}

TEST_F(AttachmentsPreparing, ASavedPlanThatIsDeletedAtOnceIsStillRead) {
  use("plan");
  std::string path = (std::filesystem::temp_directory_path() / "tofud-plan-XXXXXX").string();
  const int fd = ::mkstemp(path.data());
  ASSERT_EQ(::write(fd, "saved", 5), 5);
  ::close(fd);
  attachments::wanted what;
  what.found.plan = path;
  attachments::attachments_preparing preparing{io, what, listeners()};
  std::filesystem::remove(path);
  io.run();
  EXPECT_EQ(said, (words{"note saved", "over"}));
}

TEST_F(AttachmentsPreparing, APipeIsNotRead) {
  use("words");
  const std::string path =
      std::filesystem::temp_directory_path() / ("tofud-pipe-" + std::to_string(::getpid()));
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  attachments::wanted what;
  what.config = ".";
  what.found.plan = path;
  what.found.program = "tofu";
  EXPECT_EQ(all(what), (words{"note --config=.", "over"}));
  std::filesystem::remove(path);
}

TEST_F(AttachmentsPreparing, AChildThatDiesIsReportedAndItsPartsCount) {
  use("dies");
  EXPECT_EQ(
      all({}),
      (words{
          "config",
          "note not everything is attached to the run: the process that prepares attachments was "
          "killed by signal 9",
          "over"}));
}

TEST_F(AttachmentsPreparing, CancellingEndsTheChildAndAllThatItStarted) {
  use("hangs");
  auto preparing =
      std::make_unique<attachments::attachments_preparing>(io, attachments::wanted{}, listeners());
  while (said.empty()) io.run_one();
  pid_t child = 0, grandchild = 0;
  ASSERT_EQ(std::sscanf(said.front().c_str(), "note %d %d", &child, &grandchild), 2);
  preparing.reset();
  io.restart();
  io.run();
  EXPECT_EQ(said.size(), 1u);
  // The grandchild's end is seen by whoever adopts it; that it has got its signal is seen here.
  const auto runs = [](pid_t pid) {
    std::ifstream file{"/proc/" + std::to_string(pid) + "/stat"};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    const auto at = text.rfind(')');
    return at != std::string::npos && text[at + 2] != 'Z' && text[at + 2] != 'X';
  };
  while (runs(child) || runs(grandchild)) ::usleep(1000);
}

}  // namespace
}  // namespace tofud

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view{argv[1]} == tofud::attachments::attach_argument) {
    const char* part = std::getenv("TEST_PART");
    return play(part == nullptr ? "" : part, {argv + 2, argv + argc});
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
