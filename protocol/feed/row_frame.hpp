// What all rows have in common on the wire: where they begin, and how they stay within their limit.
// For the writers of rows alone.
#pragma once

#include "protocol/feed/encode.hpp"
#include "protocol/feed/limits.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::feed {

void open_row(std::string& out, row_kind kind, std::string_view key, const row_context& context);

/// What a cut row says in place of what it lost.
void append_truncated(std::string& out, row_kind kind, std::string_view key,
                      const row_context& context, std::size_t bytes);

/// Appends `text` quoted, shorter by up to `excess` bytes; takes what it saved off `excess`.
void append_shortened(std::string& out, std::string_view text, std::size_t& excess);

/// A row from `start` on, `full` bytes long, that is kept cut or is over the limit; see below.
/// Apart from the writing of rows that are neither, which nearly all are.
template <typename Write>
[[gnu::cold, gnu::noinline]] void write_cut(std::string& out, row_kind kind, std::string_view key,
                                            const row_context& context, std::size_t start,
                                            bool fits, Write& write) {
  const std::size_t full = out.size() - start;
  std::string mark;
  append_truncated(mark, kind, key, context, full + context.left_out);
  if (fits) {
    out.back() = ',';
    out.append(mark, 1).push_back('}');
    return;
  }
  out.resize(start);
  write(out, full + mark.size() - limits::row_bytes);
  out.append(mark);
  out.push_back('}');
}

/// Writes a row in full, with the mark of a cut row if it is kept cut; if that is over the limit,
/// asks `shrink(excess)` to write it again shorter by that much, with the mark of a cut row. A row
/// whose key alone is too long stays too long.
template <typename Write>
void write_within_limit(std::string& out, row_kind kind, std::string_view key,
                        const row_context& context, Write&& write) {
  const std::size_t start = out.size();
  write(out, std::size_t{0});
  out.push_back('}');
  const std::size_t full = out.size() - start;
  const bool fits = context.limit == cut::no || full <= limits::row_bytes;
  if (!fits || context.left_out > 0) write_cut(out, kind, key, context, start, fits, write);
}

/// The end of a row from `start` on whose text alone is over the limit: its beginning, and the
/// mark.
[[gnu::cold]] void append_long_text(std::string& out, row_kind kind, std::string_view key,
                                    const row_context& context, std::size_t start,
                                    std::string_view text);

/// A row that ends in a text, which `write` leaves out. A text over the limit is not written in
/// full first: it may be as long as a line.
template <typename Write>
void write_with_text(std::string& out, row_kind kind, std::string_view key,
                     const row_context& context, std::string_view text, Write&& write) {
  const auto whole = [&](std::string& to, std::size_t excess) {
    write(to);
    append_shortened(to, text, excess);
  };
  if (context.limit == cut::no || text.size() <= limits::row_bytes)
    return write_within_limit(out, kind, key, context, whole);
  const std::size_t start = out.size();
  write(out);
  append_long_text(out, kind, key, context, start, text);
}

}  // namespace tofud::feed
