// Which runs a list is to show; the same words as `/v1/runs` understands.
#pragma once

#include "protocol/feed/row.hpp"

#include <boost/system/result.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tofud {

struct run_filter {
  std::vector<feed::run_status> statuses;  // any of them; none: all
  std::vector<feed::label> labels;         // all of them
  std::string text;                        // in id, stack or a label, upper or lower case
  std::string since;                       // a time (began then or later), or a run that is older
  bool is_empty() const;
};

struct filter_words {
  std::vector<std::string> statuses, labels;  // statuses may hold commas; labels are KEY=VALUE
  std::string text, since;
};

/// The failure is a sentence that names the argument.
boost::system::result<run_filter, std::string> parse_filter(const filter_words& given);

bool matches(const run_filter& wanted, const feed::run_view& run,
             std::chrono::system_clock::time_point began);

}  // namespace tofud
