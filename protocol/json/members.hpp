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

/// A small document that is read and let go: its values lie beside it, and beyond 8 KiB in pieces
/// that go with it. A daemon reads some of each run it has, and half of the time was malloc's.
class read_document {
 public:
  explicit read_document(std::string_view text) {
    boost::json::error_code failed;
    value_ = boost::json::parse({text.data(), text.size()}, failed, &memory_);
  }
  read_document(const read_document&) = delete;
  read_document& operator=(const read_document&) = delete;

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
