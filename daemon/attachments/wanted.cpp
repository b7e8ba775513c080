#include "daemon/attachments/wanted.hpp"

#include <utility>

namespace tofud::attachments {

bool wanted::anything() const {
  return !plan.empty() || !schemas.empty() || !own_schemas.empty() || !config.empty() ||
         !found.plan.empty();
}

std::vector<std::string> to_words(const wanted& all) {
  const std::pair<const char*, const std::string&> told[] = {{"--spool", all.spool},
                                                             {"--plan", all.plan},
                                                             {"--own-schemas", all.own_schemas},
                                                             {"--config", all.config},
                                                             {"--data-dir", all.data_directory},
                                                             {"--saved-plan", all.found.plan},
                                                             {"--program", all.found.program},
                                                             {"--directory", all.found.directory},
                                                             {"--chdir", all.found.chdir},
                                                             {"--cache", all.found.cache}};
  std::vector<std::string> words;
  for (const auto& [name, value] : told) {
    // One word, since a value may begin with a dash.
    if (!value.empty()) words.push_back(std::string{name} + "=" + value);
  }
  for (const std::string& each : all.schemas) words.push_back("--schemas=" + each);
  return words;
}

}  // namespace tofud::attachments
