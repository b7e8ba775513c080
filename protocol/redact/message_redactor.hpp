// One UI message, as it may leave this machine.
#pragma once

#include "protocol/redact/decoded.hpp"
#include "protocol/redact/finder.hpp"
#include "protocol/redact/masks.hpp"
#include "protocol/redact/message_places.hpp"
#include "protocol/redact/rules.hpp"
#include "protocol/ui/parse_message.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::redact {

/// Writes the JSON of a message anew, byte for byte but for strings that hold secrets and payloads
/// that never leave the process. Made for one message; what it is given outlives it.
class message_redactor {
 public:
  message_redactor(finder& secrets, masks& replaced, provisioner_output provisioners)
      : finder_{secrets}, masks_{replaced}, provisioners_{provisioners} {}

  /// `object` is the JSON that `parsed` was made of, and valid.
  void redact(std::string_view object, const ui::parsed_line& parsed, std::string& out);

 private:
  char next() const { return at_ < json_.size() ? json_[at_] : '\0'; }
  void copy_blank();
  void copy_to(std::size_t end);
  void value(member what, bool sensitive);
  void object(place where);
  void array(member what, bool sensitive);
  void string(treatment how);
  void number(treatment how);
  void key(std::string_view written, const member& what);
  void cut();
  std::size_t string_end(std::size_t at) const;
  std::size_t value_end(std::size_t at) const;
  std::string_view decoded_key(std::string_view written);
  bool says_sensitive() const;

  /// Appends a string's characters, masked from `from` on.
  void masked(std::string_view written, finder::extent what, std::size_t from = 0);
  void message_text(std::string_view written);
  void left_out_lines(std::string_view said);
  std::string_view said(std::string_view written);

  finder& finder_;
  masks& masks_;
  provisioner_output provisioners_;
  std::string_view json_;
  std::size_t at_ = 0;
  std::string* out_ = nullptr;
  std::string_view type_;
  bool from_provisioner_ = false;  // a diagnostic that quotes what a program printed
  decoded decoded_;                // of the string at hand
  std::string key_;
};

/// What stands for text that provisioners printed, where all of it is dropped.
inline constexpr std::string_view left_out = "(left out)";

}  // namespace tofud::redact
