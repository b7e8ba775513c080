// A directory of a journal that goes with the test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>

namespace tofud::journal {

class scratch_root {
 public:
  scratch_root() {
    // In memory where that is possible: a test syncs some thousand times.
    const bool shared = ::access("/dev/shm", W_OK) == 0;
    std::string name = shared ? "/dev/shm/tofud-test-XXXXXX"
                              : std::filesystem::temp_directory_path() / "tofud-test-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"mkdtemp " + name};
    path_ = name;
  }
  ~scratch_root() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_root(const scratch_root&) = delete;
  scratch_root& operator=(const scratch_root&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace tofud::journal
