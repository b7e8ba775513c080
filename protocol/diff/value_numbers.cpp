#include "protocol/diff/value_numbers.hpp"

#include "protocol/diff/sides.hpp"

namespace tofud::diff {
namespace {

using json::kind;

/// Its length stands before it, so that no text can look like the end of another.
void append_text(std::string& out, char sign, std::string_view text) {
  out.push_back(sign);
  out.append(std::to_string(text.size())).push_back(':');
  out.append(text);
}

}  // namespace

void value_numbers::append(json::value each) {
  if (is_nil(each)) {
    text_.push_back('n');
  } else if (each.is(kind::object)) {
    text_.push_back('{');
    const members inside{each};
    for (const json::value member : inside.all()) {
      append_text(text_, 'k', member.key());
      append(member);
    }
    text_.push_back('}');
  } else if (each.is(kind::array)) {
    text_.push_back('[');
    for (const json::value element : each) append(element);
    text_.push_back(']');
  } else if (each.is(kind::string)) {
    append_text(text_, 's', each.text());
  } else if (each.is(kind::number)) {
    append_text(text_, '0', each.text());
  } else if (each.is(kind::boolean_true)) {
    text_.push_back('t');
  } else if (each.is(kind::boolean_false)) {
    text_.push_back('f');
  } else {
    append_text(text_, '?', std::to_string(++last_));  // equal to nothing
  }
}

std::uint32_t value_numbers::of(json::value each) {
  text_.clear();
  append(each);
  const auto next = static_cast<std::uint32_t>(known_.size());
  return known_.try_emplace(text_, next).first->second;
}

std::vector<std::uint32_t> value_numbers::of_all(const std::vector<json::value>& all) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(all.size());
  for (const json::value each : all) numbers.push_back(of(each));
  return numbers;
}

}  // namespace tofud::diff
