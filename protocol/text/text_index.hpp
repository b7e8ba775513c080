// Where each of many texts stands.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace tofud::text {

/// A number for each text. The texts live as long. With a million of them no call takes longer than
/// a fraction of a millisecond: a table that grows hashes all that it has anew, so there are many
/// small ones once there are some thousand texts.
class text_index {
 public:
  std::optional<std::uint32_t> find(std::string_view text) const {
    const hashed wanted{text, hash_of(text)};
    const table& in = tables_[place_of(wanted.hash)];
    const auto found = in.find(wanted);
    if (found == in.end()) return std::nullopt;
    return found->second;
  }

  /// Nothing is done if it is there.
  void put(std::string_view text, std::uint32_t number) {
    if (tables_.size() == 1 && tables_.front().size() >= split_at) split();
    tables_[place_of(hash_of(text))].emplace(text, number);
  }

 private:
  static constexpr std::size_t split_at = 4096, many = 256;

  struct hashed {
    std::string_view text;
    std::size_t hash;
  };
  // Boost's own hash of a string goes byte by byte, and addresses are long.
  static std::size_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }
  struct hasher {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return hash_of(text); }
    std::size_t operator()(const hashed& of) const { return of.hash; }
  };
  struct equal {
    using is_transparent = void;
    bool operator()(std::string_view one, std::string_view other) const { return one == other; }
    bool operator()(const hashed& one, std::string_view other) const { return one.text == other; }
    bool operator()(std::string_view one, const hashed& other) const { return one == other.text; }
  };
  using table = boost::unordered_flat_map<std::string_view, std::uint32_t, hasher, equal>;

  /// By bits that a table does not begin with.
  std::size_t place_of(std::size_t hash) const { return hash >> 40U & (tables_.size() - 1); }

  void split() {
    std::vector<table> made(many);
    made.swap(tables_);
    for (const auto& [text, number] : made.front())
      tables_[place_of(hash_of(text))].emplace(text, number);
  }

  std::vector<table> tables_{1};
};

}  // namespace tofud::text
