// Schemas that are kept for tests.
#pragma once

#include "daemon/spool/recording.hpp"
#include "protocol/json/document.hpp"
#include "tests/paths.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

namespace tofud::schema {

/// What tests/golden/schemas/NAME holds, unpacked.
inline std::string golden(const std::string& name) {
  const auto file = spool::recording::open(std::string{TEST_GOLDEN} + "/schemas/" + name);
  if (file) return std::string{file->bytes()};
  std::cerr << file.error().text() << "\n";
  std::abort();
}

struct parsed {
  explicit parsed(std::string json)
      : text{std::move(json)}, parser{[](std::string_view, std::size_t, std::string_view) {
          return json::keep::tree;
        }} {
    if (const auto failed = parser.parse(text)) {
      std::cerr << describe(*failed) << ": " << text << "\n";
      std::abort();
    }
  }
  json::value root() const { return parser.root(); }

  std::string text;
  json::document_parser parser;
};

}  // namespace tofud::schema
