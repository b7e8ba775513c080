// A run as one document for other programs.
#pragma once

#include "daemon/exports/run_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::exports {

enum class document_format : std::uint8_t { csv, junit, trace, markdown };

/// "csv", "junit", "trace", "md".
std::optional<document_format> parse_document_format(std::string_view word);

struct document_kind {
  std::string_view content_type;
  std::string_view ending;  // of a file's name, with its dot
};
document_kind kind_of(document_format format);

/// Appends what the attached plan of the run changes in at most so many bytes; nothing if it has
/// none.
using plan_writer = std::function<void(std::string& out, std::size_t room)>;

/// The Markdown has the plan as well, and fits one comment.
std::string exported_document(document_format format, const std::vector<run_rows>& runs,
                              const plan_writer& plan);

}  // namespace tofud::exports
