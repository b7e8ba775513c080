// Members of an object that somebody else wrote, in Boost.JSON's form.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace tofud::json {

/// The string there; empty if it is missing or something else.
inline std::string text_at(const boost::json::object& object, std::string_view key) {
  const boost::json::value* found = object.if_contains({key.data(), key.size()});
  return found != nullptr && found->is_string() ? std::string{found->get_string()} : std::string{};
}

}  // namespace tofud::json
