// A JSON text whose values know where they stand.
#pragma once

#include "protocol/json/document.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::config {

class json_text {
 public:
  /// `text` must outlive this.
  explicit json_text(std::string_view text);

  /// What was read before an error.
  json::value root() const { return parser_.root(); }

  struct failure {
    std::size_t offset;
    std::string what;  // a sentence
  };
  const std::optional<failure>& failed() const { return failed_; }

  /// Offsets in the text: of a value, and of its key in quotes if it is an object's member.
  std::size_t value_at(json::value of) const { return places_.at(of.index()).value; }
  std::size_t key_at(json::value of) const { return places_.at(of.index()).key; }

 private:
  struct value_place {
    std::size_t key, value;
  };
  enum class member_of : std::uint8_t { nothing, object };
  std::size_t find_places(std::string_view text, std::size_t at, json::value of, member_of parent);

  json::document_parser parser_;
  std::vector<value_place> places_;  // by value::index
  std::optional<failure> failed_;
};

}  // namespace tofud::config
