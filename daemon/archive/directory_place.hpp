// An archive in a directory, such as one of a file server.
#pragma once

#include "daemon/archive/place.hpp"

#include <atomic>
#include <string>

namespace tofud::archive {

class directory_place final : public place {
 public:
  directory_place(journal::disk& on, std::string path);

  text::failure begin(used_before before) override;
  text::failure put(const std::string& path, const content& what) override;
  text::failure remove(const std::string& path) override;
  void give_up() noexcept override;

 private:
  text::failure make_directories(const std::string& of);

  journal::disk& on_;
  std::string root_;
  std::atomic<bool> given_up_ = false;
};

}  // namespace tofud::archive
