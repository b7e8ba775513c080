// UI messages as OpenTofu writes them, and a parser that reads one.
#pragma once

#include "protocol/ui/parse_message.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tofud::ui::tests {

/// The resource object of hooks and changes for an address of the root module.
inline std::string resource_object(std::string_view type, std::string_view name,
                                   std::string_view key = "null", std::string_view suffix = "") {
  std::string relative = std::string{type} + "." + std::string{name} + std::string{suffix};
  return R"({"addr":")" + relative + R"(","module":"","resource":")" + relative +
         R"(","implied_provider":"t","resource_type":")" + std::string{type} +
         R"(","resource_name":")" + std::string{name} + R"(","resource_key":)" + std::string{key} +
         "}";
}

inline const std::string t_n = R"("resource":)" + resource_object("t", "n");

/// A UI message of `type` with its payload, in the order in which hclog writes it.
inline std::string line(std::string_view type, std::string_view payload = "") {
  std::string text = R"({"@level":"info","@message":"said","@module":"tofu.ui",)"
                     R"("@timestamp":"2026-01-02T03:04:05.000001Z")";
  if (!payload.empty()) text.append(",").append(payload);
  if (!type.empty()) text.append(R"(,"type":")").append(type).append("\"");
  return text + "}";
}

inline std::string hook(std::string_view type, const std::string& members) {
  return line(type, R"("hook":{)" + members + "}");
}

/// Parses one line and keeps it alive for as long as its message is looked at.
struct reader {
  explicit reader(std::string text) : source{std::move(text)}, parsed{parser.parse(source)} {}
  template <typename Message>
  const Message& as() const {
    EXPECT_TRUE(std::holds_alternative<Message>(parsed.body)) << source;
    return std::get<Message>(parsed.body);
  }
  template <typename Message>
  bool is() const {
    return parsed.head && std::holds_alternative<Message>(parsed.body);
  }
  message_parser parser;
  std::string source;
  const parsed_line& parsed;
};

inline std::string json_of(json::value value) {
  std::string out;
  value.append_json(out);
  return out;
}

}  // namespace tofud::ui::tests
