#include "protocol/config/module_manifest.hpp"

#include "protocol/config/json_text.hpp"
#include "protocol/config/text_lines.hpp"

namespace tofud::config {

module_manifest read_manifest(const std::string& path, std::string_view text) {
  module_manifest found;
  const json_text json{text};
  text_lines lines{text};
  const auto wrong = [&](std::size_t offset, std::string what) {
    found.problems.push_back({{path, lines.at(offset)}, std::move(what)});
  };
  if (const auto& failed = json.failed()) wrong(failed->offset, failed->what);
  for (const json::value entry : json.root()["Modules"]) {
    const auto key = entry["Key"].string();
    const auto directory = entry["Dir"].string();
    if (!key || !directory) {
      wrong(json.value_at(entry), "a module has a Key and a Dir; run tofu init again");
    } else {
      found.directories.insert_or_assign(std::string{*key}, std::string{*directory});
    }
  }
  return found;
}

}  // namespace tofud::config
