// What the facts mean for who wants to use tofud here.
#pragma once

#include "daemon/cli/doctor/facts.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::doctor {

enum class verdict : std::uint8_t { ok, warning, problem };
/// "ok", "warning", "problem".
std::string_view name(verdict verdict);

struct finding {
  doctor::verdict verdict = doctor::verdict::ok;
  std::string about;  // "build", "kernel", "tofu", "terraform", "spools", "page", "terminal", "CI",
                      // "cancelling", "tokens"
  std::string sentence;  // one line; holds text from outside

  bool operator==(const finding&) const = default;
};

/// Everything, in the order of a first run.
std::vector<finding> judge(const facts& all);

std::vector<finding> judge_build(const build_facts& build);
std::vector<finding> judge_kernel(const kernel_facts& kernel);
std::vector<finding> judge_programs(const std::vector<program_facts>& programs);
std::vector<finding> judge_places(const std::vector<place_facts>& places);
finding judge_listener(const listener_facts& listener, bool in_ci);
finding judge_terminal(const terminal_facts& terminal);
finding judge_ci(const std::string& ci);
/// Nothing: none ends soon.
std::vector<finding> judge_tokens(const std::vector<token_facts>& tokens);
/// Whether a cancelled job reaches tofu, or only who started it.
finding judge_parent(const parent_facts& parent, bool in_ci);

}  // namespace tofud::doctor
