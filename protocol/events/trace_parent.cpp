#include "protocol/events/trace_parent.hpp"

#include "protocol/text/hex.hpp"

namespace tofud::events {
namespace {

constexpr std::size_t trace_at = 3, trace_digits = 32, span_at = 36, span_digits = 16,
                      flags_at = 53, whole = 55;

bool is_id(std::string_view digits) {
  return text::from_hex(digits) && digits.find_first_not_of('0') != digits.npos;
}

}  // namespace

std::optional<trace_parent> parse_trace_parent(std::string_view text) {
  if (text.size() < whole || !text::from_hex(text.substr(0, 2)) || text.starts_with("ff"))
    return {};
  // Later versions may say more behind it.
  if (text.size() > whole && (text.starts_with("00") || text[whole] != '-')) return {};
  if (text[trace_at - 1] != '-' || text[span_at - 1] != '-' || text[flags_at - 1] != '-') return {};
  const auto flags = text::from_hex(text.substr(flags_at, 2));
  trace_parent read{std::string{text.substr(trace_at, trace_digits)},
                    std::string{text.substr(span_at, span_digits)}, false};
  if (!flags || !is_id(read.trace) || !is_id(read.span)) return {};
  read.sampled = (static_cast<unsigned char>(flags->front()) & 1U) != 0;
  return read;
}

std::string to_string(const trace_parent& of) {
  return "00-" + of.trace + "-" + of.span + (of.sampled ? "-01" : "-00");
}

}  // namespace tofud::events
