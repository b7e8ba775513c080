#include "protocol/config/native_body.hpp"

#include "protocol/config/annotation.hpp"
#include "protocol/config/limits.hpp"
#include "protocol/config/text_lines.hpp"

#include <utility>

namespace tofud::config {
namespace {

class native_reader {
 public:
  explicit native_reader(std::string_view text)
      : text_{text}, lexer_{text.substr(byte_order_mark(text))} {
    advance();
  }

  native_file read() {
    native_file file;
    read_body(file.body, 0);
    drop_notes();
    file.failed = failed_;
    file.stray_notes = std::move(stray_);
    return file;
  }

 private:
  // A comment is read with the end of its line: `now_` is that then.
  void advance() {
    now_ = lexer_.next();
    const bool own_line = std::exchange(line_begins_, at(token_kind::newline));
    if (!own_line || (at(token_kind::newline) && lexer_.comment().empty())) drop_notes();
    if (const auto note = note_in(lexer_.comment())) (own_line ? above_ : stray_).push_back(*note);
  }
  // Nothing stands below them that they could be about.
  void drop_notes() {
    stray_.insert(stray_.end(), above_.begin(), above_.end());
    above_.clear();
  }
  bool at(token_kind kind) const { return now_.kind == kind; }
  std::size_t offset() const { return static_cast<std::size_t>(now_.text.data() - text_.data()); }

  // Notes the first thing that is wrong; nothing is read behind it.
  bool fail(std::string_view what) {
    if (!failed_) failed_ = {offset(), at(token_kind::broken) ? lexer_.failure() : what};
    return false;
  }

  // Up to the brace that closes the body, or to the end of the file for the outermost.
  bool read_body(native_body& into, std::size_t depth) {
    if (depth > limits::module_nesting) return fail("blocks are nested too deep here");
    for (;;) {
      if (at(token_kind::newline)) {
        advance();
      } else if (at(token_kind::identifier)) {
        if (!read_item(into, depth)) return false;
      } else if (depth == 0 ? at(token_kind::end) : at(token_kind::close_brace)) {
        return true;
      } else if (at(token_kind::end)) {
        return fail("the file ends inside a block; close it with }");
      } else {
        return fail("an argument or a block is expected here");
      }
    }
  }

  bool read_item(native_body& into, std::size_t depth) {
    const std::string_view name = now_.text;
    std::vector<std::string_view> notes = std::exchange(above_, {});
    advance();
    if (!at(token_kind::equals)) return read_block(into, name, std::move(notes), depth);
    stray_.insert(stray_.end(), notes.begin(), notes.end());
    advance();
    return read_expression(into.arguments.emplace_back(native_argument{name, {}}));
  }

  // Up to the end of the line, or to the brace behind the only argument of a block.
  bool read_expression(native_argument& into) {
    const std::size_t begin = offset();
    std::size_t end = begin;
    std::size_t depth = 0;
    while (depth > 0 || !ends_expression()) {
      if (at(token_kind::broken)) return fail({});
      if (at(token_kind::end))
        return fail("the file ends inside an expression; close its brackets");
      if (opens(now_.kind)) ++depth;
      if (closes(now_.kind)) {
        if (depth == 0) return fail("this closes nothing");
        --depth;
      }
      if (!at(token_kind::newline)) end = offset() + now_.text.size();
      advance();
    }
    into.expression = text_.substr(begin, end - begin);
    return !into.expression.empty() || fail("an expression is expected after =");
  }

  bool ends_expression() const {
    return at(token_kind::newline) || at(token_kind::end) || at(token_kind::close_brace);
  }

  bool read_block(native_body& into, std::string_view type, std::vector<std::string_view> notes,
                  std::size_t depth) {
    native_block& block = into.blocks.emplace_back();
    block.type = type;
    block.notes = std::move(notes);
    while (!at(token_kind::open_brace)) {
      if (!read_label(block)) return false;
    }
    advance();
    if (!read_body(block.body, depth + 1)) return false;
    advance();
    return true;
  }

  bool read_label(native_block& of) {
    if (at(token_kind::identifier)) {
      of.labels.push_back(now_.text);
      advance();
      return true;
    }
    if (!at(token_kind::open_quote)) return fail("a block's labels or its { are expected here");
    advance();
    std::string_view label = now_.text.substr(0, 0);
    if (at(token_kind::literal)) {
      label = now_.text;
      advance();
    }
    if (!at(token_kind::close_quote))
      return fail("a label must be a string in quotes without templates");
    of.labels.push_back(label);
    advance();
    return true;
  }

  std::string_view text_;
  lexer lexer_;
  token now_;
  bool line_begins_ = true;
  std::vector<std::string_view> above_, stray_;  // notes: in the lines just read, about nothing
  std::optional<native_file::failure> failed_;
};

}  // namespace

native_file read_native(std::string_view text) { return native_reader{text}.read(); }

}  // namespace tofud::config
