#include "protocol/json/ranges.hpp"

#include "protocol/json/document.hpp"

#include <array>
#include <cstring>

namespace tofud::json {
namespace {

class scanner {
 public:
  explicit scanner(std::string_view text) : text_{text} {}

  std::optional<std::vector<range>> parts(char open, char close) {
    std::vector<range> found;
    blanks();
    if (!take(open)) return {};
    blanks();
    if (take(close)) return at_end(std::move(found));
    do {
      blanks();
      range next;
      if (open == '{' && !key(next.key)) return {};
      if (!value(next.text)) return {};
      found.push_back(std::move(next));
      blanks();
    } while (take(','));
    if (!take(close)) return {};
    return at_end(std::move(found));
  }

 private:
  std::optional<std::vector<range>> at_end(std::vector<range> found) {
    blanks();
    if (at_ != text_.size()) return {};
    return found;
  }

  void blanks() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr && text_[at_] != 0)
      ++at_;
  }

  bool take(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  // At a quote; goes behind the one that ends the string.
  bool skip_string() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\')
        ++at_;
      else if (text_[at_] == '"')
        return ++at_, true;
    }
    return false;
  }

  bool key(std::string& out) {
    const std::size_t begin = at_;
    if (at_ >= text_.size() || text_[at_] != '"' || !skip_string()) return false;
    const std::string_view quoted = text_.substr(begin, at_ - begin);
    if (quoted.find('\\') == std::string_view::npos) {
      out = quoted.substr(1, quoted.size() - 2);
    } else {
      // A document of its own, for the parser knows of escapes.
      document_parser parser{keep_everything};
      const std::string wrapped = "[" + std::string{quoted} + "]";
      if (parser.parse(wrapped)) return false;
      for (const json::value each : parser.root()) out = each.text();
    }
    blanks();
    return take(':');
  }

  bool value(std::string_view& out) {
    blanks();
    const std::size_t begin = at_;
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        if (!skip_string()) return false;
        continue;
      }
      if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        if (depth == 0) break;
        --depth;
      } else if (c == ',' && depth == 0) {
        break;
      }
      ++at_;
    }
    std::size_t end = at_;
    while (end > begin && std::strchr(" \t\r\n", text_[end - 1]) != nullptr) --end;
    out = text_.substr(begin, end - begin);
    return depth == 0 && !out.empty();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<range>> members_of(std::string_view text) {
  return scanner{text}.parts('{', '}');
}

std::optional<std::vector<range>> elements_of(std::string_view text) {
  return scanner{text}.parts('[', ']');
}

}  // namespace tofud::json
