#include "daemon/redaction/errors.hpp"

namespace tofud::redaction {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::short_line,
       "line {} has a value of only {} characters; values below {} characters match too much text, "
       "so remove it"},
      {error::short_value,
       "line {}: the value of {} has only {} characters; values below {} characters match too much "
       "text, so remove it"},
      {error::mask_file, "the mask file can't be used: {}"},
      {error::provisioner_output,
       "TOFUD_PROVISIONER_OUTPUT is {}; use mask (redact secrets in provisioner output) or drop "
       "(leave it out)"},
      {error::unreadable_mask, "the run's redaction rules can't be used: {}"},
      {error::bad_mask, "{}: {}"},
      {error::unwritable_mask, "the redaction rules {} can't be written: {}"},
      {error::bad_mask_file, "the mask file {} can't be used: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::redaction
