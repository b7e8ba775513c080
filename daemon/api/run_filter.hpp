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
  std::string stack;                       // this very stack
  std::string since;                       // RFC 3339 (began then or later), or a run that is older
  std::string until;                       // RFC 3339 (began before), or a run that is newer
  bool is_empty() const;
};

struct filter_words {
  std::vector<std::string> statuses, labels;  // statuses may hold commas; labels are KEY=VALUE
  std::string text, since;                    // see typed_time.hpp; or a run's id
  std::string stack = {}, until = {};
};

/// The failure is a sentence that names the argument.
boost::system::result<run_filter, std::string> parse_filter(const filter_words& given,
                                                            ui::time_point now);

bool matches(const run_filter& wanted, const feed::run_view& run,
             std::chrono::system_clock::time_point began);

}  // namespace tofud
