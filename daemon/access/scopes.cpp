#include "daemon/access/scopes.hpp"

#include "daemon/access/errors.hpp"

#include <algorithm>

namespace tofud::access {

std::string_view name(scope one) {
  switch (one) {
    case scope::read:
      return "read";
    case scope::ingest:
      return "ingest";
    case scope::raw:
      return "raw";
  }
  return "";
}

bool scopes::has(scope one) const {
  switch (one) {
    case scope::read:
      return read;
    case scope::ingest:
      return ingest;
    case scope::raw:
      return raw;
  }
  return false;
}

text::result<scopes> parse_scopes(std::string_view list) {
  scopes found;
  for (std::string_view rest{list};;) {
    const std::string_view one = rest.substr(0, rest.find(','));
    if (one == "read") {
      found.read = true;
    } else if (one == "ingest") {
      found.ingest = true;
    } else if (one == "raw") {
      found.raw = true;
    } else {
      return text::failure{error::no_scope, one};
    }
    if (one.size() == rest.size()) return found;
    rest.remove_prefix(one.size() + 1);
  }
}

std::string to_string(const scopes& those) {
  std::string list;
  for (const scope one : {scope::read, scope::ingest, scope::raw}) {
    if (!those.has(one)) continue;
    if (!list.empty()) list += ',';
    list += name(one);
  }
  return list;
}

}  // namespace tofud::access
