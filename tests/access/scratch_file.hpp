// A token file in a directory of the test's own.
#pragma once

#include "daemon/access/token_file.hpp"

#include <filesystem>
#include <stdexcept>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp
#include <string>
#include <utility>

namespace tofud::tests {

class scratch_file {
 public:
  scratch_file() {
    std::string made = (std::filesystem::temp_directory_path() / "tofud-access-XXXXXX").string();
    if (::mkdtemp(made.data()) == nullptr) throw std::runtime_error{"no directory"};
    directory_ = made;
  }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  ~scratch_file() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  std::string path() const { return access::token_file_in(directory_); }

  /// The text of a new token.
  std::string add(access::scopes may, access::time now,
                  std::optional<access::time> expires = std::nullopt) {
    auto made = access::make_token("test", may, now, expires);
    change([&](auto& all) { all.push_back(made.kept); });
    return made.text;
  }
  template <typename Change>
  void change(Change how) {
    const auto failure = access::change_token_file(path(), [&](auto& all) {
      how(all);
      return text::failure{};
    });
    if (!failure.empty()) throw std::runtime_error{failure.text()};
  }

 private:
  std::filesystem::path directory_;
};

}  // namespace tofud::tests
