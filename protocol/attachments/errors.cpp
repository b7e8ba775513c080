#include "protocol/attachments/errors.hpp"

namespace tofud::attachments {

std::string_view sentence(config_error what) {
  constexpr auto sentences = text::catalogue<config_error>({
      {config_error::no_document, "the document is {}"},
      {config_error::other_format, "format is not {}; use the output of `tofud blocks --json`"},
      {config_error::no_blocks, "blocks is not an array"},
      {config_error::no_address, "blocks[{}].address is not a string"},
      {config_error::no_file, "blocks[{}].file is not a string"},
      {config_error::no_line, "blocks[{}].line is not a number from 1"},
  });
  return sentences[what];
}

}  // namespace tofud::attachments
