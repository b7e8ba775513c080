#include "protocol/events/errors.hpp"

namespace tofud::events {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_json, "the event is not JSON: {}"},
      {error::no_object, "the event is not a JSON object"},
      {error::no_offset, "offset is missing or not a number"},
      {error::bad_offset, "offset is not a number of bytes"},
      {error::no_event, "event is missing or not a string"},
      {error::bad_exit_status, "status is not an exit status from 0 to 255"},
      {error::no_key, "key is missing or not a string"},
      {error::long_label, "a label is at most {} bytes long"},
      {error::bad_role, "role is neither out nor argument"},
      {error::bad_part, "part is neither plan, schemas nor config"},
      {error::bad_trace_parent, "value is no traceparent of W3C Trace Context"},
  });
  return sentences[what];
}

}  // namespace tofud::events
