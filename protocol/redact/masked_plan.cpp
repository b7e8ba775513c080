#include "protocol/redact/masked_plan.hpp"

#include "protocol/json/limits.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/redact/order_of_plan.hpp"
#include "protocol/redact/placeholders.hpp"
#include "protocol/redact/plan_sides.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tofud::redact {
namespace {

using json::kind;
using json::value;

/// Texts that a plan calls sensitive somewhere. Where they stand once more they are secrets, too:
/// what a resource gives back of its arguments has no marks (recording plan-sensitive-nested).
/// Short ones stand everywhere.
class secret_texts {
 public:
  void add(value secret) {  // NOLINT(misc-no-recursion)
    if (secret.is(kind::string) && secret.text().size() >= limits::secret_bytes)
      texts_.emplace(secret.text());
    for (const value each : secret) add(each);
  }
  bool has(value of) const { return of.is(kind::string) && texts_.contains(of.text()); }

 private:
  std::set<std::string, std::less<>> texts_;
};

class masking {
 public:
  masking(std::string& out, placeholders& secrets, const secret_texts& elsewhere)
      : out_{out}, secrets_{secrets}, elsewhere_{elsewhere} {}

  void write(const side& from) {  // NOLINT(misc-no-recursion): limits::json_depth bounds it
    if (from.is_sensitive() || elsewhere_.has(from.of))
      return secrets_.append(out_, from.of, from.known);
    if (!from.of) {
      out_.append("null");
    } else if (from.has_parts()) {
      write_parts(from);
    } else {
      from.of.append_json(out_);
    }
  }

 private:
  void write_parts(const side& from) {  // NOLINT(misc-no-recursion)
    const bool object = from.of.is(kind::object);
    out_.push_back(object ? '{' : '[');
    bool first = true;
    for_each_part(from, [&](const side& part) {  // NOLINT(misc-no-recursion)
      if (!first) out_.push_back(',');
      first = false;
      if (object) {
        json::append_quoted(out_, part.of.key());
        out_.push_back(':');
      }
      write(part);
    });
    out_.push_back(object ? '}' : ']');
  }

  std::string& out_;
  placeholders& secrets_;
  const secret_texts& elsewhere_;
};

/// What has the shape of a value: trees of true and false, and paths. Below a sensitive place it
/// would tell the names that are masked in the value.
class shape_writing {
 public:
  shape_writing(std::string& out, placeholders& secrets) : out_{out}, secrets_{secrets} {}

  // NOLINTNEXTLINE(misc-no-recursion): limits::json_depth bounds it
  void write(value shape, const side& of, bool hidden = false) {
    hidden = hidden || of.is_sensitive();
    if (shape.is(kind::object)) {
      out_.push_back('{');
      for (const value each : shape) {
        if (out_.back() != '{') out_.push_back(',');
        append_name(each.key(), of.known, hidden);
        out_.push_back(':');
        write(each, member(of, each.key()), hidden);
      }
      out_.push_back('}');
    } else if (shape.is(kind::array)) {
      std::size_t i = 0;
      out_.push_back('[');
      for (const value each : shape) {
        if (i > 0) out_.push_back(',');
        write(each, element(of, i++), hidden);
      }
      out_.push_back(']');
    } else {
      shape.append_json(out_);
    }
  }

  void write_paths(value paths, const side& of) {
    out_.push_back('[');
    for (const value path : paths) {
      if (out_.back() != '[') out_.push_back(',');
      write_path(path, of);
    }
    out_.push_back(']');
  }

 private:
  static side member(const side& of, std::string_view key) {
    return {of.of[key], of.mark[key], of.other_mark[key], of.known.member(key)};
  }
  static side element(const side& of, std::size_t i) {
    return {nth(elements(of.of), i), nth(elements(of.mark), i), {}, of.known.element()};
  }

  void append_name(std::string_view name, const known_value& within, bool hidden) {
    if (hidden)
      secrets_.append_name(out_, name, within);
    else
      json::append_quoted(out_, name);
  }

  void write_path(value path, side at) {
    bool hidden = false;
    out_.push_back('[');
    for (const value step : path) {
      if (out_.back() != '[') out_.push_back(',');
      hidden = hidden || at.is_sensitive();
      if (step.is(kind::string)) {
        append_name(step.text(), at.known, hidden);
        at = member(at, step.text());
      } else {
        step.append_json(out_);
        at = element(
            at, static_cast<std::size_t>(std::max<std::int64_t>(0, step.integer().value_or(0))));
      }
    }
    out_.push_back(']');
  }

