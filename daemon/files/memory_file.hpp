// A file without a name on any disk: gone with the process, however that ends.
#pragma once

#include <boost/system/result.hpp>

#include <string>
#include <string_view>

namespace tofud::files {

/// Holds its bytes in memory. Nobody but this user's processes can open it.
class memory_file {
 public:
  /// The failure is a sentence.
  static boost::system::result<memory_file, std::string> of(std::string_view bytes);
  memory_file(memory_file&& other) noexcept;
  memory_file& operator=(memory_file&& other) noexcept;
  ~memory_file();

  /// Can be opened for reading, by this process, as long as this is there.
  std::string path() const;

 private:
  explicit memory_file(int descriptor) : descriptor_{descriptor} {}
  int descriptor_ = -1;
};

}  // namespace tofud::files
