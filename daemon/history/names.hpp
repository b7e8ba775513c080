// Texts of the table of operations, stored once: by their numbers. Of this folder alone.
#pragma once

#include "daemon/sqlite/database.hpp"
#include "protocol/ui/timestamp.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace tofud::history {

inline std::int64_t number_of(ui::time_point at) { return at.time_since_epoch().count(); }
inline ui::time_point time_of(std::int64_t number) {
  return ui::time_point{std::chrono::microseconds{number}};
}

/// Numbers of texts, remembered as long as this.
class names {
 public:
  explicit names(sqlite::database& in) : in_{in} {}

  /// Puts it, if it is not there.
  std::int64_t put(const std::string& name) {
    auto [at, added] = known_.try_emplace(name, 0);
    if (!added) return at->second;
    if (const auto there = find(name)) return at->second = *there;
    in_.prepare("INSERT INTO history_names(name) VALUES(?)").bind(name).run();
    return at->second = in_.last_id();
  }

  std::optional<std::int64_t> find(const std::string& name) {
    auto found = in_.prepare("SELECT id FROM history_names WHERE name=?");
    if (!found.bind(name).step()) return std::nullopt;
    return found.number(0);
  }

  /// Empty: there is none of that number.
  const std::string& text(std::int64_t id) {
    auto [at, added] = texts_.try_emplace(id);
    if (added) {
      auto found = in_.prepare("SELECT name FROM history_names WHERE id=?");
      if (found.bind(id).step()) at->second = found.text(0);
    }
    return at->second;
  }

 private:
  sqlite::database& in_;
  std::unordered_map<std::string, std::int64_t> known_;
  std::unordered_map<std::int64_t, std::string> texts_;
};

}  // namespace tofud::history
