// What can be wrong with the history that a daemon keeps.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::journal {

enum class error : std::uint8_t {
  header_no_object,
  header_of_another_version,
  header_without_id,
  header_without_creation,
  unsafe_id,
  long_header,
  bad_header,
  in_use,
  unknown_run,
  unopenable,
  not_made,
  not_cut,
  not_cut_back,
  not_read_back,
  not_written_again,
  not_on_disk,
  not_written,
  unreadable,
  not_renamed,
  not_locked,
  not_removed,
  lost_bytes,
  no_memory,
  stream_shortened,
  not_compressed,
  not_as_written,
  run_there_already,
  directory_there_already,
  no_room,
  complete_run,
  event_out_of_order,
  bad_event,
  index_failure,
  bad_cursor,
  bad_bound,
  not_a_backup,
  no_manifest,
  bad_manifest,
  not_in_manifest,
  backup_too_short,
  backup_too_long,
  backup_differs
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::journal
