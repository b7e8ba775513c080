#include "daemon/history/errors.hpp"

namespace tofud::history {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::not_written,
       "the history of durations in {} was not written: {}; the run itself is stored, and "
       "`tofud history import` adds it later"},
      {error::not_read, "the history of durations in {} can't be read: {}"},
      {error::newer,
       "the history of durations in {} was made by a newer tofud; use that one, or remove the "
       "file"},
      {error::not_told, "what another daemon told of a run's durations can't be read"},
  });
  return sentences[what];
}

}  // namespace tofud::history
