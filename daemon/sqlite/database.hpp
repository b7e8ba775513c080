// SQLite as far as it is needed here: statements that are prepared once, failures as exceptions.
#pragma once

#include "daemon/sqlite/limits.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;       // NOLINT(readability-identifier-naming): the name is SQLite's
struct sqlite3_stmt;  // NOLINT(readability-identifier-naming): the name is SQLite's

namespace tofud::sqlite {

/// What SQLite says when it refuses; `damaged`: the file is no database, or a broken one.
class failure : public std::runtime_error {
 public:
  failure(const std::string& what, bool damaged) : std::runtime_error{what}, damaged_{damaged} {}
  bool damaged() const { return damaged_; }

 private:
  bool damaged_;
};

/// A prepared statement that is being used. Parameters and columns count from 0; ready for the next
/// use when it goes out of scope. Throws sqlite::failure.
class statement {
 public:
  statement(sqlite3& in, std::shared_ptr<sqlite3_stmt> prepared)
      : in_{&in}, shared_{std::move(prepared)}, prepared_{shared_.get()} {}
  ~statement();
  statement(const statement&) = delete;
  statement& operator=(const statement&) = delete;

  /// The next parameter, from the first on. Text is copied.
  statement& bind(std::string_view text);
  statement& bind(std::int64_t number);
  statement& bind(double number);
  statement& bind(std::optional<std::int64_t> number);

  /// Whether there is a row; runs the statement on the first call.
  bool step();
  /// For statements without rows.
  void run();

  bool is_null(int column) const;
  std::string text(int column) const;
  std::int64_t number(int column) const;
  double real(int column) const;

 private:
  void check(int code) const;

  sqlite3* in_;
  std::shared_ptr<sqlite3_stmt> shared_;
  sqlite3_stmt* prepared_;
  int bound_ = 0;
};

/// Whether a row may be seen, by two of its texts. Null: every row may.
using row_filter = std::function<bool(std::string_view, std::string_view)>;

/// Remembers the connection and the statements it was asked for last
/// (limits::prepared_statements): texts have `?` for values, so that there are few of them.
class database {
 public:
  /// Opens or makes the file, 0600. Throws failure, as all below. What somebody else holds locked
  /// is waited for as long as `patience`.
  explicit database(const std::string& path,
                    std::chrono::milliseconds patience = limits::sqlite_patience);
  ~database();
  database(const database&) = delete;
  database& operator=(const database&) = delete;

  /// Statements without parameters or rows, one after the other.
  void execute(const std::string& sql);
  statement prepare(const std::string& sql);
  std::int64_t number(const std::string& sql);
  /// The rowid of what was inserted last.
  std::int64_t last_id() const;

  /// What `passes(TEXT, TEXT)` means in statements that run from now on. It may not throw.
  void filter_by(row_filter filter) { *filter_ = std::move(filter); }

 private:
  sqlite3* open_ = nullptr;
  std::unique_ptr<row_filter> filter_ = std::make_unique<row_filter>();
  struct finalizes {
    void operator()(sqlite3_stmt* prepared) const;
  };
  using shared_statement =
      std::shared_ptr<sqlite3_stmt>;  // one that is being used outlives its place
  std::list<std::pair<std::string, shared_statement>> prepared_;  // the last used first
};

/// All or nothing: what was not committed when it goes out of scope has not happened.
class transaction {
 public:
  explicit transaction(database& in) : in_{&in} { in_->execute("BEGIN IMMEDIATE"); }
  ~transaction();
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;
  void commit() {
    in_->execute("COMMIT");
    in_ = nullptr;
  }

 private:
  database* in_;
};

/// Many statements that only read, of one state of the file: its locks are taken once, not for
/// each.
class read_transaction {
 public:
  explicit read_transaction(database& in) : in_{in} { in_.execute("BEGIN"); }
  ~read_transaction();
  read_transaction(const read_transaction&) = delete;
  read_transaction& operator=(const read_transaction&) = delete;

 private:
  database& in_;
};

}  // namespace tofud::sqlite
