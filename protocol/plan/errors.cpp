#include "protocol/plan/errors.hpp"

namespace tofud::plan {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_object, "{} is not an object"},
      {error::no_json_object, "the document is not a JSON object"},
      {error::no_json, "{} is {}"},
      {error::no_array, "{} is not an array"},
      {error::no_strings, "{} is not an array of strings"},
      {error::no_string, "{} is not a string"},
      {error::too_deep, "{}: modules call each other too deep"},
      {error::nested_too_deep, "{} is nested too deep"},
      {error::no_version,
       "format_version is missing: this is not the output of `tofu show -json` for a plan or "
       "state"},
      {error::other_version,
       "format_version is {}, but this tofud knows only 1: use a newer tofud, or `tofu show` of "
       "the version that wrote it"},
      {error::values_of_a_state, "values belongs to a state, not to a plan"},
      {error::in_prior_state, "prior_state: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::plan
