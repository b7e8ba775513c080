#include "protocol/json/document.hpp"

#include "protocol/json/lexer.hpp"
#include "protocol/json/limits.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/json/raw_text.hpp"
#include "protocol/text/sizes.hpp"
#include "protocol/text/text_arena.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace tofud::json {
namespace {

// From a text to nodes. Where a function takes the place of a value and returns another, that is
// where the value ends; nullptr if it is none.
class node_parser {
 public:
  explicit node_parser(key_policy policy) : policy_{policy} {}

  std::optional<parse_error> parse(std::string_view source) {
    tokens_ = lexer{source};
    count_ = 0;
    open_.clear();
    arena_.clear();
    left_ = limits::json_depth;
    error_ = parse_error::syntax;
    const char* at = value_at(tokens_.behind_blanks(source.data()), {});
    if (at != nullptr) {
      at = tokens_.behind_blanks(at);
      if (!tokens_.at_end(at)) tokens_.fail(at);
    }
    if (room_.capacity() > limits::mib) room_ = {};
    const bool whole = at != nullptr && tokens_.at_end(at);
    consumed_ = static_cast<std::size_t>((whole ? at : tokens_.failed()) - source.data());
    if (whole) return {};
    // What was still open ends here.
    for (const std::uint32_t open : open_) nodes_[open].end = count_;
    return error_;
  }

  value root() const {
    return count_ == 0 ? json::value{} : json::value{nodes_.data(), nodes_.data()};
  }
  std::size_t consumed() const { return consumed_; }

 private:
  [[gnu::always_inline]] const char* value_at(const char* at, std::string_view key) {
    switch (tokens_.byte_at(at)) {
      case '"': {
        const char* const end = tokens_.behind_plain(at + 1);
        if (tokens_.byte_at(end) != '"') return odd_string(at, end, key);
        const std::string_view characters{at + 1, static_cast<std::size_t>(end - at - 1)};
        return add(kind::string, key, characters) ? end + 1 : refuse(at);
      }
      case '{':
        return object(at, key);
      case '[':
        return array(at, key);
      case 't':
        return scalar(at, kind::boolean_true, key, tokens_.word(at, "true"));
      case 'f':
        return scalar(at, kind::boolean_false, key, tokens_.word(at, "false"));
      case 'n':
        return scalar(at, kind::null, key, tokens_.word(at, "null"));
      default:
        return scalar(at, kind::number, key, tokens_.number(at));
    }
  }

  /// With escapes, or other characters than ASCII.
  [[gnu::noinline]] const char* odd_string(const char* at, const char* looked_at,
                                           std::string_view key) {
    std::string_view characters;
    const char* const end = tokens_.string(at + 1, looked_at, characters, room_);
    if (end == nullptr) return nullptr;
    return add(kind::string, key, kept(characters)) ? end : refuse(at);
  }

  const char* scalar(const char* at, kind type, std::string_view key, const char* end) {
    if (end == nullptr) return nullptr;
    const std::string_view written{at, static_cast<std::size_t>(end - at)};
    return add(type, key, written) ? end : refuse(at);
  }

  const char* object(const char* at, std::string_view key) {
    if (!enter(at)) return nullptr;
    if (!add(kind::object, key, {})) return refuse(at);
    const std::uint32_t opened = count_ - 1;
    open_.push_back(opened);
    at = tokens_.behind_blanks(at + 1);
    if (tokens_.byte_at(at) != '}') {
      for (;; at = tokens_.behind_blanks(at + 1)) {
        at = member(at);
        if (at == nullptr) return nullptr;
        if (tokens_.byte_at(at) != ',') break;
      }
    }
    return tokens_.byte_at(at) == '}' ? leave(at, opened) : tokens_.fail(at);
  }

  const char* array(const char* at, std::string_view key) {
    if (!enter(at)) return nullptr;
    if (!add(kind::array, key, {})) return refuse(at);
    const std::uint32_t opened = count_ - 1;
    open_.push_back(opened);
    at = tokens_.behind_blanks(at + 1);
    if (tokens_.byte_at(at) != ']') {
      for (;; at = tokens_.behind_blanks(at + 1)) {
        at = value_at(at, {});
        if (at == nullptr) return nullptr;
        at = tokens_.behind_blanks(at);
        if (tokens_.byte_at(at) != ',') break;
      }
    }
    return tokens_.byte_at(at) == ']' ? leave(at, opened) : tokens_.fail(at);
  }

