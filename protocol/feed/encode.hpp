// Row to JSON: one object, no newline. README.md has an example of every line.
#pragma once

#include "protocol/feed/limits.hpp"
#include "protocol/feed/row.hpp"

#include <string>
#include <string_view>

namespace tofud::feed {

/// The fields of a row's frame that are not its own. The REST reads ask for rows in full.
enum class cut : bool { no, at_limit };

struct row_context {
  std::string_view run;
  sequence seq = 0;
  cut limit = cut::at_limit;   // limits::row_bytes
  std::string_view base = {};  // of run_path
  /// Bytes of its texts that whoever keeps the row does not have (limits::kept_text_bytes): it is
  /// cut, whatever its length.
  std::size_t left_out = 0;
};

void encode(std::string& out, const resource_row& row, const row_context& context);
void encode(std::string& out, const diagnostic_row& row, const row_context& context);
void encode(std::string& out, const output_row& row, const row_context& context);
void encode(std::string& out, const message_row& row, const row_context& context);
void encode(std::string& out, const test_file_row& row, const row_context& context);
void encode(std::string& out, const test_run_row& row, const row_context& context);
void encode(std::string& out, const log_line& line, const row_context& context);
void encode(std::string& out, const text_line& line, const row_context& context);

/// A run as a view (`seq` 0: no sequence number) or as a row of the wall.
void encode(std::string& out, const run_view& run, sequence seq);

/// Keys under which subscribers hold rows.
std::string key(const test_run_row& row);
std::string key(const log_line& line);

}  // namespace tofud::feed
