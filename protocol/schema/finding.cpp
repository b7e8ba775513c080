#include "protocol/schema/finding.hpp"

namespace tofud::schema {

std::string to_string(const finding& of) {
  std::string line = of.where;
  if (!line.empty()) line += ": ";
  if (of.of == finding::weight::warning) line += "warning: ";
  return line + of.what;
}

}  // namespace tofud::schema
