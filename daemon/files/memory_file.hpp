// A file without a name on any disk: gone with the process, however that ends.
#pragma once

#include <boost/system/result.hpp>

#include <string>
#include <string_view>

namespace tofud::attachments {

/// Holds its bytes in memory. Nobody but this user's processes can open it.
class private_file {
 public:
  /// The failure is a sentence.
  static boost::system::result<private_file, std::string> of(std::string_view bytes);
  private_file(private_file&& other) noexcept;
  private_file& operator=(private_file&& other) noexcept;
  ~private_file();

  /// Can be opened for reading, by this process, as long as this is there.
  std::string path() const;

 private:
  explicit private_file(int descriptor) : descriptor_{descriptor} {}
  int descriptor_ = -1;
};

}  // namespace tofud::attachments
