#include "daemon/sqlite/database.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

namespace tofud::sqlite {
namespace {

[[noreturn]] void fail(sqlite3* in, int code) {
  const int primary = code & 0xff;
  throw failure{in == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(in),
                primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB};
}

std::string_view text_of(sqlite3_value* value) {
  const auto* bytes = sqlite3_value_text(value);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

void passes(sqlite3_context* asked, int /*count*/, sqlite3_value** texts) {
  const auto& filter = *static_cast<const row_filter*>(sqlite3_user_data(asked));
  sqlite3_result_int(asked, !filter || filter(text_of(texts[0]), text_of(texts[1])) ? 1 : 0);
}

}  // namespace

statement::~statement() {
  sqlite3_reset(prepared_);
  sqlite3_clear_bindings(prepared_);
}

void statement::check(int code) const {
  if (code != SQLITE_OK) fail(in_, code);
}

statement& statement::bind(std::string_view text) {
  check(sqlite3_bind_text(prepared_, ++bound_, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT));
  return *this;
}

statement& statement::bind(std::int64_t number) {
  check(sqlite3_bind_int64(prepared_, ++bound_, number));
  return *this;
}

statement& statement::bind(double number) {
  check(sqlite3_bind_double(prepared_, ++bound_, number));
  return *this;
}

statement& statement::bind(std::optional<std::int64_t> number) {
  if (number) return bind(*number);
  check(sqlite3_bind_null(prepared_, ++bound_));
  return *this;
}

bool statement::step() {
  const int code = sqlite3_step(prepared_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail(in_, code);
  return code == SQLITE_ROW;
}

void statement::run() {
  while (step()) {
  }
}

bool statement::is_null(int column) const {
  return sqlite3_column_type(prepared_, column) == SQLITE_NULL;
}

std::string statement::text(int column) const {
  const auto* bytes = sqlite3_column_text(prepared_, column);
  if (bytes == nullptr) return "";
  return {reinterpret_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(prepared_, column))};
}

std::int64_t statement::number(int column) const { return sqlite3_column_int64(prepared_, column); }
double statement::real(int column) const { return sqlite3_column_double(prepared_, column); }

database::database(const std::string& path, std::chrono::milliseconds patience) {
  // SQLite would make it readable as the umask says; what stands beside it takes its mode.
  const int made = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (made >= 0) ::close(made);
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (const int code = sqlite3_open_v2(path.c_str(), &open_, flags, nullptr); code != SQLITE_OK) {
    const std::string what = open_ == nullptr ? "no memory" : sqlite3_errmsg(open_);
    sqlite3_close(open_);
    throw failure{what, (code & 0xff) == SQLITE_NOTADB};
  }
  sqlite3_busy_timeout(open_, static_cast<int>(patience.count()));
  sqlite3_create_function_v2(open_, "passes", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, filter_.get(),
                             passes, nullptr, nullptr, nullptr);
}

database::~database() {
  prepared_.clear();
  sqlite3_close(open_);
}

void database::execute(const std::string& sql) {
  const int code = sqlite3_exec(open_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(open_, code);
}

statement database::prepare(const std::string& sql) {
  const auto found = std::find_if(prepared_.begin(), prepared_.end(),
                                  [&](const auto& each) { return each.first == sql; });
  if (found != prepared_.end()) {
    prepared_.splice(prepared_.begin(), prepared_, found);
  } else {
    sqlite3_stmt* made = nullptr;
    const int code =
        sqlite3_prepare_v3(open_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
    if (code != SQLITE_OK) fail(open_, code);
    prepared_.emplace_front(sql, shared_statement{made, finalizes{}});
    if (prepared_.size() > limits::prepared_statements) prepared_.pop_back();
  }
  return {*open_, prepared_.front().second};
}

void database::finalizes::operator()(sqlite3_stmt* prepared) const { sqlite3_finalize(prepared); }

std::int64_t database::last_id() const { return sqlite3_last_insert_rowid(open_); }

std::int64_t database::number(const std::string& sql) {
  auto asked = prepare(sql);
  return asked.step() ? asked.number(0) : 0;
}

namespace {

void roll_back(database& in) {
  try {
    in.execute("ROLLBACK");
  } catch (const failure&) {  // SQLite has rolled back itself
  }
}

}  // namespace

transaction::~transaction() {
  if (in_ != nullptr) roll_back(*in_);
}

read_transaction::~read_transaction() { roll_back(in_); }

}  // namespace tofud::sqlite