  /// A key and its value, and the blanks behind.
  [[gnu::always_inline]] const char* member(const char* at) {
    if (tokens_.byte_at(at) != '"') return tokens_.fail(at);
    const char* end = tokens_.behind_plain(at + 1);
    std::string_view key{at + 1, static_cast<std::size_t>(end - at - 1)};
    if (tokens_.byte_at(end) == '"')
      ++end;
    else if ((end = odd_key(at, end)) != nullptr)
      key = odd_key_;
    else
      return nullptr;
    const char* const place = behind_colon(end);
    if (place == nullptr) return nullptr;
    const std::size_t depth = open_.size();
    if (depth == 1) top_ = key;
    if (depth <= 3) {
      const keep mode = policy_(depth == 1 ? std::string_view{} : top_, depth, key);
      if (mode != keep::tree) {
        at = value_aside(place, key, mode);
        return at == nullptr ? nullptr : tokens_.behind_blanks(at);
      }
    }
    at = value_at(place, key);
    return at == nullptr ? nullptr : tokens_.behind_blanks(at);
  }

  [[gnu::noinline]] const char* odd_key(const char* at, const char* looked_at) {
    const char* const end = tokens_.string(at + 1, looked_at, odd_key_, room_);
    if (end != nullptr) odd_key_ = kept(odd_key_);
    return end;
  }

  /// And the blanks around it.
  const char* behind_colon(const char* at) {
    at = tokens_.behind_blanks(at);
    return tokens_.byte_at(at) == ':' ? tokens_.behind_blanks(at + 1) : tokens_.fail(at);
  }

  // ---- values that are no nodes: they are read all the same ---------------------------------

  const char* value_aside(const char* at, std::string_view key, keep mode) {
    raw_.clear(limits::mib);
    writes_ = mode == keep::raw;
    const char* const end = passed(at);
    if (end == nullptr || mode == keep::skip) return end;
    const bool added = mode == keep::raw ? add(kind::raw, key, arena_.keep(raw_.text()))
                                         : add(kind::null, key, "null");
    return added ? end : refuse(at);
  }

  const char* passed(const char* at) {
    switch (tokens_.byte_at(at)) {
      case '"': {
        std::string_view characters;
        const char* const end =
            tokens_.string(at + 1, tokens_.behind_plain(at + 1), characters, room_);
        if (end != nullptr && writes_) raw_.string(characters);
        return end;
      }
      case '{':
        return passed_all(at, '}');
      case '[':
        return passed_all(at, ']');
      case 't':
        return passed_scalar(at, tokens_.word(at, "true"));
      case 'f':
        return passed_scalar(at, tokens_.word(at, "false"));
      case 'n':
        return passed_scalar(at, tokens_.word(at, "null"));
      default:
        return passed_scalar(at, tokens_.number(at));
    }
  }

  const char* passed_scalar(const char* at, const char* end) {
    if (end != nullptr && writes_) raw_.scalar({at, static_cast<std::size_t>(end - at)});
    return end;
  }

  /// The members or elements up to that bracket.
  const char* passed_all(const char* at, char bracket) {
    if (!enter(at)) return nullptr;
    if (writes_) raw_.open(*at);
    at = tokens_.behind_blanks(at + 1);
    if (tokens_.byte_at(at) != bracket) {
      for (;; at = tokens_.behind_blanks(at + 1)) {
        if (bracket == '}') {
          if (tokens_.byte_at(at) != '"') return tokens_.fail(at);
          std::string_view name;
          at = tokens_.string(at + 1, tokens_.behind_plain(at + 1), name, room_);
          if (at == nullptr) return nullptr;
          if (writes_) raw_.key(name);
          at = behind_colon(at);
          if (at == nullptr) return nullptr;
        }
        at = passed(at);
        if (at == nullptr) return nullptr;
        at = tokens_.behind_blanks(at);
        if (tokens_.byte_at(at) != ',') break;
      }
    }
    if (tokens_.byte_at(at) != bracket) return tokens_.fail(at);
    if (writes_) raw_.close(bracket);
    ++left_;
    return at + 1;
  }

