// A server of the Model Context Protocol that has tools and nothing else.
//
// Both handshakes: `initialize`, of the versions until 2025-11-25, and `server/discover`, with the
// version in each request's `_meta`, of 2026-07-28. It remembers nothing of its client, so it need
// not know which of the two it speaks.
#pragma once

#include <boost/json/object.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::mcp {

/// What a tool has found, or why it could not.
struct outcome {
  std::string json;  // a JSON value; empty: it failed
  std::string why;   // a sentence
};

struct argument {
  std::string_view name, type;  // type of JSON Schema: "string", "integer"
  std::string_view meaning;
  bool required = false;
};

/// One that changes nothing.
struct tool {
  std::string_view name, title, meaning;
  std::vector<argument> arguments;
  /// Is called with arguments of the right types, and all that are required.
  std::function<outcome(const boost::json::object& given)> ask;
};

class server {
 public:
  /// `version` is the program's.
  server(std::string_view version, std::vector<tool> tools);

  /// The answer to one line, without a newline; empty: none is due.
  std::string answer(std::string_view line) const;

 private:
  boost::json::object about() const;
  boost::json::value list() const;
  boost::json::value call(const boost::json::object& given) const;

  std::string version_;
  std::vector<tool> tools_;
};

/// Of a line that was longer than limits::mcp_request_bytes.
std::string answer_to_long_line();

}  // namespace tofud::mcp
