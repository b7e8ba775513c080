#include "daemon/dashboard/assets.hpp"

#include "daemon/dashboard/embedded.hpp"

#include <algorithm>
#include <vector>

namespace tofud::dashboard {
namespace {

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".json")) return "application/schema+json";
  if (name.ends_with(".webmanifest")) return "application/manifest+json";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/plain; charset=utf-8";
}

asset made_of(const embedded_file& file) {
  asset made;
  made.bytes = file.bytes;
  made.sha256 = file.sha256;
  made.gzip = file.gzip;
  const std::string_view stem = file.name.substr(0, file.name.find('.'));
  // build.mjs writes the same names into the pages.
  const auto hashed = [&](std::string_view suffix) {
    made.immutable = true;
    return "/" + std::string{stem} + "." + std::string{file.sha256.substr(0, 12)} +
           std::string{suffix};
  };
  if (file.name.ends_with(".html")) {
    made.path = stem == "index" ? "/" : "/" + std::string{stem};
    made.content_type = "text/html; charset=utf-8";
  } else if (file.name.ends_with(".js")) {
    made.path = hashed(".js");
    made.content_type = "text/javascript; charset=utf-8";
  } else if (file.name.ends_with(".css")) {
    made.path = hashed(".css");
    made.content_type = "text/css; charset=utf-8";
  } else {
    made.path = "/" + std::string{file.name};
    made.content_type = type_of(file.name);
  }
  return made;
}

const asset& of_page(std::string_view page, std::string_view suffix) {
  const auto all = assets();
  return *std::find_if(all.begin(), all.end(), [&](const asset& each) {
    return each.path.starts_with("/" + std::string{page} + ".") && each.path.ends_with(suffix);
  });
}

}  // namespace

std::span<const asset> assets() {
  static const std::vector<asset> all = [] {
    std::vector<asset> made;
    for (const embedded_file& file : embedded()) made.push_back(made_of(file));
    return made;
  }();
  return all;
}

const asset& script(std::string_view page) { return of_page(page, ".js"); }
const asset& style(std::string_view page) { return of_page(page, ".css"); }
const asset& licences() { return of_page("LICENSES", ".txt"); }

}  // namespace tofud::dashboard
