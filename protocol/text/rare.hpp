// What few of very many things have.
#pragma once

#include <memory>
#include <utility>

namespace tofud::text {

/// A value in the room of a pointer: where it is the default one, nothing else is kept.
template <typename Value>
class rare {
 public:
  rare() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for the value
  rare(Value value) { *this = std::move(value); }
  rare(const rare& other) : kept_{other.kept_ ? std::make_unique<Value>(*other.kept_) : nullptr} {}
  rare(rare&&) noexcept = default;
  rare& operator=(const rare& other) {
    if (this != &other) kept_ = other.kept_ ? std::make_unique<Value>(*other.kept_) : nullptr;
    return *this;
  }
  rare& operator=(rare&&) noexcept = default;
  rare& operator=(Value value) {
    if (value == Value{})
      kept_.reset();
    else
      kept_ = std::make_unique<Value>(std::move(value));
    return *this;
  }
  ~rare() = default;

  bool is_default() const { return kept_ == nullptr; }
  const Value& operator*() const { return kept_ ? *kept_ : default_value(); }
  const Value* operator->() const { return &**this; }
  bool operator==(const rare& other) const { return **this == *other; }

 private:
  static const Value& default_value() {
    static const Value value{};
    return value;
  }

  std::unique_ptr<Value> kept_;
};

}  // namespace tofud::text
