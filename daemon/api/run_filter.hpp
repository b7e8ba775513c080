// What people type about runs, as a query: the same words as `/v1/runs` understands.
#pragma once

#include "protocol/feed/run_query.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tofud {

struct filter_words {
  std::vector<std::string> statuses, labels;  // statuses may hold commas; labels are KEY=VALUE
  std::string text, since;                    // see typed_time.hpp; or a run's id
  std::string stack = {}, until = {};
};

/// The failure names the argument.
text::result<feed::run_query> parse_filter(const filter_words& given, ui::time_point now);

}  // namespace tofud
