// Rows of tests.
#include "daemon/correlator/run_values.hpp"

#include <string>
#include <utility>

namespace tofud::correlator {

using feed::row_kind;

namespace {

bool assign_status(std::string& status, std::string_view said) {
  if (status == said) return false;
  status = said;
  return true;
}

// Terraform reports progress without a status: running, until there is a result.
bool set_status(std::string& status, std::string_view said) {
  if (!said.empty()) return assign_status(status, said);
  if (status.empty() || status == "pending") return assign_status(status, "running");
  return false;
}

}  // namespace

void set_test_file(run_values& run, std::string_view path, std::string_view status) {
  auto found = run.rows.by_test_file.find(path);
  const bool made = found == run.rows.by_test_file.end();
  if (made) {
    const auto number = new_row(run, row_kind::test_file, run.rows.test_files.size());
    if (!number) return;
    auto& added = run.rows.test_files.emplace_back();
    added.number = *number;
    added.row.path = path;
    found = run.rows.by_test_file
                .emplace(added.row.path, static_cast<std::uint32_t>(run.rows.test_files.size() - 1))
                .first;
  }
  auto& [row, number, cut] = run.rows.test_files[found->second];
  if (set_status(row.status, status) || made) touch(run, number);
}

void set_test_run(run_values& run, std::string_view path, std::string_view name,
                  std::string_view status) {
  feed::test_run_row wanted{std::string{path}, std::string{name}, {}};
  const auto [found, made] = run.rows.by_test_run.emplace(
      feed::key(wanted), static_cast<std::uint32_t>(run.rows.test_runs.size()));
  if (made) {
    const auto number = new_row(run, row_kind::test_run, run.rows.test_runs.size());
    if (!number) {
      run.rows.by_test_run.erase(found);
      return;
    }
    run.rows.test_runs.push_back({std::move(wanted), *number});
  }
  auto& [row, number, cut] = run.rows.test_runs[found->second];
  if (set_status(row.status, status) || made) touch(run, number);
}

}  // namespace tofud::correlator
