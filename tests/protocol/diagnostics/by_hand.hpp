// Diagnostics and schemas written by hand.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/json/document.hpp"
#include "protocol/schema/provider_schemas.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace tofud::diagnostics {

/// A fault in a line of a file: the first place of `marked` in it.
inline feed::diagnostic_row fault_at(const std::string& filename, const std::string& code,
                                     std::string_view marked) {
  feed::diagnostic_row row;
  row.severity = "error";
  row.range = feed::source_range{filename, {1, 1, 0}, {1, 1, 0}};
  feed::source_snippet snippet;
  snippet.code = code;
  snippet.start_line = 1;
  const std::size_t at = code.find(marked);
  EXPECT_NE(at, std::string::npos) << marked;
  snippet.highlight_start_offset = static_cast<std::int64_t>(at);
  snippet.highlight_end_offset = static_cast<std::int64_t>(at + marked.size());
  row.snippet = std::move(snippet);
  return row;
}

/// The part of the snippet that is marked.
inline std::string marked(const feed::diagnostic_row& row) {
  const auto begin = static_cast<std::size_t>(row.snippet->highlight_start_offset);
  const auto end = static_cast<std::size_t>(row.snippet->highlight_end_offset);
  EXPECT_LE(begin, end);
  EXPECT_LE(end, row.snippet->code.size());
  return row.snippet->code.substr(begin, end - begin);
}

inline json::keep keep_all(std::string_view, std::size_t, std::string_view) {
  return json::keep::tree;
}

/// Of the type `acme_db`, with what only a specification says set by hand.
inline schema::schemas acme() {
  json::document_parser parser{keep_all};
  const std::string text = R"({"format_version":"1.0","provider_schemas":{"example.com/acme/acme":{
    "provider":{"version":0,"block":{"attributes":{"token":{"type":"string","optional":true,"sensitive":true},
                                                   "region":{"type":"string","optional":true}}}},
    "resource_schemas":{"acme_db":{"version":1,"block":{
      "attributes":{
        "name":{"type":"string","required":true,"description":"Name of the database."},
        "port":{"type":"number","optional":true,"description":"Port to listen on."},
        "engine":{"type":"string","optional":true,"deprecated":true},
        "tags":{"type":["map","string"],"optional":true},
        "password":{"type":"string","optional":true,"sensitive":true},
        "settings":{"nested_type":{"nesting_mode":"single","attributes":{
          "size":{"type":"number","optional":true},
          "key":{"type":"string","optional":true,"sensitive":true}}},"optional":true}},
      "block_types":{"network":{"nesting_mode":"list","block":{
        "attributes":{"port":{"type":"number","optional":true},"cidr":{"type":"string","required":true},
                      "secret":{"type":"string","optional":true,"sensitive":true}}}}}}}},
    "data_source_schemas":{"acme_login":{"version":0,"block":{"attributes":{
        "user":{"type":"string","required":true},
        "token":{"type":"string","computed":true,"sensitive":true}}}}}}}})";
  EXPECT_FALSE(parser.parse(text));
  auto read = schema::read_provider_schemas(parser.root());
  EXPECT_TRUE(read) << read.error().text();
  schema::schemas known = std::move(*read);
  auto& attributes =
      known.providers.at("example.com/acme/acme").resources.at("acme_db").block.attributes;
  for (schema::attribute& each : attributes) {
    if (each.name != "port") continue;
    each.default_value = "5432";
    each.validators = {"int64validator.Between(1, 65535)"};
    each.replacement = schema::replacement::certain;
  }
  return known;
}

}  // namespace tofud::diagnostics
