// Values of the fold as bytes, and back. Structs are taken member by member by Boost.PFR, so that a
// new member is never forgotten; the format is that of one build, and nobody keeps it.
#pragma once

#include "protocol/text/rare.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/pfr.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tofud::correlator {

template <class T>
concept archived_number = std::is_integral_v<T> || std::is_enum_v<T>;
template <class T>
concept archived_text = std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;
template <class T>
concept archived_map = requires {
  typename T::mapped_type;
};
template <class T>
concept archived_array = requires {
  std::tuple_size<T>::value;
}
&&requires(T value) { value.size(); };
template <class T>
concept archived_list =
    !archived_text<T> && !archived_map<T> && !archived_array<T> && requires(T value) {
  value.push_back(std::declval<typename T::value_type>());
};

/// Appends to `out`.
class state_writer {
 public:
  explicit state_writer(std::string& out) : out_{out} {}

  template <archived_number T>
  void put(const T& value) {
    auto rest = static_cast<std::uint64_t>(value);
    for (; rest >= 0x80; rest >>= 7U) out_.push_back(static_cast<char>(rest | 0x80U));
    out_.push_back(static_cast<char>(rest));
  }
  template <archived_text T>
  void put(const T& text) {
    put(text.size());
    out_.append(text);
  }
  template <class Rep, class Period>
  void put(std::chrono::duration<Rep, Period> span) {
    put(span.count());
  }
  template <class Clock, class Duration>
  void put(std::chrono::time_point<Clock, Duration> at) {
    put(at.time_since_epoch());
  }
  /// What is elsewhere is put back by who knows it.
  template <class T>
  void put(const T* const&) {}
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class T>
  void put(const text::rare<T>& value) {
    put(!value.is_default());
    if (!value.is_default()) put(*value);
  }
  void put(const ui::optional_time& at) { put(std::optional<ui::time_point>{at}); }
  template <class T>
  void put(const T& value) {
    if constexpr (archived_map<T>) {
      put(value.size());
      for (const auto& [key, mapped] : value) {
        put(key);
        put(mapped);
      }
    } else if constexpr (archived_array<T>) {
      for (const auto& each : value) put(each);
    } else if constexpr (archived_list<T>) {
      put(value.size());
      for (const auto& each : value) put(each);
    } else {
      boost::pfr::for_each_field(value, [this](const auto& member) { put(member); });
    }
  }

 private:
  std::string& out_;
};

/// Reads what `state_writer` wrote. Beyond the end everything is 0 or empty, and `failed()`.
class state_reader {
 public:
  /// `keep` gives a text that lives as long as what is read.
  state_reader(std::string_view bytes, std::function<std::string_view(std::string_view)> keep)
      : rest_{bytes}, keep_{std::move(keep)} {}

  bool failed() const { return failed_; }
  /// What was read does not go together.
  void fail() {
    failed_ = true;
    rest_ = {};
  }
  bool at_end() const { return rest_.empty(); }
  void keep_by(std::function<std::string_view(std::string_view)> keep) { keep_ = std::move(keep); }

  template <archived_number T>
  void get(T& value) {
    std::uint64_t made = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (rest_.empty() || shift > 63) return fail();
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      made |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) break;
    }
    value = static_cast<T>(made);
  }
  void get(std::string& text) { text = next_text(); }
  void get(std::string_view& text) { text = keep_(next_text()); }
  template <class Rep, class Period>
  void get(std::chrono::duration<Rep, Period>& span) {
    Rep count{};
    get(count);
    span = std::chrono::duration<Rep, Period>{count};
  }
  template <class Clock, class Duration>
  void get(std::chrono::time_point<Clock, Duration>& at) {
    Duration since{};
    get(since);
    at = std::chrono::time_point<Clock, Duration>{since};
  }
  template <class T>
  void get(const T*& value) {
    value = nullptr;
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool is_there = false;
    get(is_there);
    value.reset();
    if (is_there) get(value.emplace());
  }
  template <class T>
  void get(text::rare<T>& value) {
    bool is_there = false;
    get(is_there);
    T made{};
    if (is_there) get(made);
    value = std::move(made);
  }
  void get(ui::optional_time& at) {
    std::optional<ui::time_point> read;
    get(read);
    at = read;
  }
  template <class T>
  void get(T& value) {
    if constexpr (archived_map<T>) {
      value.clear();
      for (std::size_t left = next_size(); left > 0 && !failed_; --left) {
        typename T::key_type key{};
        typename T::mapped_type mapped{};
        get(key);
        get(mapped);
        value.emplace(std::move(key), std::move(mapped));
      }
    } else if constexpr (archived_array<T>) {
      for (auto& each : value) get(each);
    } else if constexpr (archived_list<T>) {
      value.clear();
      for (std::size_t left = next_size(); left > 0 && !failed_; --left) {
        typename T::value_type each{};
        get(each);
        value.push_back(std::move(each));
      }
    } else {
      boost::pfr::for_each_field(value, [this](auto& member) { get(member); });
    }
  }

 private:
  std::size_t next_size() {
    std::size_t size = 0;
    get(size);
    if (size > rest_.size()) fail();  // each element takes a byte at least
    return failed_ ? 0 : size;
  }
  std::string_view next_text() {
    const std::size_t size = next_size();
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(text.size());
    return text;
  }

  std::string_view rest_;
  std::function<std::string_view(std::string_view)> keep_;
  bool failed_ = false;
};

}  // namespace tofud::correlator
