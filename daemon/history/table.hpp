// Operations in a database: how they are put, found and forgotten. Functions on a database that
// somebody else has open; all throw sqlite::failure. Of one thread at a time.
#pragma once

#include "daemon/history/operation.hpp"
#include "daemon/history/usual.hpp"
#include "daemon/sqlite/database.hpp"
#include "protocol/history/report.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tofud::history {

/// In a database that has none. Inside of the caller's transaction.
void make_tables(sqlite::database& in);
/// What later versions added: nothing where it is there. In a transaction of the caller.
void add_tables(sqlite::database& in);
/// Makes them and takes over what the table `history` of indexes before this version holds.
void take_over_history(sqlite::database& in);

/// Puts operations of a run; what the run says of itself takes the place of what it said before.
/// `under` is what they are forgotten by: the id of the stream, of which a run may be the second.
/// Inside of the caller's transaction.
void put(sqlite::database& in, const std::string& under, const remembered_run& run,
         std::span<const operation> operations);
void forget(sqlite::database& in, const std::string& under);
bool knows(sqlite::database& in, const std::string& under);
/// At most so many operations, the newest; and no names that none of them has.
void trim(sqlite::database& in, std::uint64_t most);

/// One for each query; nothing: nobody knows.
std::vector<std::optional<usual>> find_usual(sqlite::database& in,
                                             std::span<const usual_query> queries);
/// Of a stack the addresses that take longest, at most so many, of its newest
/// limits::history_of_stack operations.
std::vector<feed::address_usual> usual_of_stack(sqlite::database& in, const std::string& stack,
                                                std::size_t most,
                                                const sqlite::row_filter& seen = nullptr);
/// Reads at most limits::history_read operations. `seen`: by a run's stack and what was granted to
/// it, whether its operations may be read.
report find(sqlite::database& in, const report_query& query,
            const sqlite::row_filter& seen = nullptr);

}  // namespace tofud::history
