// A directory of files for one test.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace tofud::stack {

class scratch_tree {
 public:
  scratch_tree() {
    std::string pattern = testing::TempDir() + "tree-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no directory to work in";
    top_ = std::filesystem::canonical(pattern);
  }
  ~scratch_tree() { std::filesystem::remove_all(top_); }
  scratch_tree(const scratch_tree&) = delete;
  scratch_tree& operator=(const scratch_tree&) = delete;

  std::filesystem::path path(const std::string& name) const { return top_ / name; }
  std::filesystem::path folder(const std::string& name) const {
    std::filesystem::create_directories(top_ / name);
    return top_ / name;
  }
  void file(const std::string& name, const std::string& text) const {
    folder(std::filesystem::path{name}.parent_path().string());
    std::ofstream{top_ / name} << text;
  }

 private:
  std::filesystem::path top_;
};

}  // namespace tofud::stack
