// Without libFuzzer: runs a fuzz target over the files it is told, folders with all that is in
// them.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  std::size_t count = 0;
  const auto run = [&](const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    const std::vector<char> bytes{std::istreambuf_iterator<char>{file}, {}};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++count;
  };
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      run(argv[i]);
      continue;
    }
    for (const auto& each : std::filesystem::recursive_directory_iterator{argv[i]})
      if (each.is_regular_file()) run(each.path());
  }
  std::cout << count << " inputs\n";
  return count > 0 ? 0 : 1;
}
