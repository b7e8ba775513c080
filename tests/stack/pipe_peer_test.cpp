#include "daemon/stack/pipe_peer.hpp"

#include "tests/stack/scratch_tree.hpp"

#include <gtest/gtest.h>

namespace tofud::stack {
namespace {

class PipePeer : public testing::Test {
 protected:
  // What /proc shows of a process.
  void process(const std::string& pid, const std::string& out, const std::string& argv,
               const std::string& env = "") {
    tree_.folder(pid + "/fd");
    std::filesystem::create_symlink(out, tree_.path(pid + "/fd/1"));
    std::filesystem::create_symlink("/srv/" + pid, tree_.path(pid + "/cwd"));
    tree_.file(pid + "/cmdline", argv);
    tree_.file(pid + "/environ", env);
  }
  std::optional<pipe_peer> find() const { return find_pipe_peer(42, tree_.path("")); }

  scratch_tree tree_;
};

using namespace std::string_literals;

TEST_F(PipePeer, IsTheProcessWhoseStdoutIsOurPipe) {
  process("10", "pipe:[41]", "tofu\0plan\0"s);
  process("11", "pipe:[42]", "/usr/bin/tofu\0-chdir=x\0apply\0"s,
          "A=b\0TF_WORKSPACE=blue\0TF_DATA_DIR_X=no\0"s);
  const auto found = find();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->argv, (std::vector<std::string>{"/usr/bin/tofu", "-chdir=x", "apply"}));
  EXPECT_EQ(found->directory, "/srv/11");
  EXPECT_EQ(found->workspace, "blue");
  EXPECT_FALSE(found->data_dir);
}

TEST_F(PipePeer, IsTofuRatherThanTheShellAroundIt) {
  process("10", "pipe:[42]", "bash\0-c\0x\0"s);
  process("11", "pipe:[42]", "tofu\0apply\0"s);
  process("12", "pipe:[42]", "bash\0"s);
  EXPECT_EQ(find()->argv.front(), "tofu");
}

TEST_F(PipePeer, MayBeAScriptOfThatName) {
  process("10", "pipe:[42]", "/bin/bash\0/opt/bin/tofu\0plan\0"s);
  EXPECT_EQ(find()->argv, (std::vector<std::string>{"/opt/bin/tofu", "plan"}));
}

TEST_F(PipePeer, MayBeSomethingElse) {
  process("10", "pipe:[42]", "cat\0file\0"s);
  EXPECT_EQ(find()->argv.front(), "cat");
}

TEST_F(PipePeer, WithoutAWriterThereIsNone) {
  tree_.folder("self");
  process("10", "/dev/null", "tofu\0"s);
  EXPECT_FALSE(find());
}

}  // namespace
}  // namespace tofud::stack
