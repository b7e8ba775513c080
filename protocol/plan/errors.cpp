#include "protocol/plan/errors.hpp"

namespace tofud::plan {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_object, "{} is no object"},
      {error::no_json_object, "the document is no JSON object"},
      {error::no_json, "{} is {}"},
      {error::no_array, "{} is no array"},
      {error::no_strings, "{} is no array of strings"},
      {error::no_string, "{} is no string"},
      {error::too_deep, "{}: modules call each other too deep"},
      {error::nested_too_deep, "{} is nested too deep"},
      {error::no_version,
       "format_version is missing: this is not what `tofu show -json` writes of a plan or state"},
      {error::other_version,
       "format_version is {}, and this tofud knows 1: take a newer tofud, or `tofu show` of the "
       "version that wrote it"},
      {error::values_of_a_state, "values is a member of states, not of plans"},
      {error::in_prior_state, "prior_state: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::plan
