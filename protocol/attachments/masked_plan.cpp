#include "protocol/attachments/masked_plan.hpp"

#include "protocol/diff/resource_diff.hpp"
#include "protocol/diff/sides.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/plan/resource_change.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tofud::attachments {
namespace {

using json::kind;
using json::value;

bool is_one(schema::nesting how) {
  return how == schema::nesting::single || how == schema::nesting::group;
}

/// What a schema says of a value and of what is in it. All null: nothing.
struct knowledge {
  const schema::block* block = nullptr;                    // the value is its body
  const schema::block_type* blocks = nullptr;              // all of one name
  const std::vector<schema::attribute>* nested = nullptr;  // the value has these attributes
  const schema::nested_attributes* many = nullptr;         // or what is in it
  const schema::type* type = nullptr;                      // of a plain value
  bool sensitive = false;

  static knowledge of_attribute(const schema::attribute* known) {
    knowledge inner;
    if (known == nullptr) return inner;
    inner.sensitive = known->sensitive || known->write_only;
    if (known->nested == nullptr) {
      inner.type = &known->type;
      return inner;
    }
    if (is_one(known->nested->nesting))
      inner.nested = &known->nested->attributes;
    else
      inner.many = known->nested.get();
    return inner;
  }

  /// Of an object's member.
  knowledge member(std::string_view key) const {
    if (block != nullptr) {
      if (const auto* inner = schema::find_block(*block, key)) return of_blocks(*inner);
      return of_attribute(schema::find_attribute(block->attributes, key));
    }
    if (nested != nullptr) return of_attribute(schema::find_attribute(*nested, key));
    if (const schema::type* inside = type_of(key)) return of_type(inside);
    return element();  // of a map
  }
  /// Whether a member's name is the schema's, and no data.
  bool names(std::string_view key) const {
    if (block != nullptr)
      return schema::find_block(*block, key) != nullptr ||
             schema::find_attribute(block->attributes, key) != nullptr;
    if (nested != nullptr) return schema::find_attribute(*nested, key) != nullptr;
    return type_of(key) != nullptr;
  }
  /// Of what a list, set or map has.
  knowledge element() const {
    knowledge inner;
    if (blocks != nullptr) inner.block = &blocks->block;
    if (many != nullptr) inner.nested = &many->attributes;
    if (type != nullptr && type->what != schema::type::kind::tuple && type->elements.size() == 1)
      inner.type = &type->elements.front();
    return inner;
  }

 private:
  static knowledge of_type(const schema::type* inside) {
    knowledge inner;
    inner.type = inside;
    return inner;
  }
  /// Of an object's member.
  const schema::type* type_of(std::string_view key) const {
    if (type == nullptr || type->what != schema::type::kind::object) return nullptr;
    for (const auto& each : type->members) {
      if (each.name == key) return &each.of;
    }
    return nullptr;
  }
  static knowledge of_blocks(const schema::block_type& all) {
    knowledge inner;
    if (is_one(all.nesting))
      inner.block = &all.block;
    else
      inner.blocks = &all;
    return inner;
  }
};

/// One side of a value. The mark is true, or of the value's shape with true in places; of the other
/// side it counts as well where both have the same name.
struct side {
  value of, mark, other_mark;
  knowledge known;

  bool is_sensitive() const {
    return known.sensitive || mark.is(kind::boolean_true) || other_mark.is(kind::boolean_true);
  }
};

/// The i-th of two lists, or nothing.
value nth(const std::vector<value>& of, std::size_t i) { return i < of.size() ? of[i] : value{}; }

std::vector<value> elements(value of) {
  std::vector<value> all;
  if (!of.is(kind::array)) return all;
  for (const value each : of) all.push_back(each);
  return all;
}

bool is_nothing(value of) { return !of || of.is(kind::null); }

/// What stands in place of secrets: of their kind and shape, and the same where they were the same,
/// so that a diff finds what it would have found. Names that are data are secrets, too. Nothing
/// (null, no text) stays nothing.
class placeholders {
 public:
  /// `masked`: names were looked after when somebody who knew the schemas masked it first.
  explicit placeholders(bool masked) : masked_{masked} {}

  void append(std::string& out, value secret,
              const knowledge& known) {  // NOLINT(misc-no-recursion)
    if (is_nothing(secret)) {
      out.append("null");
    } else if (secret.is(kind::object)) {
      append_object(out, secret, known);
    } else if (secret.is(kind::array)) {
      append_array(out, secret, known);
    } else if (secret.is(kind::string)) {
      append_text(out, texts_, secret.text(), "value");
    } else if (secret.is(kind::number)) {
      out.append(std::to_string(ordinal(numbers_, secret.text())));
    } else {
      const bool second = ordinal(truths_, secret.is(kind::boolean_true) ? "t" : "f") == 2;
      out.append(second ? "true" : "false");
    }
  }

