// What is to be attached to a run, and where it is found.
#pragma once

#include <string>
#include <vector>

namespace tofud::attachments {

/// Paths are absolute, or from the working directory of who asks. Empty: not there.
struct wanted {
  std::string spool;                 // of the run; what is made lies beside it
  std::string plan;                  // what `tofu show -json` wrote
  std::vector<std::string> schemas;  // files and directories, see read_schema_files
  std::string own_schemas;           // a directory that was found, which lies over all of them
  std::string config;                // directory of the root module
  std::string data_directory;        // $TF_DATA_DIR: from the root module's directory

  /// A saved plan, which that program reads. `plan` and `schemas` win where both are told.
  struct saved {
    std::string plan;
    std::string program;    // by name or path, as it was typed
    std::string directory;  // where it runs
    std::string chdir;      // of its `-chdir=`
    std::string cache;      // directory of schemas; it is made. Empty: none are kept
  } found;

  bool anything() const;
};

/// The same as options of a command line, and what reads them (see cli/attach.hpp).
std::vector<std::string> to_words(const wanted& all);

}  // namespace tofud::attachments
