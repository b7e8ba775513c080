#include "daemon/exports/junit.hpp"

#include "daemon/exports/text.hpp"
#include "protocol/feed/annotations.hpp"
#include "protocol/feed/causes.hpp"
#include "protocol/text/readable.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <unordered_map>

namespace tofud::exports {
namespace {

using std::chrono::microseconds;

enum class outcome : std::uint8_t { passed, failed, error, skipped };

struct test_case {
  std::string group, name;
  outcome result = outcome::passed;
  std::string message, text;
  std::optional<microseconds> took;
};

struct test_suite {
  std::string name;
  std::optional<ui::time_point> began;
  std::optional<microseconds> took;
  std::vector<test_case> cases;

  std::size_t count(outcome result) const {
    return static_cast<std::size_t>(std::count_if(
        cases.begin(), cases.end(), [=](const test_case& each) { return each.result == result; }));
  }
};

// Text that is readable() already. `>` always, so that no `]]>` is left.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

// On one line: readers turn newlines in attributes into spaces anyway.
std::string attribute(std::string_view name, std::string_view raw) {
  return " " + std::string{name} + "=\"" + escaped(text::readable_line(raw)) + "\"";
}

std::string number(std::string_view name, std::size_t count) {
  return attribute(name, std::to_string(count));
}

std::string duration(const std::optional<microseconds>& took) {
  return attribute("time", seconds_text(took.value_or(microseconds{0})));
}

// xs:dateTime without fraction and zone; UTC.
std::string timestamp(const std::optional<ui::time_point>& time) {
  if (!time) return "";
  std::string text;
  ui::append_timestamp(text, *time);
  return attribute("timestamp", text.substr(0, text.find('.')));
}

std::string run_name(const feed::run_view& run) {
  return run.stack.empty() ? "tofu " + std::string{feed::name(run.command)}
                           : run.stack + ": " + std::string{feed::name(run.command)};
}

void explain(test_case& each, const std::vector<const feed::diagnostic_row*>& diagnostics,
             std::string_view otherwise) {
  each.message = diagnostics.empty() ? std::string{otherwise} : diagnostics.front()->summary;
  for (const feed::diagnostic_row* diagnostic : diagnostics) {
    each.text.append(each.text.empty() ? "" : "\n\n").append(diagnostic_text(*diagnostic));
  }
}

// Whom to ask, and what to do.
void add_annotations(test_case& into, const feed::annotations& said) {
  const std::string words = text::readable(feed::in_words(said));
  if (words.empty()) return;
  into.text.append(into.text.empty() ? "" : "\n\n").append(words);
}

outcome outcome_of_test(std::string_view status) {
  if (status == "pass") return outcome::passed;
  if (status == "fail") return outcome::failed;
  if (status == "skip" || status == "pending") return outcome::skipped;
  return outcome::error;
}

using diagnostic_list = std::vector<const feed::diagnostic_row*>;

// Errors that no case has taken yet. Each question costs what it finds.
class open_errors {
 public:
  explicit open_errors(const run_rows& run) {
    for (const feed::diagnostic_row* each : run.diagnostics) {
      if (each->severity != "error") continue;
      const std::size_t place = all_.size();
      all_.push_back(each);
      places_.emplace(each, place);
      if (each->test_file.empty()) continue;
      of_file_[each->test_file].push_back(place);
      of_test_[test_key(each->test_file, each->test_run)].push_back(place);
    }
    taken_.resize(all_.size());
  }
  diagnostic_list take_of_test(std::string_view file, std::string_view run) {
    const auto found = of_test_.find(test_key(file, run));
    return found == of_test_.end() ? diagnostic_list{} : take(found->second);
  }
  diagnostic_list take_of_file(std::string_view file) {
    const auto found = of_file_.find(file);
    return found == of_file_.end() ? diagnostic_list{} : take(found->second);
  }
  diagnostic_list take_rest() {
    std::vector<std::size_t> places(all_.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    return take(places);
  }
  void take_known(const diagnostic_list& known) {
    for (const feed::diagnostic_row* each : known) {
      if (const auto found = places_.find(each); found != places_.end())
        taken_[found->second] = true;
    }
  }

 private:
  static std::string test_key(std::string_view file, std::string_view run) {
    return std::string{file}.append(1, '\0').append(run);
  }
  diagnostic_list take(const std::vector<std::size_t>& places) {
    diagnostic_list found;
    for (const std::size_t place : places) {
      if (taken_[place]) continue;
      taken_[place] = true;
      found.push_back(all_[place]);
    }
    return found;
  }

  diagnostic_list all_;
  std::vector<bool> taken_;
  std::unordered_map<const feed::diagnostic_row*, std::size_t> places_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> of_file_;
  std::unordered_map<std::string, std::vector<std::size_t>> of_test_;
};

test_case case_of_test(const feed::test_run_row& row, open_errors& errors) {
  test_case each{row.path, row.name, outcome_of_test(row.status), "", "", {}};
  const auto found = errors.take_of_test(row.path, row.name);
  if (each.result == outcome::skipped) {
    each.message = row.status == "skip" ? "skipped" : "never ran";
  } else if (each.result != outcome::passed || !found.empty()) {
    explain(each, found, row.status);
  }
  // An error of a block that passed in the end belongs to the file's cleanup.
  if (each.result == outcome::passed && !found.empty()) each.result = outcome::error;
  return each;
}

void add_test_suites(std::vector<test_suite>& suites, const run_rows& run, open_errors& errors) {
  std::unordered_map<std::string_view, std::size_t> by_path;
  const auto suite_of = [&](std::string_view path) -> test_suite& {
    const auto [found, made] = by_path.emplace(path, suites.size());
    if (made) suites.push_back({std::string{path}, run.run.started_at, {}, {}});
    return suites[found->second];
  };
  for (const feed::test_file_row* file : run.test_files) suite_of(file->path);
  for (const feed::test_run_row* row : run.test_runs) {
    suite_of(row->path).cases.push_back(case_of_test(*row, errors));
  }
  for (const feed::test_file_row* file : run.test_files) {
    test_suite& suite = suite_of(file->path);
    const auto found = errors.take_of_file(file->path);
    const outcome result = outcome_of_test(file->status);
    const bool bad = result == outcome::failed || result == outcome::error;
    const bool said = suite.count(outcome::failed) + suite.count(outcome::error) > 0;
    if (found.empty() && (!bad || said)) continue;
    test_case whole{file->path, file->path, outcome::error, "", "", {}};
    explain(whole, found, file->status);
    suite.cases.push_back(std::move(whole));
  }
}

test_case case_of_resource(const run_rows& run, const feed::resource_row& resource,
                           std::string_view group, open_errors& errors) {
  test_case each{std::string{group}, std::string{resource.addr}, outcome::passed, "", "",
                 took(resource)};
  const diagnostic_list found = diagnostics_of(run, resource, "error");
  errors.take_known(found);
  if (run.run.status == feed::run_status::succeeded) {
    // A read in a check that fails is a warning; what OpenTofu is content with is not red.
    if (resource.status != feed::resource_status::failed && found.empty()) return each;
    const auto warnings = diagnostics_of(run, resource, "warning");
    each.result = outcome::skipped;
    explain(each, found.empty() ? warnings : found, "failed, but the run succeeded");
  } else if (resource.status == feed::resource_status::failed) {
    each.result = outcome::failed;
    explain(each, found, "failed");
  } else if (resource.status == feed::resource_status::interrupted) {
    each.result = outcome::error;
    explain(each, found, "never finished");
  } else if (resource.status == feed::resource_status::skipped) {
    each.result = outcome::skipped;
    each.message = "skipped";
    if (resource.causes != nullptr && resource.causes->behind != nullptr)
      each.message += ": behind " + feed::in_words(*resource.causes->behind, 20);
  } else if (!found.empty()) {
    each.result = outcome::error;
    explain(each, found, "");
  } else if (resource.status == feed::resource_status::running) {
    each.result = outcome::skipped;
    each.message = "still running";
  }
  if (each.result == outcome::failed || each.result == outcome::error)
    add_annotations(each, resource.source->said);
  return each;
}

// The errors of no resource or test, and how the run ended.
test_case case_of_run(const run_rows& run, std::string_view group, open_errors& errors, bool said) {
  test_case whole{std::string{group}, "the run", outcome::passed, "", "", took(run.run)};
  const auto left = errors.take_rest();
  const std::string_view status = feed::name(run.run.status);
  const bool going_on = run.run.status == feed::run_status::running;
  const bool bad = !going_on && run.run.status != feed::run_status::succeeded;
  const bool broken = run.run.status == feed::run_status::interrupted ||
                      run.run.status == feed::run_status::lost ||
                      run.run.status == feed::run_status::unknown;
  if (((bad || going_on) && !left.empty()) || broken || (bad && !said)) {
    whole.result = outcome::error;
    explain(whole, left, status);
  }
  return whole;
}

void add_suites(std::vector<test_suite>& suites, const run_rows& run) {
  open_errors errors{run};
  const std::size_t first = suites.size();
  const std::string name = run_name(run.run);
  if (run.run.command == feed::run_command::test) add_test_suites(suites, run, errors);
  test_suite whole{name, run.run.started_at, took(run.run), {}};
  for (const feed::resource_row* resource : run.resources) {
    if (resource->status == feed::resource_status::unchanged && resource->diagnostics.empty())
      continue;
    whole.cases.push_back(case_of_resource(run, *resource, name, errors));
  }
  bool said = whole.count(outcome::failed) + whole.count(outcome::error) > 0;
  for (std::size_t i = first; i < suites.size(); ++i) {
    said = said || suites[i].count(outcome::failed) + suites[i].count(outcome::error) > 0;
  }
  whole.cases.push_back(case_of_run(run, name, errors, said));
  suites.push_back(std::move(whole));
}

void append(std::string& out, const test_case& each) {
  out += "    <testcase" + attribute("classname", each.group) + attribute("name", each.name) +
         duration(each.took);
  if (each.result == outcome::passed) {
    out += "/>\n";
    return;
  }
  if (each.result == outcome::skipped) {
    out += "><skipped" + attribute("message", each.message) + "/></testcase>\n";
    return;
  }
  const std::string element = each.result == outcome::failed ? "failure" : "error";
  out += ">\n      <" + element + attribute("message", each.message) + attribute("type", element) +
         ">" + escaped(each.text) + "</" + element + ">\n    </testcase>\n";
}

void append(std::string& out, const test_suite& suite, std::size_t id) {
  out += "  <testsuite" + attribute("name", suite.name) + number("id", id) +
         number("tests", suite.cases.size()) + number("failures", suite.count(outcome::failed)) +
         number("errors", suite.count(outcome::error)) +
         number("skipped", suite.count(outcome::skipped)) + duration(suite.took) +
         timestamp(suite.began) + ">\n";
  for (const test_case& each : suite.cases) append(out, each);
  out += "  </testsuite>\n";
}

}  // namespace

std::string junit(const std::vector<run_rows>& runs) {
  std::vector<test_suite> suites;
  for (const run_rows& run : runs) add_suites(suites, run);
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  microseconds all{0};
  for (const test_suite& suite : suites) {
    tests += suite.cases.size();
    failures += suite.count(outcome::failed);
    errors += suite.count(outcome::error);
    all += suite.took.value_or(microseconds{0});
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites";
  out += attribute("name", "tofud") + number("tests", tests) + number("failures", failures) +
         number("errors", errors) + duration(all) + ">\n";
  for (std::size_t i = 0; i < suites.size(); ++i) append(out, suites[i], i);
  out += "</testsuites>\n";
  return out;
}

}  // namespace tofud::exports