 private:
  using met = std::map<std::string, std::size_t, std::less<>>;

  /// From 1, in the order in which they are met.
  static std::size_t ordinal(met& among, std::string_view text) {
    return among.emplace(text, among.size() + 1).first->second;
  }

  void append_text(std::string& out, met& among, std::string_view text,
                   std::string_view what) const {
    const std::string stands_for = "(sensitive " + std::string{what} + " ";
    const bool was_masked =
        masked_ && text.starts_with(stands_for) && text.ends_with(')') &&
        text.find_first_not_of("0123456789", stands_for.size()) + 1 == text.size();
    if (text.empty() || was_masked) return json::append_quoted(out, text);
    json::append_quoted(out, stands_for + std::to_string(ordinal(among, text)) + ")");
  }

  void append_object(std::string& out, value secret,  // NOLINT(misc-no-recursion)
                     const knowledge& known) {
    out.push_back('{');
    for (const value each : secret) {
      if (out.back() != '{') out.push_back(',');
      if (masked_ || known.names(each.key()))
        json::append_quoted(out, each.key());
      else
        append_text(out, names_, each.key(), "name");
      out.push_back(':');
      append(out, each, known.member(each.key()));
    }
    out.push_back('}');
  }

  void append_array(std::string& out, value secret,  // NOLINT(misc-no-recursion)
                    const knowledge& known) {
    out.push_back('[');
    for (const value each : secret) {
      if (out.back() != '[') out.push_back(',');
      append(out, each, known.element());
    }
    out.push_back(']');
  }

  bool masked_;
  met texts_, names_, numbers_, truths_;
};

class masking {
 public:
  masking(std::string& out, placeholders& secrets) : out_{out}, secrets_{secrets} {}

  void write(const side& from) {  // NOLINT(misc-no-recursion): limits::json_depth bounds it
    if (from.is_sensitive()) return secrets_.append(out_, from.of, from.known);
    if (from.of.is(kind::object)) return write_object(from);
    if (from.of.is(kind::array)) return write_array(from);
    if (!from.of)
      out_.append("null");
    else
      from.of.append_json(out_);
  }

 private:
  void write_object(const side& from) {  // NOLINT(misc-no-recursion)
    out_.push_back('{');
    bool first = true;
    for (const value each : from.of) {
      if (!first) out_.push_back(',');
      first = false;
      json::append_quoted(out_, each.key());
      out_.push_back(':');
      write({each, from.mark[each.key()], from.other_mark[each.key()],
             from.known.member(each.key())});
    }
    out_.push_back('}');
  }

  // Which element belongs to which of the other side is for the diff to find out.
  void write_array(const side& from) {  // NOLINT(misc-no-recursion)
    const auto mark = elements(from.mark);
    out_.push_back('[');
    std::size_t i = 0;
    for (const value each : from.of) {
      if (i > 0) out_.push_back(',');
      write({each, nth(mark, i), {}, from.known.element()});
      ++i;
    }
    out_.push_back(']');
  }

  std::string& out_;
  placeholders& secrets_;
};

void append_member(std::string& out, std::string_view name, value of) {
  if (is_nothing(of)) return;
  out.append(",\"").append(name).append("\":");
  of.append_json(out);
}

void append_change(std::string& out, value change, const knowledge& known, bool masked) {
  out.append("{\"actions\":");
  change["actions"].append_json(out);
  const value before_mark = change["before_sensitive"], after_mark = change["after_sensitive"];
  placeholders secrets{masked};
  masking write{out, secrets};
  out.append(",\"before\":");
  write.write({change["before"], before_mark, after_mark, known});
  out.append(",\"after\":");
  write.write({change["after"], after_mark, before_mark, known});
  for (const std::string_view name :
       {"after_unknown", "before_sensitive", "after_sensitive", "replace_paths"})
    append_member(out, name, change[name]);
  if (!is_nothing(change["importing"])) out.append(",\"importing\":{}");
  out.push_back('}');
}

void append_resource(std::string& out, value from, const knowledge& known, bool masked) {
  out.append("{\"address\":");
  from["address"].append_json(out);
  for (const std::string_view name : {"previous_address", "module_address", "mode", "type", "name",
                                      "index", "deposed", "provider_name", "action_reason"})
    append_member(out, name, from[name]);
  out.append(",\"change\":");
  append_change(out, from["change"], known, masked);
  out.push_back('}');
}

std::optional<plan::failure> append_resources(std::string& out, std::string_view name,
                                              const std::vector<std::string_view>& texts,
                                              const schema::schemas* schemas, bool masked) {
  if (texts.empty()) return {};
  out.append(",\n\"").append(name).append("\":[\n");
  plan::part parsed;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string path = std::string{name} + "[" + std::to_string(i) + "]";
    const auto about = diff::read(parsed, texts[i], path);
    if (!about) return about.error();
    knowledge known;
    if (const auto* type = diff::find({schemas}, about->provider_name, about->mode, about->type))
      known.block = &type->block;
    if (i > 0) out.append(",\n");
    append_resource(out, parsed.root(), known, masked);
  }
  out.append("\n]");
  return {};
}

