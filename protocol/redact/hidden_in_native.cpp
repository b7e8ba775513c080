#include "protocol/config/lexer.hpp"
#include "protocol/redact/hidden_ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace tofud::redact {
namespace {

using config::token;
using config::token_kind;

class native_lines {
 public:
  native_lines(std::string_view code, const sensitive_names& names) : code_{code}, names_{names} {
    config::lexer lexer{code};
    do {
      tokens_.push_back(lexer.next());
    } while (tokens_.back().kind != token_kind::end && tokens_.back().kind != token_kind::broken);
  }

  std::vector<diagnostics::byte_range> hidden() {
    std::size_t at = 0;
    std::size_t begin = 0;
    while (at + 1 < tokens_.size()) {
      begin = at;
      at = line(at);
    }
    if (tokens_.back().kind == token_kind::broken) {
      hide(offset(named_ ? tokens_.size() - 1 : begin), code_.size());
    }
    return std::move(hidden_);
  }

 private:
  std::size_t offset(std::size_t at) const {
    if (tokens_[at].kind == token_kind::end) return code_.size();
    return static_cast<std::size_t>(tokens_[at].text.data() - code_.data());
  }
  // Behind the token before `at`: comments are no part of a value.
  std::size_t end_before(std::size_t at) const {
    return at == 0 ? 0 : offset(at - 1) + tokens_[at - 1].text.size();
  }
  token_kind kind(std::size_t at) const {
    return at < tokens_.size() ? tokens_[at].kind : token_kind::end;
  }

  void hide(std::size_t begin, std::size_t end) {
    constexpr std::string_view blanks = " \t\r\n";
    while (end > begin && blanks.find(code_[end - 1]) != blanks.npos) --end;
    if (end <= begin) return;
    if (!hidden_.empty() && code_.find_first_not_of(blanks, hidden_.back().end) >= begin)
      hidden_.back().end = end;
    else
      hidden_.push_back({begin, end});
  }

  // What is assigned at `at`, if something is; `behind` is where its value begins.
  std::optional<std::string_view> assigned(std::size_t at, std::size_t& behind) const {
    std::size_t next = at;
    std::string_view name;
    if (kind(at) == token_kind::identifier) {
      name = tokens_[at].text;
      next = at + 1;
    } else if (kind(at) == token_kind::open_quote && kind(at + 1) == token_kind::literal &&
               kind(at + 2) == token_kind::close_quote) {
      name = tokens_[at + 1].text;
      next = at + 3;
    } else {
      return {};
    }
    const bool equals = kind(next) == token_kind::equals;
    const bool colon = kind(next) == token_kind::other && tokens_[next].text == ":";
    if (!equals && !colon) return {};
    behind = next + 1;
    return name;
  }

  // Takes a line (and those that a value of it goes on in); returns where the next one begins.
  std::size_t line(std::size_t at) {
    const std::size_t begin = at;
    named_ = false;
    bool writes_something = false;
    while (at + 1 < tokens_.size() && kind(at) != token_kind::newline) {
      std::size_t behind = 0;
      const auto name = assigned(at, behind);
      if (name) named_ = true;
      if (name && names_.hides(*name)) {
        at = value(behind);
        continue;
      }
      if (kind(at) == token_kind::open_brace) named_ = true;
      if (kind(at) == token_kind::literal || kind(at) == token_kind::number)
        writes_something = true;
      at = name ? behind : at + 1;
    }
    // Out of the middle of something, or what begins the line before what could not be read.
    if (!named_ && writes_something && names_.any()) hide(offset(begin), end_before(at));
    return kind(at) == token_kind::newline ? at + 1 : at;
  }

  // Hides a value, unless it is a reference; returns where it ends.
  std::size_t value(std::size_t begin) {
    std::size_t at = begin;
    for (std::size_t depth = 0; at + 1 < tokens_.size(); ++at) {
      const token_kind each = kind(at);
      if (depth == 0 &&
          (each == token_kind::newline || config::closes(each) || tokens_[at].text == ",")) {
        break;
      }
      if (config::opens(each)) ++depth;
      if (config::closes(each)) --depth;
    }
    if (!is_reference(begin, at)) hide(offset(begin), end_before(at));
    return at;
  }

  bool is_reference(std::size_t begin, std::size_t end) const {
    bool quoted = false;
    std::size_t brackets = 0;
    for (std::size_t at = begin; at < end; ++at) {
      const std::string_view text = tokens_[at].text;
      switch (kind(at)) {
        case token_kind::identifier:
          if (text == "true" || text == "false") return false;
          break;
        case token_kind::open_bracket:
          ++brackets;
          break;
        case token_kind::close_bracket:
          --brackets;
          break;
        case token_kind::number:
          if (brackets == 0) return false;
          break;
        case token_kind::open_quote:
        case token_kind::close_quote:
          quoted = !quoted;
          if (brackets > 0) return false;
          break;
        case token_kind::open_interpolation:
        case token_kind::close_sequence:
        case token_kind::dot:
          break;
        default:
          return false;
      }
    }
    // A list is no reference either.
    return begin < end && kind(begin) != token_kind::open_bracket && !quoted;
  }

  std::string_view code_;
  const sensitive_names& names_;
  std::vector<token> tokens_;
  std::vector<diagnostics::byte_range> hidden_;
  bool named_ = false;  // the last line assigns or opens something
};

}  // namespace

std::vector<diagnostics::byte_range> hidden_in_native(std::string_view code,
                                                      const sensitive_names& names) {
  if (!names.any()) return {};
  return native_lines{code, names}.hidden();
}

}  // namespace tofud::redact
