#include "daemon/attachments/errors.hpp"

namespace tofud::attachments {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::plan_gone, "the attached plan can no longer be read"},
      {error::bad_document, "{}: {}"},
      {error::no_specification, "{} has no Provider Code Specification, and schemas need a plan"},
      {error::large_plan, "{} has more than {} MiB"},
      {error::not_shown, "`{} show -json` {}"},
      {error::no_schemas,
       "{} has no schemas; give the output of `tofu providers schema -json` or a Provider Code "
       "Specification"},
      {error::large_specification,
       "{} has more than {} MiB and is not the output of `tofu providers schema -json`"},
      {error::unreadable_directory, "can't read {}: {}"},
      {error::empty_directory, "{} has no files *.json or *.json.gz"},
      {error::many_files, "{} has {} schema files; only the first {} by name are read"},
      {error::document, "the document {}"},
      {error::bad_schemas, "the document: {}"},
      {error::large_schemas, "the schemas have more than {} MiB"},
      {error::large_kept_schemas, "the schemas of the plan's types have more than {} MiB"},
      {error::large_changes, "the plan's changes have more than {} MiB"},
  });
  return sentences[what];
}

}  // namespace tofud::attachments
