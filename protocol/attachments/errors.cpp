#include "protocol/attachments/errors.hpp"

namespace tofud::attachments {

std::string_view sentence(config_error what) {
  constexpr auto sentences = text::catalogue<config_error>({
      {config_error::no_document, "the document is {}"},
      {config_error::other_format,
       "format is not {}; `tofud blocks --json` writes such a document"},
      {config_error::no_blocks, "blocks is no array"},
      {config_error::no_address, "blocks[{}].address is no string"},
      {config_error::no_file, "blocks[{}].file is no string"},
      {config_error::no_line, "blocks[{}].line is no number from 1 on"},
  });
  return sentences[what];
}

}  // namespace tofud::attachments
