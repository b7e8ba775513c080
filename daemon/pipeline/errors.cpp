#include "daemon/pipeline/errors.hpp"

namespace tofud::pipeline {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::bad_plan, "{}: {}"},
      {error::needs_plan,
       "--schemas needs --plan: tofud keeps only the schemas of the plan's types"},
      {error::part_gone, "{} can't be read; the {} that was attached is not shown"},
      {error::part_not_shown, "{}; the {} that was attached is not shown"},
      {error::part_of_snapshot_gone, "the {} that was attached before the snapshot can't be read"},
  });
  return sentences[what];
}

}  // namespace tofud::pipeline
