#include "protocol/feed/row_frame.hpp"

#include "protocol/feed/append.hpp"
#include "protocol/feed/run_path.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/text/percent.hpp"

#include <algorithm>

namespace tofud::feed {

using json::append_quoted;
using namespace std::string_view_literals;  // append() would measure a plain literal each time

void open_row(std::string& out, row_kind kind, std::string_view key, const row_context& context) {
  out.append(R"({"kind":")"sv).append(name(kind)).append(R"(","key":)"sv);
  append_quoted(out, key);
  out.append(R"(,"run":)"sv);
  append_quoted(out, context.run);
  out.append(R"(,"seq":)"sv);
  append_number(out, context.seq);
}

void append_truncated(std::string& out, row_kind kind, std::string_view key,
                      const row_context& context, std::size_t bytes) {
  out.append(R"(,"truncated":true,"bytes":)"sv);
  append_number(out, bytes);
  std::string href = run_path(context.base, context.run);
  href.append("/row?kind="sv).append(name(kind)).append("&key="sv);
  text::append_percent_encoded(href, key);
  out.append(R"(,"href":)"sv);
  append_quoted(out, href);
}

void append_shortened(std::string& out, std::string_view text, std::size_t& excess) {
  if (excess == 0) {
    append_quoted(out, text);
    return;
  }
  const std::size_t whole = json::quoted_size(text) - 2;
  const std::size_t before = out.size();
  json::append_quoted_cut(out, text, whole - std::min(whole, excess));
  const std::size_t saved = whole + 2 - (out.size() - before);
  excess -= std::min(excess, saved);
}

void append_long_text(std::string& out, row_kind kind, std::string_view key,
                      const row_context& context, std::size_t start, std::string_view text) {
  const std::size_t whole = json::quoted_size(text) - 2;
  const std::size_t full = out.size() - start + whole + std::string_view{"\"\"}"}.size();
  std::string mark;
  append_truncated(mark, kind, key, context, full + context.left_out);
  const std::size_t excess = full + mark.size() - limits::row_bytes;
  json::append_quoted_cut(out, text, whole - std::min(whole, excess));
  out.append(mark).push_back('}');
}

}  // namespace tofud::feed
