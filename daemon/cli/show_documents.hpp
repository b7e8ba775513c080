// `tofud show` of plans and states.
#pragma once

#include "daemon/cli/foretelling.hpp"
#include "daemon/terminal/colour.hpp"

#include <string>
#include <vector>

namespace tofud::cli {

struct show_arguments {
  std::vector<std::string> files;
  std::vector<std::string> schemas;  // files and directories
  std::string mask_file;             // of what a comment must not have
  std::string config;                // directory of the root module; empty: what the plan has of it
  memory_source memory;              // of how long things take, for a comment
  bool diagnostics = false, compact = false, json = false, markdown = false, html = false,
       refresh_only = false, destroy = false, overlay = false;
  terminal::colour_flag colour = terminal::colour_flag::automatic;
};

/// The exit status.
int show_documents(const show_arguments& given);

}  // namespace tofud::cli
