// Cases of tests/golden: a JSON object a line, compressed.
#pragma once

#include "protocol/json/document.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace tofud::test {

/// All of a file, unpacked if it is compressed; empty if there is none.
std::string unpacked(const std::string& path);

/// Keeps everything of a document.
json::document_parser whole_document();

/// One line of a file of cases. Members as the text they stand in.
class golden_case {
 public:
  explicit golden_case(std::string_view line) : line_{line} {}
  std::string_view raw(std::string_view member) const;
  std::string string(std::string_view member) const;

 private:
  std::string_view line_;
};

void for_each_case(const std::string& file, const std::function<void(const golden_case&)>& look);

}  // namespace tofud::test
