// What agents may ask of runs: the tools of `tofud mcp`.
#pragma once

#include "daemon/mcp/server.hpp"

#include <string>
#include <vector>

namespace tofud::cli {

/// Where runs are asked for.
struct mcp_place {
  std::string state_dir, server, token_file;
  std::string mask_file;  // with more values to redact; empty: none
  bool no_server = false;
};

/// They change nothing, answer within limits::mcp_answer_bytes, and give nothing that a document
/// that leaves this machine would not have.
std::vector<mcp::tool> mcp_tools(const mcp_place& place);

}  // namespace tofud::cli