  // -------------------------------------------------------------------------------------------

  bool enter(const char* at) {
    if (left_ == 0) {
      error_ = parse_error::too_deep;
      tokens_.fail(at);
      return false;
    }
    --left_;
    return true;
  }

  const char* leave(const char* at, std::uint32_t opened) {
    nodes_[opened].end = count_;
    open_.pop_back();
    ++left_;
    return at + 1;
  }

  const char* refuse(const char* at) {
    error_ = parse_error::too_many;
    return tokens_.fail(at);
  }

  /// False: there are as many as may be.
  bool add(kind type, std::string_view key, std::string_view text) {
    if (count_ == room_for_ && !have_more_nodes()) return false;
    node& made = nodes_[count_];
    made.key = key;
    made.text = text;
    made.end = ++count_;
    made.type = type;
    return true;
  }

  [[gnu::noinline]] bool have_more_nodes() {
    if (count_ >= limits::json_nodes) return false;
    nodes_.resize(std::min(std::max<std::size_t>(2 * nodes_.size(), 64), limits::json_nodes));
    room_for_ = static_cast<std::uint32_t>(nodes_.size());
    return true;
  }

  /// The same characters, valid until the next document.
  std::string_view kept(std::string_view characters) {
    return characters.data() == room_.data() ? arena_.keep(characters) : characters;
  }

  key_policy policy_;
  lexer tokens_;
  std::vector<node> nodes_;     // as many as there were at most
  std::uint32_t room_for_ = 0;  // nodes_.size()
  std::uint32_t count_ = 0;     // of this document's
  std::string_view odd_key_;
  std::vector<std::uint32_t> open_;
  text::text_arena
      arena_;             // unescaped strings and raw texts: what the source does not hold as it is
  std::string room_;      // the string at hand, unescaped
  raw_text raw_;          // the raw text being written
  bool writes_ = false;   // it is
  std::string_view top_;  // the key at depth 1
  std::size_t left_ = 0;  // of the levels that are allowed
  std::size_t consumed_ = 0;
  parse_error error_ = parse_error::syntax;
};

}  // namespace

struct document_parser::state : node_parser {
  using node_parser::node_parser;
};

std::string_view describe(parse_error error) {
  switch (error) {
    case parse_error::syntax:
      return "invalid JSON";
    case parse_error::too_deep:
      return "JSON nested too deep";
    case parse_error::too_many:
      return "too many JSON values";
  }
  return "";
}

document_parser::document_parser(key_policy policy) : state_{std::make_unique<state>(policy)} {}
document_parser::~document_parser() = default;
document_parser::document_parser(document_parser&&) noexcept = default;
document_parser& document_parser::operator=(document_parser&&) noexcept = default;

std::optional<parse_error> document_parser::parse(std::string_view text) {
  return state_->parse(text);
}

value document_parser::root() const { return state_->root(); }

std::size_t document_parser::consumed() const { return state_->consumed(); }

std::optional<std::int64_t> value::integer() const {
  if (!is(kind::number)) return {};
  std::int64_t number = 0;
  const char* end = at_->text.data() + at_->text.size();
  const auto [stop, ec] = std::from_chars(at_->text.data(), end, number);
  if (ec != std::errc{} || stop != end) return {};
  return number;
}

void value::append_json(std::string& out) const {
  if (at_ == nullptr) return;
  switch (at_->type) {
    case kind::string:
      append_quoted(out, at_->text);
      return;
    case kind::object:
    case kind::array: {
      const bool object = at_->type == kind::object;
      out.push_back(object ? '{' : '[');
      bool first = true;
      for (const value child : *this) {
        if (!first) out.push_back(',');
        first = false;
        if (object) {
          append_quoted(out, child.key());
          out.push_back(':');
        }
        child.append_json(out);
      }
      out.push_back(object ? '}' : ']');
      return;
    }
    default:
      out.append(at_->text);
  }
}

}  // namespace tofud::json
