// Where each of many texts stands.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::text {

/// Numbers of texts by the texts, eight bytes each: `text_of(number)` gives the text, which nobody
/// keeps here. With a million of them no call takes longer than a fraction of a millisecond: a
/// table that grows moves all that it has, so there are many small ones once there are some
/// thousand texts.
class text_index {
 public:
  template <typename TextOf>
  std::optional<std::uint32_t> find(std::string_view text, const TextOf& text_of) const {
    const std::size_t hash = std::hash<std::string_view>{}(text);
    const table& in = tables_[place_of(hash)];
    const auto found = in.find(wanted<TextOf>{text, low(hash), text_of});
    if (found == in.end()) return std::nullopt;
    return found->number;
  }

  /// Of a text that is not there yet.
  void put(std::string_view text, std::uint32_t number) {
    const std::size_t hash = std::hash<std::string_view>{}(text);
    tables_[place_of(hash)].insert({low(hash), number});
    if (tables_.size() > 1) return;
    first_.emplace_back(hash, number);
    if (first_.size() >= split_at) split();
  }

 private:
  static constexpr std::size_t split_at = 4096, many = 256;

  struct place {
    std::uint32_t hash, number;
  };
  template <typename TextOf>
  struct wanted {
    std::string_view text;
    std::uint32_t hash;
    const TextOf& text_of;
  };
  struct hasher {
    using is_transparent = void;
    std::size_t operator()(const place& of) const { return of.hash; }
    template <typename TextOf>
    std::size_t operator()(const wanted<TextOf>& of) const {
      return of.hash;
    }
  };
  struct equal {
    using is_transparent = void;
    bool operator()(const place& one, const place& other) const {
      return one.number == other.number;
    }
    template <typename TextOf>
    bool operator()(const wanted<TextOf>& one, const place& other) const {
      return one.hash == other.hash && one.text_of(other.number) == one.text;
    }
    template <typename TextOf>
    bool operator()(const place& one, const wanted<TextOf>& other) const {
      return (*this)(other, one);
    }
  };
  using table = boost::unordered_flat_set<place, hasher, equal>;

  static std::uint32_t low(std::size_t hash) { return static_cast<std::uint32_t>(hash); }
  /// By bits that no table has.
  std::size_t place_of(std::size_t hash) const { return hash >> 40U & (tables_.size() - 1); }

  void split() {
    std::vector<table> made(many);
    made.swap(tables_);
    for (const auto& [hash, number] : first_) tables_[place_of(hash)].insert({low(hash), number});
    first_ = {};
  }

  std::vector<table> tables_{1};
  /// Until there are many tables: whole hashes and numbers.
  std::vector<std::pair<std::size_t, std::uint32_t>> first_;
};

}  // namespace tofud::text
