#include "daemon/archive/credentials.hpp"

#include "daemon/archive/errors.hpp"
#include "daemon/archive/limits.hpp"
#include "daemon/files/regular_file.hpp"

#include <boost/property_tree/ini_parser.hpp>

#include <sstream>

namespace tofud::archive {

text::result<credentials> read_credentials(const std::string& path) {
  const auto text = files::read_regular_file(path, limits::credentials_bytes);
  if (!text) return text::failure{error::bad_credentials, text.error()};
  boost::property_tree::ptree read;
  try {
    std::istringstream in{*text};
    boost::property_tree::read_ini(in, read);
  } catch (const boost::property_tree::ini_parser_error& wrong) {
    return text::failure{error::bad_credentials,
                         path + ": line " + std::to_string(wrong.line()) + ": " + wrong.message()};
  }
  const auto value = [&read](const char* name) {
    return read.get<std::string>(std::string{"default."} + name, "");
  };
  credentials found{value("aws_access_key_id"), value("aws_secret_access_key"),
                    value("aws_session_token")};
  if (found.key_id.empty()) return text::failure{error::no_credentials, path, "aws_access_key_id"};
  if (found.secret.empty())
    return text::failure{error::no_credentials, path, "aws_secret_access_key"};
  return found;
}

}  // namespace tofud::archive
