// Objects that somebody else wrote, in Boost.JSON's form, and their members.
#pragma once

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::json {

/// The string there; empty if it is missing or something else.
inline std::string text_at(const boost::json::object& object, std::string_view key) {
  const boost::json::value* found = object.if_contains({key.data(), key.size()});
  return found != nullptr && found->is_string() ? std::string{found->get_string()} : std::string{};
}

/// The whole number there, from 0 on; 0 if it is missing or something else.
inline std::uint64_t count_at(const boost::json::object& object, std::string_view key) {
  const boost::json::value* found = object.if_contains({key.data(), key.size()});
  return found != nullptr && found->is_int64() && found->get_int64() > 0
             ? static_cast<std::uint64_t>(found->get_int64())
             : 0;
}

inline bool is_true_at(const boost::json::object& object, std::string_view key) {
  const boost::json::value* found = object.if_contains({key.data(), key.size()});
  return found != nullptr && found->is_bool() && found->get_bool();
}

/// A document that is read and let go, as a daemon does with some of each run when it starts: its
/// values lie in it, and those beyond 8 KiB in pieces that go with it. What is kept is for
/// object_in().
class small_document {
 public:
  explicit small_document(std::string_view text) {
    boost::json::error_code failed;
    value_ = boost::json::parse({text.data(), text.size()}, failed, &memory_);
  }
  small_document(const small_document&) = delete;
  small_document& operator=(const small_document&) = delete;

  /// Null: the text is no object. Lives as long as this.
  const boost::json::object* object() const { return value_.if_object(); }

 private:
  std::array<unsigned char, std::size_t{8} * 1024> room_;
  boost::json::monotonic_resource memory_{room_.data(), room_.size()};
  boost::json::value value_ = boost::json::value(boost::json::storage_ptr(&memory_));
};

/// Nothing: the text is no object.
inline std::optional<boost::json::object> object_in(std::string_view text) {
  boost::json::error_code failed;
  boost::json::value read = boost::json::parse({text.data(), text.size()}, failed);
  if (failed || !read.is_object()) return std::nullopt;
  return std::move(read.get_object());
}

}  // namespace tofud::json
