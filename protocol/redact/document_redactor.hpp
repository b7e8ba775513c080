// JSON that is no stream of messages (attached plans, schemas, configurations), as it may leave
// this machine.
#pragma once

#include "protocol/redact/decoded.hpp"
#include "protocol/redact/finder.hpp"
#include "protocol/redact/masks.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::redact {

/// Masks secrets in strings, keys and numbers of a document, line by line: a line is any run of
/// whole tokens, such as all of a document. What is valid JSON stays so, and whoever masks the
/// stream of the same run by the same rules gets the same addresses. Words of the formats stay as
/// they are (actions, modes, reasons, times), in the places where they are words. Remembers buffers
/// and masks, nothing of the lines.
class document_redactor {
 public:
  explicit document_redactor(const std::shared_ptr<const ready_rules>& what);

  /// Appends what `line` (without its newline) becomes; never a newline.
  void redact(std::string_view line, std::string& out);

 private:
  /// Where a value stands, as far as it matters.
  enum class place : unsigned char { structure, word, count, data };

  void bracket(char c);
  std::size_t quoted(std::string_view line, std::size_t at, std::string& out);
  void string(std::string_view written, place where, std::string& out);
  void scalar(std::string_view written, place where, std::string& out);
  static place place_of(place outside, std::string_view key);

  finder finder_;
  masks masks_;
  decoded decoded_;
  std::vector<place> open_;        // of the objects and arrays around
  place next_ = place::structure;  // of the value that comes
};

/// The same of a document with all its lines.
std::string redacted_document(std::string_view document,
                              const std::shared_ptr<const ready_rules>& by);

}  // namespace tofud::redact
