#include "daemon/correlator/message_counts.hpp"

#include <utility>

namespace tofud::correlator {
namespace {

// One for each alternative, so that a new one fails to compile here.
constexpr std::string_view name_of(const ui::version*) { return "version"; }
constexpr std::string_view name_of(const ui::log*) { return "log"; }
constexpr std::string_view name_of(const ui::diagnostic*) { return "diagnostic"; }
constexpr std::string_view name_of(const ui::planned_change*) { return "planned_change"; }
constexpr std::string_view name_of(const ui::resource_drift*) { return "resource_drift"; }
constexpr std::string_view name_of(const ui::change_summary*) { return "change_summary"; }
constexpr std::string_view name_of(const ui::outputs*) { return "outputs"; }
constexpr std::string_view name_of(const ui::apply_start*) { return "apply_start"; }
constexpr std::string_view name_of(const ui::apply_progress*) { return "apply_progress"; }
constexpr std::string_view name_of(const ui::apply_complete*) { return "apply_complete"; }
constexpr std::string_view name_of(const ui::apply_errored*) { return "apply_errored"; }
constexpr std::string_view name_of(const ui::provision_start*) { return "provision_start"; }
constexpr std::string_view name_of(const ui::provision_progress*) { return "provision_progress"; }
constexpr std::string_view name_of(const ui::provision_complete*) { return "provision_complete"; }
constexpr std::string_view name_of(const ui::provision_errored*) { return "provision_errored"; }
constexpr std::string_view name_of(const ui::refresh_start*) { return "refresh_start"; }
constexpr std::string_view name_of(const ui::refresh_complete*) { return "refresh_complete"; }
constexpr std::string_view name_of(const ui::ephemeral_start*) { return "ephemeral_start"; }
constexpr std::string_view name_of(const ui::ephemeral_progress*) { return "ephemeral_progress"; }
constexpr std::string_view name_of(const ui::ephemeral_complete*) { return "ephemeral_complete"; }
constexpr std::string_view name_of(const ui::ephemeral_errored*) { return "ephemeral_errored"; }
constexpr std::string_view name_of(const ui::test_abstract*) { return "test_abstract"; }
constexpr std::string_view name_of(const ui::test_file*) { return "test_file"; }
constexpr std::string_view name_of(const ui::test_run*) { return "test_run"; }
constexpr std::string_view name_of(const ui::test_summary*) { return "test_summary"; }
constexpr std::string_view name_of(const ui::test_document*) { return "test_document"; }
constexpr std::string_view name_of(const ui::test_interrupt*) { return "test_interrupt"; }
constexpr std::string_view name_of(const ui::notice*) { return "notice"; }
constexpr std::string_view name_of(const ui::init_output*) { return "init_output"; }
constexpr std::string_view name_of(const ui::action_output*) { return "action_output"; }
constexpr std::string_view name_of(const ui::action_errored*) { return "action_errored"; }
constexpr std::string_view name_of(const ui::untyped*) { return "untyped"; }
constexpr std::string_view name_of(const ui::unknown*) { return "unknown"; }
constexpr std::string_view name_of(const ui::malformed*) { return "malformed"; }

template <std::size_t... Type>
constexpr auto all_names(std::index_sequence<Type...>) {
  return std::array<std::string_view, sizeof...(Type)>{
      name_of(static_cast<const std::variant_alternative_t<Type, ui::message>*>(nullptr))...};
}
constexpr auto names = all_names(std::make_index_sequence<message_counts::types>{});

constexpr std::size_t malformed_type = message_counts::types - 1;
static_assert(names[malformed_type] == "malformed");

}  // namespace

std::uint64_t message_counts::malformed() const { return by_type[malformed_type]; }

std::string_view message_counts::name(std::size_t type) { return names[type]; }

}  // namespace tofud::correlator
