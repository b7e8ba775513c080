// A JSON text written again from the events of a parser.
#pragma once

#include "protocol/json/quote.hpp"

#include <string>
#include <string_view>

namespace tofud::json {

/// Without white space, strings escaped anew, numbers as they were written.
class raw_text {
 public:
  void key(std::string_view name) {
    string(name);
    text_.push_back(':');
    first_ = true;  // no comma between a key and its value
  }
  void string(std::string_view characters) {
    separate();
    append_quoted(text_, characters);
  }
  /// A number, a boolean or null.
  void scalar(std::string_view written) {
    separate();
    text_.append(written);
  }
  void open(char bracket) {
    separate();
    text_.push_back(bracket);
    first_ = true;
  }
  void close(char bracket) {
    text_.push_back(bracket);
    first_ = false;
  }

  const std::string& text() const { return text_; }

  /// Begins anew, with the room of the old text unless that was more than `room`.
  void clear(std::size_t room) {
    text_.clear();
    if (text_.capacity() > room) text_.shrink_to_fit();
    first_ = true;
  }

 private:
  void separate() {
    if (!first_) text_.push_back(',');
    first_ = false;
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace tofud::json
