#include "protocol/redact/errors.hpp"

namespace tofud::redact {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_object, "this is no mask file that tofud wrote: it is no JSON object"},
      {error::no_version, "this is no mask file that tofud wrote: \"tofud_mask\" is no version"},
      {error::other_version,
       "this mask file has version {}, this tofud knows version {}: use the tofud that wrote it"},
      {error::no_salt, "this is no mask file that tofud wrote: \"salt\" is no text"},
      {error::bad_salt, "this is no mask file that tofud wrote: \"salt\" is no hex"},
      {error::bad_provisioner_output,
       "this is no mask file that tofud wrote: \"provisioner_output\" is neither \"mask\" nor "
       "\"drop\""},
      {error::no_secrets, "this is no mask file that tofud wrote: \"secrets\" is no list"},
      {error::unnamed_secret,
       "this is no mask file that tofud wrote: a secret has no \"name\" and \"value\""},
      {error::bad_secret,
       "this is no mask file that tofud wrote: the \"value\" of a secret is no hex"},
  });
  return sentences[what];
}

}  // namespace tofud::redact
