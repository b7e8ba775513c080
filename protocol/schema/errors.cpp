#include "protocol/schema/errors.hpp"

namespace tofud::schema {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_object, "{} is no object"},
      {error::no_version, "format_version is missing; `tofu providers schema -json` writes it"},
      {error::other_version, "format_version is {}, and this tofud knows 1"},
      {error::bad_nesting, "{} is none of single, group, list, set and map"},
      {error::no_type, "is no type"},
      {error::unknown_type, "names no type: \"{}\""},
      {error::bad_type, "{} {}"},
  });
  return sentences[what];
}

}  // namespace tofud::schema
