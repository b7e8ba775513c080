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
  for (; with_causes_ < resources_.size(); ++with_causes_) own_causes(resources_[with_causes_]);
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

void copied_rows::own_causes(feed::resource_row& row) {
  if (row.causes == nullptr) return;
  owned_causes& made = causes_.emplace_back();
  made.as_row = *row.causes;
  const auto own = [](const feed::named_operations*& told,
                      std::optional<feed::named_operations>& copy) {
    if (told != nullptr) told = &copy.emplace(*told);
  };
  own(made.as_row.waiting_for, made.waiting_for);
  own(made.as_row.behind, made.behind);
  row.causes = &made.as_row;
}

}  // namespace tofud::exports
