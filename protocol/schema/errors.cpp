#include "protocol/schema/errors.hpp"

namespace tofud::schema {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_object, "{} is not an object"},
      {error::no_version,
       "format_version is missing; give the output of `tofu providers schema -json`"},
      {error::other_version, "format_version is {}, but this tofud knows only 1"},
      {error::bad_nesting, "{} is not single, group, list, set or map"},
      {error::no_type, "is not a type"},
      {error::unknown_type, "is not a type: \"{}\""},
      {error::bad_type, "{} {}"},
  });
  return sentences[what];
}

}  // namespace tofud::schema
