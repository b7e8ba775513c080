// What the doctor looks at, collected elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tofud::doctor {

/// An OpenTofu or Terraform that a command line would start.
struct program_facts {
  std::string path;
  struct version {
    bool opentofu = true;
    int major = 0, minor = 0;
    std::string name;  // "OpenTofu 1.12.6"
  };
  std::optional<version> found;  // nothing: `version` said neither
};

/// A directory that spools may go to, best first.
struct place_facts {
  std::string directory;
  std::string refusal;  // why not, as half a sentence; empty: it takes them
  bool asked_for = false;
};

struct listener_facts {
  std::string url;      // empty: none could be had
  std::string failure;  // why, as a sentence
};

struct terminal_facts {
  bool is_terminal = false;  // standard output
  bool coloured = false;
  bool utf8 = false;
  unsigned columns = 0;  // 0: unknown
  std::string name;      // TERM
  std::string shown_as;  // what --progress=auto makes of it: "tty", "plain", "github", "gitlab"
};

/// Who started this process, and who gets the signals.
struct parent_facts {
  std::int64_t pid = 0;
  std::string name;           // of its program: "bash"; empty: unknown
  bool has_terminal = false;  // there is a terminal that signals this process's group
};

struct build_facts {
  std::string version, compiler;
  std::string machine;       // "amd64", "arm64"
  bool is_portable = false;  // libraries are linked in
  struct library {
    std::string name, version;
  };
  std::vector<library> libraries;  // shared ones as they are now, the others as it was built
};

struct kernel_facts {
  std::string release;
  struct absent {
    std::string call, effect;  // what does not work for want of it
  };
  std::vector<absent> missing;
};

/// A token of this machine's daemon that ends soon.
struct token_facts {
  std::string name;       // or its id
  std::string day;        // "2026-12-01"
  std::int64_t days = 0;  // until then
};

struct facts {
  build_facts build;
  kernel_facts kernel;
  std::vector<program_facts> programs;  // those found in PATH
  std::vector<place_facts> places;
  listener_facts listener;
  terminal_facts terminal;
  std::string ci;  // name of the CI system, "CI" if that is all that is known; empty: none
  parent_facts parent;
  std::vector<token_facts> tokens;  // the soonest first
};

}  // namespace tofud::doctor
