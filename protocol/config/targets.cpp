#include "protocol/config/targets.hpp"

#include "protocol/config/limits.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tofud::config {
namespace {

// Names that begin no address of another block.
constexpr std::array<std::string_view, 14> own_roots{
    "count", "each", "self", "path", "terraform", "tofu", "true",
    "false", "null", "for",  "in",   "if",        "else", "provider",
};

bool has(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// An address as it comes, name by name.
class traversal {
 public:
  bool empty() const { return count_ == 0; }
  std::string_view root() const { return names_[0]; }
  // No more than three matter: `resource.a.b`, `data.a.b`, `module.a.out`.
  void add(std::string_view name) {
    if (count_ < names_.size()) names_[count_++] = name;
    named_ = true;
  }
  /// A literal key, as it is written in an address: `0`, `"a"`. It counts behind the name of a
  /// resource alone: `aws_vpc.main[0].id`.
  void add_key(std::string_view key) {
    if (named_ && names_a_resource()) key_ = key;
    named_ = false;
  }
  /// Something else that chooses elements.
  void add_index() { named_ = false; }
  /// The address that is referred to; empty if it is none.
  std::string target() const {
    const std::string_view first = root();
    std::string found;
    if (first == "resource")
      found = join(1, 2);
    else if (first == "data" || first == "ephemeral" || (first == "module" && count_ > 2))
      found = join(0, 3);
    else
      found = join(0, 2);
    if (!key_.empty() && !found.empty()) found.append("[").append(key_).append("]");
    return found;
  }

 private:
  bool names_a_resource() const {
    const std::string_view first = root();
    if (first == "resource" || first == "data" || first == "ephemeral") return count_ == 3;
    return first != "module" && first != "var" && first != "local" && count_ == 2;
  }

  std::string join(std::size_t from, std::size_t count) const {
    if (count_ < from + count) return {};
    std::string joined;
    for (std::size_t i = from; i < from + count; ++i) {
      if (i > from) joined.push_back('.');
      joined.append(names_[i]);
    }
    return joined;
  }

  std::array<std::string_view, 3> names_;
  std::size_t count_ = 0;
  std::string_view key_;
  bool named_ = false;  // nothing was chosen of what the last name names
};

class target_search {
 public:
  target_search(std::vector<std::string_view> bound, quoted_as quoted, const target_found& found)
      : bound_{std::move(bound)}, quoted_{quoted}, found_{found} {}

  void read(std::string_view text, lexed_as kind) {
    lexer tokens{text, kind};
    tokens_ = &tokens;
    token now = tokens.next();
    while (now.kind != token_kind::end && now.kind != token_kind::broken &&
           open_.size() < limits::module_nesting) {
      if (now.text != "~") take(now);
      line_begins_ = now.kind == token_kind::newline;
      if (!line_begins_ && now.text != "~") before_ = now.kind;
      now = tokens.next();
    }
    tell();
    while (!open_.empty()) leave();
    tokens_ = nullptr;
  }

 private:
  // What is behind an opening bracket, until the closing one.
  struct inside {
    std::size_t bound;       // names bound outside
    traversal interrupted;   // `a.b` of `a.b[…`, to be continued
    bool directive = false;  // `%{ … }`
  };

  void take(const token& now) {
    if (naming_loop_) return name_loop(now);
    if (now.kind == token_kind::identifier) return name(now.text);
    if (now.kind == token_kind::newline || now.kind == token_kind::dot) return;
    if (goes_on(now)) {
      if (now.kind == token_kind::number)
        now_.add_key(now.text);
      else
        now_.add_index();
      return;
    }
    if (line_begins_) tell();  // an object's next key may be an expression
    if (now.kind == token_kind::open_bracket && !now_.empty()) return enter_index();
    if (now.kind == token_kind::open_parenthesis || now.kind == token_kind::double_colon) now_ = {};
    tell();
    if (opens(now.kind))
      open_.push_back({bound_.size(), {}, now.kind == token_kind::open_directive});
    if (closes(now.kind)) leave();
    if (now.kind == token_kind::literal && quoted_ == quoted_as::address) quoted_address(now.text);
  }

  // `a.0.b`, `a.*.b`
  bool goes_on(const token& now) const {
    const bool element = now.kind == token_kind::number || now.text == "*";
    return element && before_ == token_kind::dot && !now_.empty();
  }

  void name(std::string_view text) {
    if (before_ == token_kind::dot) {
      if (!now_.empty()) now_.add(text);
      return;
    }
    tell();
    if (before_ == token_kind::double_colon) return;
    if (text == "for" && begins_loop()) {
      naming_loop_ = true;
      loop_names_ = 0;
    } else if (text == "endfor" && in_directive()) {
      end_loop();
    } else {
      now_.add(text);
    }
  }

  bool in_directive() const {
    return !open_.empty() && open_.back().directive && before_ == token_kind::open_directive;
  }

  bool begins_loop() const {
    return in_directive() || before_ == token_kind::open_bracket ||
           before_ == token_kind::open_brace;
  }

  // The names between `for` and `in`.
  void name_loop(const token& now) {
    if (now.kind == token_kind::identifier && now.text != "in") {
      if (++loop_names_ <= 2) bound_.push_back(now.text);
      return;
    }
    if (now.text == "," || now.kind == token_kind::newline) return;
    naming_loop_ = false;
    if (in_template_loop() && loops_.size() < limits::module_nesting) {
      loops_.push_back(open_.back().bound);
      open_.back().bound = bound_.size();  // they stay for what is behind the directive
    }
    if (now.kind != token_kind::identifier) take(now);
  }

  bool in_template_loop() const { return !open_.empty() && open_.back().directive; }

  void end_loop() {
    if (loops_.empty()) return;
    bound_.resize(std::min(bound_.size(), loops_.back()));
    open_.back().bound = bound_.size();
    loops_.pop_back();
  }

  void enter_index() {
    const std::string_view key = literal_key(*tokens_);
    if (key.empty())
      now_.add_index();
    else
      now_.add_key(key);
    open_.push_back({bound_.size(), std::exchange(now_, {})});
  }

  /// What stands in the brackets that were just opened, if it is a number or a text without
  /// anything in it: as it is written, the quotes included.
  static std::string_view literal_key(lexer ahead) {
    const token first = ahead.next();
    if (first.kind == token_kind::number)
      return ahead.next().kind == token_kind::close_bracket ? first.text : std::string_view{};
    if (first.kind != token_kind::open_quote) return {};
    const token text = ahead.next();
    const token last = text.kind == token_kind::literal ? ahead.next() : text;
    if (last.kind != token_kind::close_quote || ahead.next().kind != token_kind::close_bracket)
      return {};
    return {first.text.data(),
            static_cast<std::size_t>(last.text.data() + last.text.size() - first.text.data())};
  }

  void leave() {
    if (open_.empty()) return;
    bound_.resize(std::min(bound_.size(), open_.back().bound));
    now_ = open_.back().interrupted;
    open_.pop_back();
  }

  // The address is complete.
  void tell() {
    if (now_.empty()) return;
    const traversal complete = std::exchange(now_, {});
    if (has(own_roots, complete.root()) || has(bound_, complete.root())) return;
    const std::string target = complete.target();
    if (!target.empty()) found_(target);
  }

  void quoted_address(std::string_view text) {
    find_targets(text, lexed_as::body, bound_, quoted_as::text, found_);
  }

  const lexer* tokens_ = nullptr;  // being read
  std::vector<std::string_view> bound_;
  quoted_as quoted_;
  const target_found& found_;
  std::vector<inside> open_;
  std::vector<std::size_t> loops_;  // names bound outside of each `%{ for }`
  traversal now_;
  token_kind before_ = token_kind::end;  // newlines left out
  bool line_begins_ = false;
  bool naming_loop_ = false;
  std::size_t loop_names_ = 0;
};

}  // namespace

void find_targets(std::string_view text, lexed_as kind, std::vector<std::string_view> bound,
                  quoted_as quoted, const target_found& found) {
  target_search{std::move(bound), quoted, found}.read(text, kind);
}

}  // namespace tofud::config
