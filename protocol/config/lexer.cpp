#include "protocol/config/lexer.hpp"

#include "protocol/config/limits.hpp"

#include <algorithm>

namespace tofud::config {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Names may hold any letter of Unicode; what is no letter there is no name for OpenTofu either.
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool continues_name(char c) { return starts_name(c) || is_digit(c) || c == '-'; }

std::size_t name_size(std::string_view text) {
  if (text.empty() || !starts_name(text.front())) return 0;
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), continues_name) -
                                  text.begin());
}

std::size_t digits(std::string_view text, std::size_t from) {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

std::size_t number_size(std::string_view text) {
  std::size_t size = digits(text, 0);
  if (size + 1 < text.size() && text[size] == '.' && is_digit(text[size + 1])) {
    size = digits(text, size + 1);
  }
  if (size < text.size() && (text[size] == 'e' || text[size] == 'E')) {
    std::size_t exponent = size + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (digits(text, exponent) != exponent) size = digits(text, exponent);
  }
  return size;
}

// Behind the `$` or `%` at `at` and those that follow it. If a brace is next, with it: `$${` and
// `$$${` stand for text; but alone, `${` begins a sequence, and then this is `at`.
std::size_t behind_signs(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_not_of(text[at], at), text.size());
  if (end == text.size() || text[end] != '{') return end;
  return end - at == 1 ? at : end + 1;
}

std::string_view trim_blanks(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

}  // namespace

bool opens(token_kind kind) {
  switch (kind) {
    case token_kind::open_quote:
    case token_kind::open_heredoc:
    case token_kind::open_interpolation:
    case token_kind::open_directive:
    case token_kind::open_brace:
    case token_kind::open_bracket:
    case token_kind::open_parenthesis:
      return true;
    default:
      return false;
  }
}

bool closes(token_kind kind) {
  switch (kind) {
    case token_kind::close_quote:
    case token_kind::close_heredoc:
    case token_kind::close_sequence:
    case token_kind::close_brace:
    case token_kind::close_bracket:
    case token_kind::close_parenthesis:
      return true;
    default:
      return false;
  }
}

lexer::lexer(std::string_view text, lexed_as start) : text_{text} {
  modes_.push_back(
      {start == lexed_as::body ? mode_kind::expression : mode_kind::bare_template, 0, {}});
}

token lexer::next() {
  if (!failure_.empty()) return broken(failure_);
  return modes_.back().kind == mode_kind::expression ? next_of_expression() : next_of_template();
}

token lexer::take(token_kind kind, std::size_t size) {
  const token taken{kind, text_.substr(at_, size)};
  at_ += taken.text.size();
  return taken;
}

token lexer::broken(std::string_view why) {
  failure_ = why;
  return {token_kind::broken, text_.substr(at_, 0)};
}

bool lexer::enter(mode entered) {
  if (modes_.size() >= limits::module_nesting) return false;
  modes_.push_back(entered);
  return true;
}

// Blanks and comments. False if a comment does not end.
bool lexer::skip_blanks() {
  comment_ = {};
  for (;;) {
    at_ = std::min(text_.find_first_not_of(" \t\r", at_), text_.size());
    if (rest().starts_with("#") || rest().starts_with("//")) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      comment_ = text_.substr(at_, end - at_);
      at_ = end;
    } else if (rest().starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) return false;
      at_ = end + 2;
    } else {
      return true;
    }
  }
}

token lexer::next_of_expression() {
  if (!skip_blanks()) return broken("the comment that begins here is not closed; close it with */");
  if (at_ == text_.size()) {
    if (modes_.size() == 1) return take(token_kind::end, 0);
    return broken("the file ends inside a template; close it with }");
  }
  if (const std::size_t size = name_size(rest())) return take(token_kind::identifier, size);
  if (is_digit(text_[at_])) return take(token_kind::number, number_size(rest()));
  if (rest().starts_with("<<")) return heredoc_begin();
  return next_sign();
}

