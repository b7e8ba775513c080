// What `GET /v1/runs` and the form of `/runs` ask.
#pragma once

#include "daemon/api/pages/run_list.hpp"
#include "daemon/http/message/request.hpp"
#include "daemon/journal/run_query.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud {

/// Thrown: a sentence about what can't be asked.
struct bad_question {
  std::string sentence;
};

/// The labels of a query, each KEY=VALUE. Throws bad_question.
std::vector<feed::label> labels_asked_for(const http::request& asked);

/// A number of a query; nothing if it is not there. Throws bad_question.
std::optional<std::uint64_t> number_asked_for(const http::request& asked, std::string_view name);

/// Times that people type (typed_time.hpp) become RFC 3339 ones. Throws bad_question.
feed::run_query runs_asked_for(const http::request& asked, ui::time_point now);

/// The same of the form. Throws bad_question.
feed::run_query runs_asked_for(const pages::run_search& asked, ui::time_point now);

}  // namespace tofud
