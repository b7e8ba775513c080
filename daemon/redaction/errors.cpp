#include "daemon/redaction/errors.hpp"

namespace tofud::redaction {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::short_line,
       "line {} has a value of {} characters: one of less than {} stands in too much to be masked; "
       "take it out"},
      {error::short_value,
       "line {}: the value of {} has {} characters, and one of less than {} stands in too much to "
       "be masked; take it out"},
      {error::mask_file, "the mask file can't be used: {}"},
      {error::provisioner_output,
       "TOFUD_PROVISIONER_OUTPUT is {}; it may be mask (what is printed leaves without its "
       "secrets) or drop"},
      {error::unreadable_mask, "the run's mask can't be used: {}"},
      {error::bad_mask, "{}: {}"},
      {error::unwritable_mask, "the mask {} can't be written: {}"},
      {error::bad_mask_file, "the mask file {} can't be used: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::redaction
