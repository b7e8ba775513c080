#include "daemon/client/server_token.hpp"

#include "daemon/client/errors.hpp"
#include "daemon/client/limits.hpp"
#include "daemon/files/regular_file.hpp"

#include <algorithm>

namespace tofud::client {
namespace {

using read_token = text::result<std::string>;

read_token found(std::string text) { return {boost::system::in_place_value, std::move(text)}; }

}  // namespace

read_token token_for(const server_address& server, const std::string& token_file,
                     const spool::environment& env) {
  if (server.is_local()) return found("");
  std::string text, from = "TOFUD_TOKEN";
  if (token_file.empty()) {
    text = env("TOFUD_TOKEN").value_or("");
  } else {
    from = token_file;
    auto read = files::read_regular_file(token_file, limits::login_bytes);
    if (!read) return text::failure{error::unreadable_token, read.error()};
    text = std::move(*read);
    text.resize(std::min(text.find('\n'), text.size()));
    if (text.ends_with('\r')) text.pop_back();
    if (text.empty()) return text::failure{error::no_token_in_file, token_file};
  }
  if (!is_token(text)) return text::failure{error::no_token, from};
  return found(std::move(text));
}

bool is_token(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
}

std::string bearer(const std::string& token) { return "Bearer " + token; }

}  // namespace tofud::client
