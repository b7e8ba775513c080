#include "page.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace faults {

page* shared() {
  static page* const found = [] {
    const char* const path = std::getenv("TOFUD_FAULTS");
    const auto open = next<int (*)(const char*, int, ...)>("open");
    const int file = path == nullptr ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return static_cast<page*>(nullptr);
    void* const mapped = mmap(nullptr, sizeof(page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return mapped == MAP_FAILED ? nullptr : static_cast<page*>(mapped);
  }();
  return found;
}

}  // namespace faults
