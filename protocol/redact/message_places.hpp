// What stands where in a UI message, as far as it matters to who redacts it.
#pragma once

#include <cstdint>
#include <string_view>

namespace tofud::redact {

/// An object of a message. In `data` every key is somebody's own; elsewhere keys are OpenTofu's.
enum class place : std::uint8_t {
  data,
  root,
  hook,
  change,
  resource,
  changes,
  outputs,  // name to output
  output,
  diagnostic,
  range,
  position,
  snippet,
  snippet_value,
  test,  // the members of test_file, test_run and test_summary
};

/// What becomes of a value.
enum class treatment : std::uint8_t {
  mask,            // secrets in its strings and numbers are masked
  word,            // a word of the protocol stays, all else is masked
  time,            // a time stays, all else is masked
  number,          // numbers stay: they count something
  major,           // of a version: what stands before the first dot stays
  relative,        // an address within a module: its mode stays
  ephemeral_step,  // "Opening...": how it begins stays
  message,         // the text of a message: goes by the message's type
  printed,         // a line that a program printed
  detail,          // of a diagnostic
  address,         // of a diagnostic: "action.a.b, called from terraform_data.c" names two
  output_value,    // goes if the output is sensitive
  cut,             // never leaves the process: null
};

struct member {
  treatment how = treatment::mask;
  place inside = place::data;  // of the object that stands here, or of those in the list
  bool known = false;          // the key is OpenTofu's own
};

/// The member `key` of an object at `where`.
member member_of(place where, std::string_view key);

/// Whether this is a word of the protocol: a level, a type, an action, a reason, a status.
bool is_word(std::string_view text);

}  // namespace tofud::redact
