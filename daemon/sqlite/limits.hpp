// Limits of daemon/sqlite, each with its reason.
#pragma once

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Statements of SQLite that are kept prepared: the index has some twenty, and a list has as many
/// shapes as it has filters.
inline constexpr std::size_t prepared_statements = 32;

/// How long a lock of somebody else on a database is waited for: somebody looks at it with the
/// sqlite3 program.
inline constexpr std::chrono::milliseconds sqlite_patience{1000};

}  // namespace tofud::limits
