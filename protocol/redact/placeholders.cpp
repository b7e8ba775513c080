#include "protocol/redact/placeholders.hpp"

#include "protocol/json/quote.hpp"

namespace tofud::redact {

using json::kind;
using json::value;

namespace {

/// From 1, in the order in which they are met.
template <typename Met>
std::size_t ordinal(Met& among, std::string_view text) {
  return among.emplace(text, among.size() + 1).first->second;
}

}  // namespace

bool is_nothing(value of) { return !of || of.is(kind::null); }

void placeholders::append(std::string& out, value secret,
                          const known_value& known) {  // NOLINT(misc-no-recursion)
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

void placeholders::append_text(std::string& out, met& among, std::string_view text,
                               std::string_view what) const {
  const std::string stands_for = "(sensitive " + std::string{what} + " ";
  const bool was_masked =
      masked_ && text.starts_with(stands_for) && text.ends_with(')') &&
      text.find_first_not_of("0123456789", stands_for.size()) + 1 == text.size();
  if (text.empty() || was_masked) return json::append_quoted(out, text);
  json::append_quoted(out, stands_for + std::to_string(ordinal(among, text)) + ")");
}

void placeholders::append_name(std::string& out, std::string_view name, const known_value& within) {
  if (masked_ || within.names(name))
    json::append_quoted(out, name);
  else
    append_text(out, names_, name, "name");
}

void placeholders::append_object(std::string& out, value secret,  // NOLINT(misc-no-recursion)
                                 const known_value& known) {
  out.push_back('{');
  for (const value each : secret) {
    if (out.back() != '{') out.push_back(',');
    append_name(out, each.key(), known);
    out.push_back(':');
    append(out, each, known.member(each.key()));
  }
  out.push_back('}');
}

void placeholders::append_array(std::string& out, value secret,  // NOLINT(misc-no-recursion)
                                const known_value& known) {
  out.push_back('[');
  for (const value each : secret) {
    if (out.back() != '[') out.push_back(',');
    append(out, each, known.element());
  }
  out.push_back(']');
}

}  // namespace tofud::redact