token lexer::next_sign() {
  mode& now = modes_.back();
  switch (text_[at_]) {
    case '\n':
      return take(token_kind::newline, 1);
    case '"':
      if (!enter({mode_kind::quoted, 0, {}})) return broken("templates are nested too deep here");
      return take(token_kind::open_quote, 1);
    case '{':
      ++now.braces;
      return take(token_kind::open_brace, 1);
    case '}':
      if (now.braces > 0) {
        --now.braces;
        return take(token_kind::close_brace, 1);
      }
      if (modes_.size() == 1) return take(token_kind::close_brace, 1);
      modes_.pop_back();
      return take(token_kind::close_sequence, 1);
    case '[':
      return take(token_kind::open_bracket, 1);
    case ']':
      return take(token_kind::close_bracket, 1);
    case '(':
      return take(token_kind::open_parenthesis, 1);
    case ')':
      return take(token_kind::close_parenthesis, 1);
    case '.':
      if (rest().starts_with("...")) return take(token_kind::other, 3);
      return take(token_kind::dot, 1);
    case ':':
      if (rest().starts_with("::")) return take(token_kind::double_colon, 2);
      return take(token_kind::other, 1);
    case '=':
      if (rest().starts_with("==") || rest().starts_with("=>")) return take(token_kind::other, 2);
      return take(token_kind::equals, 1);
    case '!':
    case '<':
    case '>':
      return take(token_kind::other, rest().substr(1).starts_with("=") ? 2 : 1);
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '&':
    case '|':
    case '?':
    case ',':
    case '~':
      return take(token_kind::other, 1);
    default:
      return broken("this character has no meaning here");
  }
}

token lexer::heredoc_begin() {
  const std::size_t marker_at = rest().starts_with("<<-") ? 3 : 2;
  const std::size_t size = name_size(rest().substr(marker_at));
  std::size_t end = marker_at + size;
  if (rest().substr(end).starts_with("\r")) ++end;
  if (size == 0 || !rest().substr(end).starts_with("\n")) {
    return broken("a heredoc begins with a marker alone, such as <<EOT");
  }
  if (!enter({mode_kind::heredoc, 0, rest().substr(marker_at, size)})) {
    return broken("templates are nested too deep here");
  }
  return take(token_kind::open_heredoc, end + 1);
}

// The line of the marker if that is where we are; else `end`, and nothing was taken.
token lexer::heredoc_end() {
  const bool line_begins = at_ == 0 || text_[at_ - 1] == '\n';
  if (!line_begins) return {};
  const std::string_view line = rest().substr(0, rest().find('\n'));
  if (trim_blanks(line) != modes_.back().marker) return {};
  modes_.pop_back();
  return take(token_kind::close_heredoc, line.size());
}

token lexer::next_of_template() {
  const mode_kind kind = modes_.back().kind;
  if (kind == mode_kind::heredoc) {
    if (const token end = heredoc_end(); end.kind == token_kind::close_heredoc) return end;
  }
  std::size_t i = at_;
  const auto literal = [&] { return take(token_kind::literal, i - at_); };
  while (i < text_.size()) {
    const char c = text_[i];
    if (c == '$' || c == '%') {
      const std::size_t behind = behind_signs(text_, i);
      if (behind > i) {
        i = behind;
        continue;
      }
      if (i > at_) return literal();
      if (!enter({})) return broken("templates are nested too deep here");
      return take(c == '$' ? token_kind::open_interpolation : token_kind::open_directive, 2);
    }
    if (kind == mode_kind::quoted && c == '"') {
      if (i > at_) return literal();
      modes_.pop_back();
      return take(token_kind::close_quote, 1);
    }
    if (kind == mode_kind::quoted && c == '\n') {
      at_ = i;
      return broken("a string is not closed in its line; close it with \"");
    }
    i += kind == mode_kind::quoted && c == '\\' && i + 1 < text_.size() && text_[i + 1] != '\n' ? 2
                                                                                                : 1;
    if (kind == mode_kind::heredoc && c == '\n') return literal();
  }
  if (kind == mode_kind::bare_template) {
    return i > at_ ? literal() : take(token_kind::end, 0);
  }
  return broken(kind == mode_kind::quoted
                    ? "a string is not closed; close it with \""
                    : "a heredoc is not closed; put its marker alone on a line");
}

}  // namespace tofud::config
