#include "protocol/redact/masks.hpp"

#include "protocol/redact/rules.hpp"

#include <algorithm>

namespace tofud::redact {

std::string_view masks::of(std::string_view text) {
  constexpr std::size_t most = 1024;  // a run has tens of secrets; tokens may come by the thousand
  if (known_.size() > most) known_.clear();
  const auto [found, made] = known_.try_emplace(std::string{text});
  if (made) found->second = mask_of(salt_, text);
  const std::string_view mask = found->second;
  return short_ ? mask.substr(10, std::min<std::size_t>(6, text.size())) : mask;
}

bool masks::is_mask(std::string_view text) {
  constexpr std::string_view begin = "(redacted:";
  return text.size() == begin.size() + 7 && text.starts_with(begin) && text.back() == ')' &&
         text.find_first_not_of("0123456789abcdef", begin.size()) == text.size() - 1;
}

}  // namespace tofud::redact
