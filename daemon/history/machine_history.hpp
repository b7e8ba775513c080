// The history of this machine's own runs: a database beside the spools.
#pragma once

#include "daemon/history/operation.hpp"
#include "daemon/history/usual.hpp"
#include "daemon/sqlite/database.hpp"
#include "protocol/history/report.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::history {

/// Its file's name in a directory of spools.
inline constexpr std::string_view machine_file = "history.db";

/// One process of many that have it open: each waits for the others (limits::machine_patience), and
/// a damaged file is put aside. Waits for the disk; of one thread at a time.
class machine_history {
 public:
  /// Opens or makes it in a directory of spools, with the mode of spools.
  static text::result<machine_history> open(const std::string& directory);
  /// For who only asks: nothing if there is no file.
  static text::result<std::optional<machine_history>> open_existing(const std::string& directory);

  /// What the runs of a stream did, in the place of what was known of it; the oldest beyond
  /// limits::machine_operations go.
  text::failure put(const std::string& stream, std::span<const run_operations> runs);
  text::result<bool> knows(const std::string& stream);
  text::failure forget(const std::string& stream);

  text::result<std::vector<std::optional<usual>>> find_usual(std::span<const usual_query> queries);
  text::result<report> find(const report_query& query);

 private:
  machine_history(std::string path, std::unique_ptr<sqlite::database> open)
      : path_{std::move(path)}, open_{std::move(open)} {}
  static std::unique_ptr<sqlite::database> open_file(const std::string& path);

  std::string path_;
  std::unique_ptr<sqlite::database> open_;
};

}  // namespace tofud::history
