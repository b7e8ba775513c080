#include "protocol/redact/errors.hpp"

namespace tofud::redact {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_object, "this is not a rules file of tofud: it is not a JSON object"},
      {error::no_version, "this is not a rules file of tofud: \"tofud_mask\" is not a version"},
      {error::other_version,
       "this rules file has version {}, but this tofud knows version {}: use the tofud that wrote "
       "it"},
      {error::no_salt, "this is not a rules file of tofud: \"salt\" is not a string"},
      {error::bad_salt, "this is not a rules file of tofud: \"salt\" is not hexadecimal"},
      {error::bad_provisioner_output,
       "this is not a rules file of tofud: \"provisioner_output\" is neither \"mask\" nor "
       "\"drop\""},
      {error::no_secrets, "this is not a rules file of tofud: \"secrets\" is not a list"},
      {error::unnamed_secret,
       "this is not a rules file of tofud: a secret has no \"name\" and \"value\""},
      {error::bad_secret,
       "this is not a rules file of tofud: the \"value\" of a secret is not hexadecimal"},
  });
  return sentences[what];
}

}  // namespace tofud::redact
