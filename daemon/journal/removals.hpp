// The runs that a person removed: whoever uploads one of them again is told to stop for good.
#pragma once

#include "daemon/journal/appended_file.hpp"
#include "protocol/ui/timestamp.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::journal {

/// One line of removed.jsonl: {"run":"…","upload_id":"…","at":"…"}
struct removal {
  std::string run, upload_id;  // upload_id empty: it had none
  ui::time_point at;
};

/// Remembers what is on disk of the file.
class removals {
 public:
  removals(disk& on, const std::string& root);

  /// What is in the file; a torn line at its end, which nobody was told of, is cut.
  std::vector<removal> read();
  /// "" and it is on disk, or a sentence.
  text::failure add(const removal& removal);

 private:
  disk& disk_;
  std::string path_;
  std::optional<appended_file> file_;
};

}  // namespace tofud::journal
