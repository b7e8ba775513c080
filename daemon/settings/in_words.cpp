#include "daemon/settings/in_words.hpp"

#include <limits>

namespace tofud::settings {

std::string listed(const std::vector<std::string_view>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 < words.size() ? ", " : " or ";
    list += words[i].empty() ? "nothing" : words[i];
  }
  return list;
}

std::string number_in_words(const option& of, std::uint64_t number) {
  if (of.type == option_type::size) return size_text(number);
  if (of.type == option_type::duration) {
    return duration_text(std::chrono::milliseconds{static_cast<std::int64_t>(number)});
  }
  return std::to_string(number);
}

std::string type_in_words(const option& of) {
  switch (of.type) {
    case option_type::text:
      return "text in quotes";
    case option_type::path:
      return "a path in quotes";
    case option_type::list:
      return "a list such as [\"" + std::string{of.shape} + "\"]";
    case option_type::count:
      return "a whole number";
    case option_type::size:
      return "bytes such as 4096 or \"64KiB\"";
    case option_type::duration:
      return "a time with its unit in quotes, such as \"5s\"";
    case option_type::boolean:
      return "true or false";
  }
  return "";
}

std::string range_in_words(const option& of) {
  switch (of.type) {
    case option_type::text:
      return listed(of.words);
    case option_type::path: {
      std::vector<std::string_view> all{"absolute"};
      all.insert(all.end(), of.words.begin(), of.words.end());
      return listed(all);
    }
    case option_type::count:
    case option_type::size:
    case option_type::duration: {
      const bool is_bounded = of.most < std::numeric_limits<std::int64_t>::max();
      if (is_bounded) {
        return "from " + number_in_words(of, of.least) + " to " + number_in_words(of, of.most);
      }
      return of.least > 0 ? "at least " + number_in_words(of, of.least) : "";
    }
    case option_type::list:
    case option_type::boolean:
      break;
  }
  return "";
}

}  // namespace tofud::settings
