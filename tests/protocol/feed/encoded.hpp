// Rows as they are encoded, for tests.
#pragma once

#include "protocol/feed/encode.hpp"
#include "protocol/text/utf8.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tofud::feed::tests {

inline const std::string run_id = "20261121T0312-7f3a";

inline ui::time_point at(std::string_view text) { return ui::parse_timestamp(text).value(); }

template <typename Row>
std::string encoded(const Row& row, sequence seq, cut limit = cut::at_limit) {
  std::string out;
  encode(out, row, {run_id, seq, limit});
  return out;
}

inline boost::json::object parsed(const std::string& json) {
  EXPECT_TRUE(text::valid_utf8(json));
  return boost::json::parse(json).as_object();
}

inline std::string string_at(const boost::json::object& object, std::string_view name) {
  return std::string{object.at(boost::json::string_view{name.data(), name.size()}).as_string()};
}

inline step done_step(std::uint32_t number, run_phase phase, step_action action,
                      std::string_view from, std::string_view to) {
  step s;
  s.number = number;
  s.phase = phase;
  s.action = action;
  s.status = step_status::done;
  s.started_at = at(from);
  s.ended_at = at(to);
  return s;
}

inline diagnostic_row example_diagnostic() {
  diagnostic_row row;
  row.ordinal = 1;
  row.severity = "error";
  row.summary = "creating EC2 Subnet: InvalidSubnet.Conflict";
  row.detail = "…";
  row.address = "module.net.aws_subnet.a[\"y\"]";
  row.range = source_range{"net/main.tf", {12, 1, 230}, {12, 27, 256}};
  row.snippet = source_snippet{
      "resource \"aws_subnet\" \"a\"", "resource \"aws_subnet\" \"a\" {", 12, 0, 26, {}, ""};
  row.at = at("2026-11-21T03:14:36.0012Z");
  return row;
}

}  // namespace tofud::feed::tests
