// `POST /v1/runs`: a forwarder names a run that it is going to send.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/text/failure.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::upload {

struct create_request {
  std::string id;  // the run's name at the forwarder, a wish; empty: none
  std::string upload_id, upload_secret;
  std::string rules;  // "sha256:…" of the redaction
  std::string stack;  // empty: unknown
  std::vector<feed::label> labels;
  std::optional<feed::run_command> command;
  bool may_ask = false;
  std::uint64_t parallelism = 0;  // operations at once, as OpenTofu was told; 0: it was not
  std::optional<ui::time_point> started_at;
};

/// As one line of JSON without its newline.
std::string to_json(const create_request& request);

/// The failure names the field.
text::result<create_request> parse_create_request(std::string_view body);

/// Labels as they are taken from anybody: bounded in number and length, a later one of a key wins.
text::result<std::vector<feed::label>> checked_labels(std::vector<feed::label> labels);

}  // namespace tofud::upload
