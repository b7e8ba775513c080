// What the lines of all topics of a process may take in memory together.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace tofud::fanout {

class line_budget {
 public:
  explicit line_budget(std::size_t most_bytes) : most_{most_bytes} {}
  std::size_t held() const { return held_; }

  /// What one store holds of it, given back with the store.
  class share {
   public:
    explicit share(std::shared_ptr<line_budget> of) : of_{std::move(of)} {}
    share(share&& other) noexcept
        : of_{std::move(other.of_)}, held_{std::exchange(other.held_, 0)} {}
    share& operator=(share&& other) noexcept {
      std::swap(of_, other.of_);
      std::swap(held_, other.held_);
      return *this;
    }
    ~share() { hold(0); }

    void hold(std::size_t bytes) {
      if (!of_) return;
      of_->held_ += bytes - held_;
      held_ = bytes;
    }
    /// All of them together hold more than they may.
    bool is_too_much() const { return of_ && of_->held_ > of_->most_; }

   private:
    std::shared_ptr<line_budget> of_;  // null: there is none
    std::size_t held_ = 0;
  };

 private:
  std::size_t most_, held_ = 0;
};

}  // namespace tofud::fanout
