// A report as `GET /v1/history` and `tofud history --json` give it:
//
//   {"entries":[{"stack":S,"addr":A,"type":T,"action":"create","phase":"apply","provider":P,
//     "provider_version":V,"count":12,"failed":1,"p50_s":361.2,"p80_s":430.0,
//     "failed_of_newest":[1,5],"flaky":true,"first_at":TIME,
//     "newest":[{"run":R,"status":"done","seconds":361.2,"started_at":TIME},…],
//     "changed_by":{"run":R,"action":"create","commit":C,"actor":A,"at":TIME}},…],
//    "more":false,"types":[{"type":T,"action":"create","count":9,"p50_s":…,"p80_s":…,"total_s":…}],
//    "refreshes":[{"addr":A,"count":9,"p50_s":…,"p80_s":…,"total_s":…}],"read":1200}
//
// What is not known is null.
#pragma once

#include "protocol/history/report.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>

namespace tofud::history {

/// With a newline behind it.
std::string to_json(const report& of);
/// What a daemon answered. A failure says what is wrong with it.
text::result<report> read_report(std::string_view json);

}  // namespace tofud::history
