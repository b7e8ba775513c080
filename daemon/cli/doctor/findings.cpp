#include "daemon/cli/doctor/findings.hpp"

#include "protocol/ui/program.hpp"

#include <algorithm>
#include <array>

namespace tofud::doctor {
namespace {

template <std::size_t Size>
bool is_one_of(std::string_view name, const std::array<std::string_view, Size>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Programs made to start others, which pass signals on.
constexpr std::array<std::string_view, 8> supervisors = {
    "systemd",         "init",        "tini", "dumb-init", "docker-init", "catatonit",
    "containerd-shim", "s6-supervise"};

finding judge_program(const program_facts& program) {
  finding found{verdict::ok, program.path.substr(program.path.rfind('/') + 1), ""};
  if (!program.found) {
    found.verdict = verdict::warning;
    found.sentence = program.path + " does not tell its version, so tofud run does not follow it";
    return found;
  }
  const auto& version = *program.found;
  const bool at_least_12 = version.major > 1 || (version.major == 1 && version.minor >= 12);
  found.sentence = version.name + ", " + program.path + ": ";
  if (version.opentofu && at_least_12) {
    found.sentence += "tofud follows it by -json-into; it keeps its own terminal and prompt";
  } else if (version.opentofu || version.major > 1 || version.minor >= 1) {
    found.verdict = verdict::warning;
    found.sentence +=
        "tofud follows it by -json, which cannot prompt: an apply needs -auto-approve or a saved "
        "plan (OpenTofu 1.12 and later have -json-into)";
  } else {
    found.verdict = verdict::problem;
    found.sentence +=
        "it prints no stream that tofud can read (OpenTofu and Terraform 1.1 or later do)";
  }
  return found;
}

}  // namespace

std::string_view name(verdict verdict) {
  switch (verdict) {
    case verdict::ok:
      return "ok";
    case verdict::warning:
      return "warning";
    case verdict::problem:
      return "problem";
  }
  return "";
}

std::vector<finding> judge_programs(const std::vector<program_facts>& programs) {
  std::vector<finding> found;
  found.reserve(programs.size() + 1);
  for (const program_facts& each : programs) found.push_back(judge_program(each));
  if (found.empty()) {
    found.push_back(
        {verdict::problem, "tofu",
         "neither tofu nor terraform is in PATH; tofud can only replay and read pipes"});
  }
  return found;
}

std::vector<finding> judge_places(const std::vector<place_facts>& places) {
  std::vector<finding> found;
  bool chosen = false;
  for (const place_facts& each : places) {
    if (each.refusal.empty()) {
      const std::string_view what = chosen ? " is writable too" : " is where streams are kept";
      found.push_back({verdict::ok, "spools", each.directory + std::string{what}});
      chosen = true;
    } else {
      // What nobody asked for and nobody needs is worth no worry.
      const bool matters = each.asked_for && !chosen;
      found.push_back({matters ? verdict::warning : verdict::ok, "spools",
                       each.directory + " is skipped: " + each.refusal});
    }
  }
  if (!chosen) {
    found.push_back({verdict::warning, "spools",
                     "no directory is writable for streams, so they are kept in memory and lost at "
                     "the end; give --state-dir"});
  }
  return found;
}

std::vector<finding> judge_tokens(const std::vector<token_facts>& tokens) {
  std::vector<finding> found;
  for (const token_facts& each : tokens) {
    const std::string in =
        each.days == 0 ? "within a day"
                       : "in " + std::to_string(each.days) + (each.days == 1 ? " day" : " days");
    found.push_back({verdict::warning, "tokens",
                     "the token " + each.name + " ends " + in + " (" + each.day +
                         "); make its successor with `tofud token create`, by the same name"});
  }
  return found;
}

finding judge_listener(const listener_facts& listener, bool in_ci) {
  if (listener.url.empty()) {
    return {verdict::problem, "page", "no page can be served: " + listener.failure};
  }
  if (in_ci) {
    return {verdict::ok, "page",
            "could be served at " + listener.url + "; in CI only with --listen"};
  }
  return {verdict::ok, "page", "a run would be served at " + listener.url};
}

finding judge_terminal(const terminal_facts& terminal) {
  finding found{verdict::ok, "terminal", ""};
  if (!terminal.is_terminal) {
    found.sentence =
        "standard output is not a terminal: --progress=auto means " + terminal.shown_as;
    return found;
  }
  found.sentence = terminal.name.empty() ? "TERM is not set" : "TERM is " + terminal.name;
  if (terminal.columns > 0) found.sentence += ", " + std::to_string(terminal.columns) + " columns";
  found.sentence += terminal.coloured ? ", colours" : ", no colours";
  found.sentence += ": --progress=auto means " + terminal.shown_as;
  if (!terminal.utf8) {
    found.verdict = verdict::warning;
    found.sentence +=
        "; the locale is not UTF-8, so marks are ASCII and other characters become ? (LC_ALL, "
        "LC_CTYPE, LANG)";
  }
  return found;
}

finding judge_ci(const std::string& ci) {
  if (ci.empty()) return {verdict::ok, "CI", "this is not a CI job"};
  const std::string name = ci == "CI" ? "a CI job (CI is set)" : "a job of " + ci;
  return {verdict::ok, "CI", "this is " + name + ": lines instead of a live block"};
}

finding judge_parent(const parent_facts& parent, bool in_ci) {
  const std::string who = (parent.name.empty() ? "the process" : parent.name) + " (process " +
                          std::to_string(parent.pid) + ")";
  // A runner gives its jobs a terminal too, at times, but it cancels by signalling one process.
  if (parent.has_terminal && !in_ci) {
    return {verdict::ok, "cancelling", "Ctrl-C reaches tofu: the terminal signals every process"};
  }
  if (parent.pid <= 1) {
    return {
        verdict::ok, "cancelling",
        "tofud itself gets the signals for this container or service and forwards them to tofu"};
  }
  if (is_one_of(parent.name, supervisors)) {
    return {verdict::ok, "cancelling",
            who + " forwards signals to tofud, and tofud forwards them to tofu"};
  }
  if (ui::is_shell(parent.name)) {
    return {verdict::warning, "cancelling",
            who +
                " started tofud and does not forward signals: cancelling the job kills tofu and "
                "leaves the lock. Replace the shell: exec tofud run -- tofu apply"};
  }
  return {in_ci ? verdict::warning : verdict::ok, "cancelling",
          who + " started tofud: it decides whether cancelling the job reaches tofu"};
}

std::vector<finding> judge_build(const build_facts& build) {
  std::string libraries;
  for (const auto& [name, version] : build.libraries)
    libraries.append(libraries.empty() ? "" : ", ").append(name).append(" ").append(version);
  return {{verdict::ok, "build",
           "tofud " + build.version + " for " + build.machine + ", " + build.compiler +
               (build.is_portable ? ", libraries linked in" : ", libraries of this system")},
          {verdict::ok, "libraries", libraries}};
}

std::vector<finding> judge_kernel(const kernel_facts& kernel) {
  std::vector<finding> found;
  const std::string name = "Linux " + kernel.release;
  for (const auto& [call, effect] : kernel.missing) {
    std::string sentence = name;
    sentence.append(" refuses ").append(call).append(": ").append(effect);
    found.push_back({verdict::warning, "kernel", std::move(sentence)});
  }
  if (found.empty())
    found.push_back({verdict::ok, "kernel", name + " gives all that tofud makes use of"});
  return found;
}

std::vector<finding> judge(const facts& all) {
  const bool in_ci = !all.ci.empty();
  std::vector<finding> found;
  for (auto& some : {judge_build(all.build), judge_kernel(all.kernel), judge_programs(all.programs),
                     judge_places(all.places)})
    found.insert(found.end(), some.begin(), some.end());
  found.push_back(judge_listener(all.listener, in_ci));
  found.push_back(judge_terminal(all.terminal));
  found.push_back(judge_ci(all.ci));
  found.push_back(judge_parent(all.parent, in_ci));
  const auto tokens = judge_tokens(all.tokens);
  found.insert(found.end(), tokens.begin(), tokens.end());
  return found;
}

}  // namespace tofud::doctor
