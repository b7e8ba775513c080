#include "protocol/json/document.hpp"

#include "protocol/json/limits.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/json/raw_text.hpp"
#include "protocol/text/sizes.hpp"
#include "protocol/text/text_arena.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <charconv>
#include <vector>

namespace tofud::json {

namespace {

using boost::json::error;
using boost::json::error_code;
using boost::json::string_view;

// The callbacks of Boost.JSON's parser: events to nodes.
class handler {
 public:
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);

  explicit handler(key_policy policy) : policy_{policy} {}

  void start(std::string_view source) {
    source_ = source;
    nodes.clear();
    open_.clear();
    arena_.clear();
    part_.clear();
    raw_.clear(limits::mib);
    key_ = top_ = {};
    depth_ = 0;
    mode_ = keep::tree;
  }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }

  bool on_object_begin(error_code& ec) { return open(kind::object, '{', ec); }
  bool on_object_end(std::size_t, error_code& ec) { return close('}', ec); }
  bool on_array_begin(error_code& ec) { return open(kind::array, '[', ec); }
  bool on_array_end(std::size_t, error_code& ec) { return close(']', ec); }

  bool on_key_part(string_view s, std::size_t, error_code&) { return part(s); }
  bool on_key(string_view s, std::size_t, error_code&) {
    if (ignoring()) return true;
    if (mode_ == keep::raw) {
      raw_.key(whole(s));
      part_.clear();
      return true;
    }
    key_ = text_of(s);
    if (depth_ == 1) top_ = key_;
    if (depth_ <= 3) {
      mode_ = policy_(depth_ == 1 ? std::string_view{} : top_, depth_, key_);
      subtree_ = depth_;
    }
    return true;
  }

  bool on_string_part(string_view s, std::size_t, error_code&) { return part(s); }
  bool on_string(string_view s, std::size_t, error_code& ec) {
    if (ignoring()) return leave_value(ec);
    if (mode_ == keep::raw) {
      raw_.string(whole(s));
      part_.clear();
      return leave_value(ec);
    }
    return add(kind::string, text_of(s), ec);
  }
  // The whole text is in one buffer, so numbers come in one piece.
  bool on_number_part(string_view, error_code&) { return true; }
  bool on_int64(std::int64_t, string_view s, error_code& ec) { return number(s, ec); }
  bool on_uint64(std::uint64_t, string_view s, error_code& ec) { return number(s, ec); }
  bool on_double(double, string_view s, error_code& ec) { return number(s, ec); }
  bool on_bool(bool b, error_code& ec) {
    return scalar(b ? kind::boolean_true : kind::boolean_false, b ? "true" : "false", ec);
  }
  bool on_null(error_code& ec) { return scalar(kind::null, "null", ec); }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

  std::vector<node> nodes;

  /// After an error: ends the values that were still open.
  void close_open() {
    for (const std::uint32_t open : open_)
      nodes[open].end = static_cast<std::uint32_t>(nodes.size());
  }

 private:
  bool ignoring() const { return mode_ == keep::skip || mode_ == keep::mark; }

  bool part(string_view s) {
    if (!ignoring()) part_.append(s.data(), s.size());
    return true;
  }

  // The characters of a string that ends with `s`; valid until the next event.
  std::string_view whole(string_view s) {
    if (part_.empty()) return {s.data(), s.size()};
    part_.append(s.data(), s.size());
    return part_;
  }

  // The same, valid until the next document: in place if the source holds it as it is.
  std::string_view text_of(string_view s) {
    const std::string_view text = whole(s);
    const bool in_place = std::greater_equal<>{}(text.data(), source_.data()) &&
                          std::less<>{}(text.data(), source_.data() + source_.size());
    const std::string_view kept = in_place || text.empty() ? text : arena_.keep(text);
    part_.clear();
    return kept;
  }

  bool number(string_view s, error_code& ec) {
    return scalar(kind::number, {s.data(), s.size()}, ec);
  }

  bool scalar(kind type, std::string_view text, error_code& ec) {
    if (ignoring()) return leave_value(ec);
    if (mode_ == keep::raw) {
      raw_.scalar(text);
      return leave_value(ec);
    }
    return add(type, text, ec);
  }

  bool full(error_code& ec) const {
    if (nodes.size() < limits::json_nodes) return false;
    ec = error::array_too_large;
    return true;
  }

  bool add(kind type, std::string_view text, error_code& ec) {
    if (full(ec)) return false;
    node& added = nodes.emplace_back();
    added.key = key_;
    added.text = text;
    added.type = type;
    added.end = static_cast<std::uint32_t>(nodes.size());
    key_ = {};
    return true;
  }

  bool open(kind type, char bracket, error_code& ec) {
    ++depth_;
    if (ignoring()) return true;
    if (mode_ == keep::raw) {
      raw_.open(bracket);
      return true;
    }
    if (!add(type, {}, ec)) return false;
    open_.push_back(static_cast<std::uint32_t>(nodes.size() - 1));
    return true;
  }

  bool close(char bracket, error_code& ec) {
    --depth_;
    if (mode_ == keep::raw) raw_.close(bracket);
    if (mode_ != keep::tree) return leave_value(ec);
    nodes[open_.back()].end = static_cast<std::uint32_t>(nodes.size());
    open_.pop_back();
    return true;
  }

  // Behind a value that is not kept as a tree: the whole of it, or something inside.
  bool leave_value(error_code& ec) {
    if (depth_ != subtree_) return true;
    if (mode_ == keep::raw || mode_ == keep::mark) {
      if (full(ec)) return false;
      node& added = nodes.emplace_back();
      added.key = key_;
      added.text = mode_ == keep::raw ? arena_.keep(raw_.text()) : "null";
      added.type = mode_ == keep::raw ? kind::raw : kind::null;
      added.end = static_cast<std::uint32_t>(nodes.size());
      raw_.clear(limits::mib);
    }
    key_ = {};
    mode_ = keep::tree;
    return true;
  }

  key_policy policy_;
  std::string_view source_;
  std::vector<std::uint32_t> open_;
  text::text_arena
      arena_;         // unescaped strings and raw texts: what the source does not hold as it is
  std::string part_;  // a string that came in pieces, because of its escapes
  raw_text raw_;      // the raw text being written
  std::string_view key_, top_;
  std::size_t depth_ = 0;
  std::size_t subtree_ = 0;  // depth at which the raw or skipped value began
  keep mode_ = keep::tree;
};

boost::json::parse_options options() {
  boost::json::parse_options chosen;
  chosen.max_depth = limits::json_depth;
  return chosen;
}

}  // namespace

struct document_parser::state {
  explicit state(key_policy policy) : parser{options(), policy} {}
  boost::json::basic_parser<handler> parser;
  std::size_t consumed = 0;
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
  auto& parser = state_->parser;
  parser.reset();
  parser.handler().start(text);
  error_code ec;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), ec);
  state_->consumed = used;
  if (ec) parser.handler().close_open();
  if (ec == error::too_deep) return parse_error::too_deep;
  if (ec == error::array_too_large) return parse_error::too_many;
  if (ec || text.find_first_not_of(" \t\r", used) != std::string_view::npos) {
    return parse_error::syntax;
  }
  return {};
}

value document_parser::root() const {
  const auto& nodes = state_->parser.handler().nodes;
  return nodes.empty() ? value{} : value{nodes.data(), nodes.data()};
}

std::size_t document_parser::consumed() const { return state_->consumed; }

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
