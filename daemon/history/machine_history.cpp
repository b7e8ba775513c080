#include "daemon/history/machine_history.hpp"

#include "daemon/history/errors.hpp"
#include "daemon/history/limits.hpp"
#include "daemon/history/table.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace tofud::history {
namespace {

/// user_version of the file.
constexpr std::int64_t file_version = 1;

std::string path_in(const std::string& directory) {
  return directory + "/" + std::string{machine_file};
}

}  // namespace

std::unique_ptr<sqlite::database> machine_history::open_file(const std::string& path) {
  auto opened = std::make_unique<sqlite::database>(path, limits::machine_patience);
  // What a power cut takes is the history of the last runs, and never the file.
  opened->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-" +
                  std::to_string(limits::machine_cache_bytes / limits::kib));
  const std::int64_t found = opened->number("PRAGMA user_version");
  if (found == file_version) add_tables(*opened);
  if (found != 0) return opened;
  sqlite::transaction all{*opened};
  if (opened->number("PRAGMA user_version") == 0) {  // another process may have been faster
    make_tables(*opened);
    opened->execute("PRAGMA user_version=" + std::to_string(file_version));
  }
  all.commit();
  return opened;
}

text::result<machine_history> machine_history::open(const std::string& directory) {
  const std::string path = path_in(directory);
  for (int tries = 0;; ++tries) {
    try {
      auto opened = open_file(path);
      if (opened->number("PRAGMA user_version") > file_version)
        return text::failure{error::newer, path};
      return machine_history{path, std::move(opened)};
    } catch (const sqlite::failure& failed) {
      if (!failed.damaged() || tries > 0)
        return text::failure{error::not_read, path, failed.what()};
      std::rename(path.c_str(), (path + ".damaged").c_str());
      for (const auto* beside : {"-wal", "-shm"}) std::remove((path + beside).c_str());
    }
  }
}

text::result<std::optional<machine_history>> machine_history::open_existing(
    const std::string& directory) {
  std::error_code failed;
  if (!std::filesystem::exists(path_in(directory), failed)) return std::optional<machine_history>{};
  auto opened = open(directory);
  if (!opened) return opened.error();
  return std::optional<machine_history>{std::move(*opened)};
}

text::failure machine_history::put(const std::string& stream,
                                   std::span<const run_operations> runs) {
  try {
    {
      sqlite::transaction all{*open_};
      history::forget(*open_, stream);
      for (const auto& each : runs) history::put(*open_, stream, each.run, {});
      all.commit();
    }
    for (const auto& each : runs) {
      const std::span<const operation> operations{each.operations};
      for (std::size_t from = 0; from < operations.size(); from += limits::machine_piece) {
        sqlite::transaction piece{*open_};
        const std::size_t count = std::min(limits::machine_piece, operations.size() - from);
        history::put(*open_, stream, each.run, operations.subspan(from, count));
        piece.commit();
      }
    }
    sqlite::transaction all{*open_};
    trim(*open_, limits::machine_operations);
    all.commit();
    return {};
  } catch (const sqlite::failure& failed) {
    return {error::not_written, path_, failed.what()};
  }
}

text::result<bool> machine_history::knows(const std::string& stream) {
  try {
    return history::knows(*open_, stream);
  } catch (const sqlite::failure& failed) {
    return text::failure{error::not_read, path_, failed.what()};
  }
}

text::failure machine_history::forget(const std::string& stream) {
  try {
    sqlite::transaction all{*open_};
    history::forget(*open_, stream);
    all.commit();
    return {};
  } catch (const sqlite::failure& failed) {
    return {error::not_written, path_, failed.what()};
  }
}

text::result<std::vector<std::optional<usual>>> machine_history::find_usual(
    std::span<const usual_query> queries) {
  try {
    return history::find_usual(*open_, queries);
  } catch (const sqlite::failure& failed) {
    return text::failure{error::not_read, path_, failed.what()};
  }
}

text::result<report> machine_history::find(const report_query& query) {
  try {
    return history::find(*open_, query);
  } catch (const sqlite::failure& failed) {
    return text::failure{error::not_read, path_, failed.what()};
  }
}

}  // namespace tofud::history
