#include "daemon/journal/errors.hpp"

namespace tofud::journal {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::header_no_object, "is no JSON object"},
      {error::header_of_another_version, "is of a version that this tofud does not know"},
      {error::header_without_id, "has no id"},
      {error::header_without_creation, "has no created_at"},
      {error::unsafe_id, "\"{}\" can't be the name of a run"},
      {error::long_header, "what is said of run {} is longer than {} bytes"},
      {error::bad_header, "what is said of run {} can't be kept: it {}"},
      {error::in_use,
       "{}: another tofud keeps its runs here; give this one a --state-dir of its own"},
      {error::unknown_run, "run {} is not known"},
      {error::unopenable, "{}: can't be opened: {}"},
      {error::not_made, "{}: can't be made: {}"},
      {error::not_cut, "{}: can't be cut: {}"},
      {error::not_cut_back, "{}: can't be cut to what was acknowledged: {}"},
      {error::not_read_back, "{}: can't be read back: {}"},
      {error::not_written_again, "{}: can't be written again: {}"},
      {error::not_on_disk, "{}: can't be brought to disk: {}"},
      {error::not_written, "{}: can't be written: {}"},
      {error::unreadable, "{}: can't be read: {}"},
      {error::not_renamed, "{}: can't be renamed: {}"},
      {error::not_locked, "{}: can't be locked: {}"},
      {error::not_removed, "{}: can't be removed: {}"},
      {error::lost_bytes, "{}: is shorter than what was acknowledged of it: the disk lost bytes"},
      {error::no_memory, "{}: can't be compressed: no memory"},
      {error::stream_shortened, "{}: is shorter than it was when the run ended"},
      {error::not_compressed, "{}: can't be compressed"},
      {error::not_as_written, "{}: is not what was written"},
      {error::run_there_already, "run {} is there already"},
      {error::directory_there_already, "{}: is there already"},
      {error::no_room,
       "{}: only {} MiB are free on this disk: no more is kept until there is room"},
      {error::complete_run, "run {} is complete"},
      {error::event_out_of_order, "run {} has {} events: number {} is not the next"},
      {error::bad_event, "the event is no JSON object with an offset"},
      {error::index_failure, "{}: {}"},
      {error::bad_cursor, "cursor is none of this list"},
      {error::bad_bound, "{} is neither a time, such as 2026-11-21T03:12:00Z, nor a run"},
  });
  return sentences[what];
}

}  // namespace tofud::journal
