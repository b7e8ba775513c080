#include "daemon/exports/copied_rows.hpp"

#include <type_traits>

namespace tofud::exports {
namespace {

/// Appends copies of what `at` gives until there are `wanted` of them or `room` is used up, and
/// views of them.
template <typename Copies, typename Views, typename At>
void copy_up_to(Copies& copies, Views& views, std::size_t wanted, std::size_t& room, At at) {
  for (; copies.size() < wanted && room > 0; --room) {
    copies.emplace_back(at(copies.size()));
    if constexpr (std::is_pointer_v<typename Views::value_type>)
      views.push_back(&copies.back());
    else
      views.push_back(copies.back());
  }
}

}  // namespace

copied_rows::copied_rows(const correlator::run_state& of)
    : of_{of},
      wanted_{of.resources().size(), of.diagnostics(), of.test_files(), of.test_runs(),
              of.outputs()} {
  rows_.run = of.view();
}

bool copied_rows::copy_some(std::size_t rows) {
  std::size_t room = rows;
  copy_up_to(resources_, rows_.resources, wanted_.resources, room,
             [this](std::size_t i) { return of_.resources()[i].row; });
  copy_up_to(diagnostics_, rows_.diagnostics, wanted_.diagnostics, room,
             [this](std::size_t i) { return of_.diagnostic_at(i); });
  copy_up_to(test_files_, rows_.test_files, wanted_.test_files, room,
             [this](std::size_t i) { return of_.test_file_at(i); });
  copy_up_to(test_runs_, rows_.test_runs, wanted_.test_runs, room,
             [this](std::size_t i) { return of_.test_run_at(i); });
  copy_up_to(outputs_, rows_.outputs, wanted_.outputs, room,
             [this](std::size_t i) { return of_.output_at(i).name; });
  held_.hold(resources_.size() * sizeof(feed::resource_row) +
             diagnostics_.size() * sizeof(feed::diagnostic_row));
  return room == 0;
}

}  // namespace tofud::exports
