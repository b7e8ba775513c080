#include "protocol/diagnostics/json_outline.hpp"
#include "protocol/redact/hidden_ranges.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tofud::redact {
namespace {

// `"${var.password}"` says where a value comes from.
bool is_reference(std::string_view value) {
  if (value == "null") return true;
  if (!value.starts_with("\"${") || !value.ends_with("}\"")) return false;
  const std::string_view inside = value.substr(3, value.size() - 5);
  return inside.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.[]*") ==
         std::string_view::npos;
}

class json_lines {
 public:
  json_lines(std::string_view code, const sensitive_names& names, const diagnostics::subject& of)
      : file_{code, diagnostics::read_as::fragment},
        names_{names},
        of_{of},
        labels_{find_labels()} {}

  std::vector<diagnostics::byte_range> hidden() {
    std::uint32_t at = 1;
    while (at < file_.nodes().size()) {
      const diagnostics::outlined& each = file_.node(at);
      if (!is_hidden(at)) {
        ++at;
        continue;
      }
      if (!is_reference(file_.value(at)) && each.end > each.begin) {
        hidden_.push_back({each.begin, each.end});
      }
      at = each.next;
    }
    return std::move(hidden_);
  }

 private:
  // The lines begin at the root, where the block's own names are.
  std::size_t find_labels() const {
    constexpr std::array<std::string_view, 5> roots{"check", "data", "ephemeral", "provider",
                                                    "resource"};
    for (std::uint32_t at = 1; at < file_.nodes().size(); ++at) {
      if (!file_.node(at).is_member() || file_.name(at) != of_.type) continue;
      const std::vector<std::string_view> names = names_to(at);
      const bool rooted = std::find(roots.begin(), roots.end(), names[0]) != roots.end();
      if (rooted && names.size() >= 2) return names.size() + (of_.is_provider ? 0 : 1);
    }
    return 0;
  }

  bool is_hidden(std::uint32_t at) const {
    const std::vector<std::string_view> names = names_to(at);
    if (labels_ > 0) {
      if (names.size() <= labels_) return false;
      return is_sensitive(*of_.block,
                          {names.begin() + static_cast<std::ptrdiff_t>(labels_), names.end()});
    }
    if (file_.node(at).is_member()) return names_.hides(file_.name(at));
    // What stands alone, out of a list of which the beginning is not there.
    return names.empty() && !file_.node(at).is_container();
  }

  std::vector<std::string_view> names_to(std::uint32_t at) const {
    std::vector<std::string_view> names;
    for (const std::uint32_t each : file_.chain(at)) {
      if (file_.node(each).is_member()) names.push_back(file_.name(each));
    }
    return names;
  }

  diagnostics::json_outline file_;
  const sensitive_names& names_;
  const diagnostics::subject& of_;
  std::size_t labels_;  // names of the block, its kind included; 0: not there
  std::vector<diagnostics::byte_range> hidden_;
};

}  // namespace

std::vector<diagnostics::byte_range> hidden_in_json(std::string_view code,
                                                    const sensitive_names& names,
                                                    const diagnostics::subject& of) {
  if (!names.any()) return {};
  return json_lines{code, names, of}.hidden();
}

}  // namespace tofud::redact
