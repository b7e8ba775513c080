#include "daemon/journal/errors.hpp"

namespace tofud::journal {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::header_no_object, "is not a JSON object"},
      {error::header_of_another_version, "has a version that this tofud does not know"},
      {error::header_without_id, "has no id"},
      {error::header_without_creation, "has no created_at"},
      {error::unsafe_id, "\"{}\" is not a valid run id"},
      {error::long_header, "the description of run {} is longer than {} bytes"},
      {error::bad_header, "the description of run {} can't be stored: it {}"},
      {error::in_use, "{}: another tofud stores its runs here; give this one its own --state-dir"},
      {error::unknown_run, "run {} is not known"},
      {error::unopenable, "{}: can't be opened: {}"},
      {error::not_made, "{}: can't be made: {}"},
      {error::not_cut, "{}: can't be truncated: {}"},
      {error::not_cut_back, "{}: can't be truncated to what was acknowledged: {}"},
      {error::not_read_back, "{}: can't be read back: {}"},
      {error::not_written_again, "{}: can't be rewritten: {}"},
      {error::not_on_disk, "{}: can't be synced to disk: {}"},
      {error::not_written, "{}: can't be written: {}"},
      {error::unreadable, "{}: can't be read: {}"},
      {error::not_renamed, "{}: can't be renamed: {}"},
      {error::not_locked, "{}: can't be locked: {}"},
      {error::not_removed, "{}: can't be removed: {}"},
      {error::lost_bytes, "{}: is shorter than what was acknowledged; the disk lost data"},
      {error::no_memory, "{}: can't be compressed: not enough memory"},
      {error::stream_shortened, "{}: is shorter than it was when the run ended"},
      {error::not_compressed, "{}: can't be compressed"},
      {error::not_as_written, "{}: has other content than what was written"},
      {error::run_there_already, "run {} exists already"},
      {error::directory_there_already, "{}: exists already"},
      {error::no_room,
       "{}: only {} MiB are free on this disk; nothing more is stored until there is room"},
      {error::complete_run, "run {} is complete"},
      {error::event_out_of_order, "run {} has {} events: number {} is not the next"},
      {error::bad_event, "the event is not a JSON object with an offset"},
      {error::index_failure, "{}: {}"},
      {error::bad_cursor, "cursor does not belong to this list"},
      {error::bad_bound, "{} is neither a time such as 2026-11-21T03:12:00Z nor a run"},
      {error::not_a_backup,
       "{}: is not empty and has no manifest of a backup; name another directory"},
      {error::no_manifest,
       "{}: has no manifest.jsonl: the backup did not come to its end; run `tofud backup` again"},
      {error::bad_manifest, "{}: line {} is not an entry of a manifest"},
      {error::not_in_manifest, "{}: is not in the manifest"},
      {error::backup_too_short, "{}: ends at byte {} of {}"},
      {error::backup_too_long, "{}: has {} bytes after its {}"},
      {error::backup_differs, "{}: its {} bytes are not those that were copied"},
  });
  return sentences[what];
}

}  // namespace tofud::journal