std::optional<plan::failure> append_outputs(std::string& out, std::string_view text, bool masked) {
  plan::part parsed;
  if (auto wrong = parsed.parse(text, "output_changes")) return wrong;
  if (is_nothing(parsed.root())) return {};
  out.append(",\n\"output_changes\":{");
  bool first = true;
  for (const value each : parsed.root()) {
    const auto read = plan::read_change(each, "output_changes." + std::string{each.key()});
    if (!read) return read.error();
    out.append(first ? "\n" : ",\n");
    first = false;
    json::append_quoted(out, each.key());
    out.push_back(':');
    append_change(out, each, {}, masked);
  }
  out.append("\n}");
  return {};
}

void append_head(std::string& out, const plan::document& from) {
  out.append("{\"format_version\":");
  json::append_quoted(out, from.format_version);
  for (const auto& [name, text] : {std::pair{"terraform_version", from.terraform_version},
                                   std::pair{"timestamp", from.timestamp}}) {
    if (text.empty()) continue;
    out.append(",\"").append(name).append("\":");
    json::append_quoted(out, text);
  }
  for (const auto& [name, flag] :
       {std::pair{"applyable", from.applyable}, std::pair{"complete", from.complete}}) {
    if (flag) out.append(",\"").append(name).append(*flag ? "\":true" : "\":false");
  }
  if (from.errored) out.append(",\"errored\":true");
  out.append(",\"masked\":true");
}

}  // namespace

plan::result<std::string> masked_plan(const plan::document& from, const schema::schemas* known) {
  std::string made;
  append_head(made, from);
  if (auto wrong =
          append_resources(made, "resource_changes", from.resource_changes, known, from.masked))
    return std::move(*wrong);
  if (auto wrong =
          append_resources(made, "resource_drift", from.resource_drift, known, from.masked))
    return std::move(*wrong);
  if (auto wrong = append_outputs(made, from.output_changes, from.masked)) return std::move(*wrong);
  plan::part relevant;
  if (auto wrong = relevant.parse(from.relevant_attributes, "relevant_attributes"))
    return std::move(*wrong);
  if (!is_nothing(relevant.root())) {
    made.append(",\n");
    std::string text;
    append_member(text, "relevant_attributes", relevant.root());
    made.append(text, 1);
  }
  made.append("\n}\n");
  return {boost::system::in_place_value, std::move(made)};
}

plan::result<schema::schemas_scanner::wanted> types_of(const plan::document& from) {
  using names = std::set<std::string, std::less<>>;
  auto types = std::make_shared<std::map<std::string, names, std::less<>>>();
  plan::part parsed;
  for (const auto& [name, texts] : {std::pair{"resource_changes", &from.resource_changes},
                                    std::pair{"resource_drift", &from.resource_drift}}) {
    for (std::size_t i = 0; i < texts->size(); ++i) {
      const std::string path = std::string{name} + "[" + std::to_string(i) + "]";
      const auto about = diff::read(parsed, (*texts)[i], path);
      if (!about) return about.error();
      const std::string_view provider = about->provider_name;
      (*types)[std::string{provider.substr(provider.find('/') + 1)}].emplace(about->type);
    }
  }
  // Whatever registry it comes from, or its name alone in a specification.
  return schema::schemas_scanner::wanted{[types](const schema::place& at) {
    const auto fits = [&](const auto& of) {
      return at.type.empty() ? false : of.second.contains(at.type);
    };
    const std::string_view own = at.provider.substr(at.provider.find('/') + 1);
    for (const auto& each : *types) {
      const bool is_named = own == each.first || each.first.ends_with("/" + std::string{own});
      if (is_named && fits(each)) return true;
    }
    return false;
  }};
}

}  // namespace tofud::attachments