  std::string& out_;
  placeholders& secrets_;
};

void find_secrets(const side& from, secret_texts& to) {  // NOLINT(misc-no-recursion)
  if (from.is_sensitive()) return to.add(from.of);
  for_each_part(from,
                [&](const side& part) { find_secrets(part, to); });  // NOLINT(misc-no-recursion)
}

void append_member(std::string& out, std::string_view name, value of) {
  if (is_nothing(of)) return;
  out.append(",\"").append(name).append("\":");
  of.append_json(out);
}

/// The parts of a plan one after another, first to find its secrets and then to write it without.
class masked_writing {
 public:
  masked_writing(const plan::document& from, const schema::schemas* known)
      : from_{from}, changes_{from, known} {}

  std::optional<plan::failure> find_secrets() {
    return changes_.for_each(
        [this](value, value change, const known_value& known, std::string_view) {
          const auto [before, after] = sides_of(change, known);
          tofud::redact::find_secrets(before, secrets_);
          tofud::redact::find_secrets(after, secrets_);
        },
        [](std::string_view, bool) {});
  }

  std::optional<plan::failure> append(std::string& out) {
    return changes_.for_each(
        [&](value resource, value change, const known_value& known, std::string_view output) {
          out.append(out.ends_with("[") || out.ends_with("{") ? "\n" : ",\n");
          if (resource) return append_resource(out, resource, known);
          json::append_quoted(out, output);
          out.push_back(':');
          append_change(out, change, known);
        },
        [&](std::string_view name, bool begins) {
          if (begins)
            out.append(",\n\"").append(name).append(name == output_changes ? "\":{" : "\":[");
          else
            out.append(name == output_changes ? "\n}" : "\n]");
        });
  }

 private:
  void append_change(std::string& out, value change, const known_value& known) const {
    out.append("{\"actions\":");
    change["actions"].append_json(out);
    const auto [before, after] = sides_of(change, known);
    placeholders in_place{from_.masked};
    masking write{out, in_place, secrets_};
    out.append(",\"before\":");
    write.write(before);
    out.append(",\"after\":");
    write.write(after);
    shape_writing shapes{out, in_place};
    for (const auto& [name, of] :
         {std::pair{"after_unknown", &after}, std::pair{"before_sensitive", &before},
          std::pair{"after_sensitive", &after}}) {
      if (is_nothing(change[name])) continue;
      out.append(",\"").append(name).append("\":");
      shapes.write(change[name], *of);
    }
    if (!is_nothing(change["replace_paths"])) {
      out.append(",\"replace_paths\":");
      shapes.write_paths(change["replace_paths"], after);
    }
    if (!is_nothing(change["importing"])) out.append(",\"importing\":{}");
    out.push_back('}');
  }

  void append_resource(std::string& out, value from, const known_value& known) const {
    out.append("{\"address\":");
    from["address"].append_json(out);
    for (const std::string_view name :
         {"previous_address", "module_address", "mode", "type", "name", "index", "deposed",
          "provider_name", "action_reason"})
      append_member(out, name, from[name]);
    out.append(",\"change\":");
    append_change(out, from["change"], known);
    out.push_back('}');
  }

  const plan::document& from_;
  changes_of_plan changes_;
  secret_texts secrets_;
};

/// A version or a time: what has other characters is neither.
bool is_plain_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '\\';
  });
}

void append_head(std::string& out, const plan::document& from) {
  out.append("{\"format_version\":");
  json::append_quoted(out, is_plain_word(from.format_version) ? from.format_version : "1.0");
  for (const auto& [name, text] : {std::pair{"terraform_version", from.terraform_version},
                                   std::pair{"timestamp", from.timestamp}}) {
    if (!is_plain_word(text)) continue;
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
  masked_writing writing{from, known};
  if (auto wrong = writing.find_secrets()) return std::move(*wrong);
  if (auto wrong = writing.append(made)) return std::move(*wrong);
  plan::part relevant;
  if (auto wrong = relevant.parse(from.relevant_attributes, "relevant_attributes"))
    return std::move(*wrong);
  if (!is_nothing(relevant.root())) {
    made.append(",\n");
    std::string text;
    append_member(text, "relevant_attributes", relevant.root());
    made.append(text, 1);
  }
  append_order(made, from);
  made.append("\n}\n");
  return {boost::system::in_place_value, std::move(made)};
}

}  // namespace tofud::redact
