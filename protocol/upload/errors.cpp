#include "protocol/upload/errors.hpp"

namespace tofud::upload {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_json, "the body is not JSON: {}"},
      {error::no_object, "the body is not a JSON object"},
      {error::no_text, "{} is not a string"},
      {error::too_long, "{} is longer than {} bytes"},
      {error::missing, "{} is missing"},
      {error::bad_labels, "labels is not an object of strings"},
      {error::bad_label, "labels.{} is not a string"},
      {error::other_protocol, "protocol is {}, but this tofud speaks 1.0"},
      {error::bad_time, "started_at is not an RFC 3339 time: {}"},
      {error::unnamed_label, "a label has no name"},
      {error::long_label, "label {} is longer than {} bytes"},
      {error::too_many_labels, "a run has at most {} labels"},
      {error::bad_naming_line, "the first line's \"tofud\" is not an object"},
      {error::long_stack, "the stack's name is too long"},
      {error::bad_named_label, "label {} is not a string"},
  });
  return sentences[what];
}

}  // namespace tofud::upload
