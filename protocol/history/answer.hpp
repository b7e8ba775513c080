// A report as `GET /v1/history` and `tofud history --json` give it:
//
//   {"entries":[{"stack":S,"addr":A,"type":T,"action":"create","phase":"apply","provider":P,
//     "provider_version":V,"count":12,"failed":1,"p50_s":361.2,"p80_s":430.0,
//     "failed_of_newest":[1,5],"flaky":true,"first_at":TIME,
//     "newest":[{"run":R,"status":"done","seconds":361.2,"started_at":TIME},…],
//     "changed_by":{"run":R,"action":"create","commit":C,"actor":A,"at":TIME}},…],
//    "more":false,"types":[{"type":T,"action":"create","count":9,"p50_s":…,"p80_s":…,"total_s":…}],
//    "refreshes":[{"addr":A,"count":9,"p50_s":…,"p80_s":…,"total_s":…}],
//    "score":[{"at":50,"runs":9,"error":0.087,"p50_held":0.56,"p80_held":0.83},…],"read":1200}
//
// What is not known is null. `score` says of estimates at 25, 50 and 75 % of an apply's time by
// which part of what remained they were off (the median), and how many were over by the two ends
// named.
#pragma once

#include "protocol/history/report.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tofud::history {

/// With a newline behind it.
std::string to_json(const report& of);
/// The member `score` alone, likewise.
std::string to_json(const std::vector<estimate_score>& of);
/// What a daemon answered. A failure says what is wrong with it.
text::result<report> read_report(std::string_view json);

}  // namespace tofud::history
