// Native syntax as tokens, as far as blocks and references need them. Written from the HCL native
// syntax specification ("Lexical Elements", "Template Expressions") and from what `validate` takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tofud::config {

enum class token_kind : std::uint8_t {
  identifier,
  number,
  open_quote,
  close_quote,
  open_heredoc,        // `<<EOT` and its newline
  close_heredoc,       // the line of the marker, without its newline
  literal,             // text of a template, as written
  open_interpolation,  // `${`
  open_directive,      // `%{`
  close_sequence,      // the `}` of either
  open_brace,
  close_brace,
  open_bracket,
  close_bracket,
  open_parenthesis,
  close_parenthesis,
  dot,
  double_colon,
  equals,
  other,  // any other operator
  newline,
  end,
  broken,  // what can't be a token; `lexer::failure` says why
};

struct token {
  token_kind kind = token_kind::end;
  std::string_view text;  // a view into the source
};

/// What a text begins in.
enum class lexed_as : std::uint8_t { body, template_text };

/// Cuts a text, which must outlive it, into tokens. Comments and blanks give none.
class lexer {
 public:
  explicit lexer(std::string_view text, lexed_as start = lexed_as::body);
  /// The next token. After `end` or `broken` the same again.
  token next();
  /// What is wrong with the text at a `broken` token: a sentence's end.
  std::string_view failure() const { return failure_; }
  /// The comment up to its line's end that stands before the last token (a `newline` or `end`), as
  /// written; empty if there is none.
  std::string_view comment() const { return comment_; }

 private:
  enum class mode_kind : std::uint8_t { expression, quoted, heredoc, bare_template };
  struct mode {
    mode_kind kind = mode_kind::expression;
    std::size_t braces = 0;   // open ones of an expression
    std::string_view marker;  // of a heredoc
  };

  token take(token_kind kind, std::size_t size);
  token broken(std::string_view why);
  bool enter(mode entered);
  bool skip_blanks();
  token next_of_expression();
  token next_of_template();
  token next_sign();
  token heredoc_begin();
  token heredoc_end();
  std::string_view rest() const { return text_.substr(at_); }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<mode> modes_;
  std::string_view failure_, comment_;
};

/// Whether brackets, quotes and sequences are one deeper behind this token.
bool opens(token_kind kind);
/// Whether they are one less deep.
bool closes(token_kind kind);

}  // namespace tofud::config
