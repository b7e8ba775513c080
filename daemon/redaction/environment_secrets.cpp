#include "daemon/redaction/environment_secrets.hpp"

#include "daemon/access/token.hpp"
#include "daemon/files/regular_file.hpp"
#include "daemon/redaction/secret_names.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/text/ascii.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tofud::redaction {
namespace {

using redact::secret;

enum class strings { all, of_secret_names };

void collect(const boost::json::value& from, strings which, bool named, const std::string& name,
             std::vector<secret>& found) {
  if (const auto* text = from.if_string()) {
    if (which == strings::all || named) found.push_back({name, std::string{*text}});
  } else if (const auto* members = from.if_object()) {
    for (const auto& [key, value] : *members) {
      collect(value, which, named || is_secret_name(std::string_view{key}), name, found);
    }
  } else if (const auto* elements = from.if_array()) {
    for (const auto& value : *elements) collect(value, which, named, name, found);
  }
}

// What stands between the quotes at `at`, and `at` behind them; nothing: they do not end.
std::optional<std::string> quoted_at(std::string_view text, std::size_t& at) {
  std::string out;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      at = i + 1;
      return out;
    }
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      out.push_back(text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i]);
    } else {
      out.push_back(text[i]);
    }
  }
  return {};
}

bool is_of_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// OpenTofu's own syntax, `{ password = "…" }`: each string and the key it stands under. What a key
// opens, in braces or brackets, is under it as well.
void collect_hcl(std::string_view text, strings which, const std::string& name,
                 std::vector<secret>& found) {
  std::vector<bool> named{false};  // for each open bracket
  bool key_is_named = false;
  std::string_view word;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      std::size_t behind = at;
      const auto string = quoted_at(text, behind);
      if (!string) return;
      const std::size_t next = text.find_first_not_of(" \t\r\n", behind);
      const bool is_key = next != text.npos && (text[next] == '=' || text[next] == ':');
      if (is_key) {
        key_is_named = is_secret_name(*string);
      } else if (which == strings::all || named.back() || key_is_named) {
        found.push_back({name, *string});
      }
      at = behind;
      continue;
    }
    if (is_of_a_name(c)) {
      std::size_t end = at;
      while (end < text.size() && is_of_a_name(text[end])) ++end;
      word = text.substr(at, end - at);
      const std::size_t next = text.find_first_not_of(" \t\r\n", end);
      if (next != text.npos && (text[next] == '=' || text[next] == ':'))
        key_is_named = is_secret_name(word);
      at = end;
      continue;
    }
    if (c == '{' || c == '[') named.push_back(named.back() || key_is_named);
    if ((c == '}' || c == ']') && named.size() > 1) named.pop_back();
    if (c == ',' || c == '\n' || c == '{' || c == '[') key_is_named = false;
    ++at;
  }
}

bool begins_like_a_document(std::string_view value) {
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  return first != value.npos && (value[first] == '{' || value[first] == '[');
}

// Of an object or list, in JSON or in OpenTofu's syntax.
void collect_document(const std::string& value, strings which, const std::string& name,
                      std::vector<secret>& found) {
  boost::json::error_code failed;
  const auto document = boost::json::parse(value, failed);
  if (failed) return collect_hcl(value, which, name, found);
  collect(document, which, false, name, found);
}

// The secrets in a value: a document has many, and most of its lines are none.
std::vector<secret> secrets_in(const std::string& name, const std::string& value) {
  if (value.find_first_not_of(" \t\r\n") == value.npos) return {};
  std::vector<secret> found;
  if (begins_like_a_document(value)) {
    collect_document(value, strings::of_secret_names, name, found);
    if (found.empty()) collect_document(value, strings::all, name, found);
    if (!found.empty()) return found;
  } else {
    // TF_ENCRYPTION is blocks: key_provider "pbkdf2" "k" { passphrase = "…" }
    collect_hcl(value, strings::of_secret_names, name, found);
  }
  found.push_back({name, value});
  return found;
}

// postgres://user:password@host/db: the password alone is the secret, as it stands and decoded.
std::optional<std::string> password_of_url(std::string_view value) {
  const std::size_t scheme = value.find("://");
  if (scheme == value.npos) return {};
  const std::string_view rest = value.substr(scheme + 3);
  const std::size_t end = std::min(rest.find_first_of("/?# \t\n"), rest.size());
  const std::size_t at = rest.substr(0, end).rfind('@');
  if (at == rest.npos) return {};
  const std::size_t colon = rest.substr(0, at).find(':');
  if (colon == rest.npos || colon + 1 == at) return {};
  return std::string{rest.substr(colon + 1, at - colon - 1)};
}

std::string unpercented(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? text::hex_digit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : text::hex_digit(text[i + 2]);
    if (low < 0) {
      out.push_back(text[i]);
    } else {
      out.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    }
  }
  return out;
}

// As a shell cuts them: blanks part words, quotes hold them together.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool open = false;
  char quote = '\0';
  for (const char c : text) {
    if (quote == '\0' && (c == ' ' || c == '\t')) {
      open = false;
      continue;
    }
    if (!std::exchange(open, true)) words.emplace_back();
    if (quote == c) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      words.back().push_back(c);
    }
  }
  return words;
}

// What a value that is no secret's by its name has inside.
void add_secrets_inside(const std::string& name, const std::string& value,
                        std::vector<secret>& found) {
  if (begins_like_a_document(value)) collect_document(value, strings::of_secret_names, name, found);
}

/// NAME=VALUE of each `-var` and `-backend-config`.
template <typename Take>
void each_variable(const std::vector<std::string>& words, Take&& take) {
  bool variable_follows = false;
  for (const std::string& word : words) {
    std::string_view given = word;
    if (!std::exchange(variable_follows, false)) {
      given.remove_prefix(std::min(given.find_first_not_of('-'), given.size()));
      variable_follows = word.starts_with('-') && (given == "var" || given == "backend-config");
      if (!word.starts_with('-')) continue;
      if (!given.starts_with("var=") && !given.starts_with("backend-config=")) continue;
      given.remove_prefix(given.find('=') + 1);
    }
    if (given.find('=') != given.npos) take(given);
  }
}

// TF_CLI_ARGS_apply="-var db_password=hunter22", TF_CLI_ARGS_init="-backend-config=password=…"
void add_secrets_of_arguments(const std::string& text, std::vector<secret>& found) {
  each_variable(words_of(text), [&found](std::string_view given) {
    const std::size_t equals = given.find('=');
    if (!is_secret_name(given.substr(0, equals))) {
      add_secrets_inside(std::string{given.substr(0, equals)},
                         std::string{given.substr(equals + 1)}, found);
      return;
    }
    for (secret& each :
         secrets_in(std::string{given.substr(0, equals)}, std::string{given.substr(equals + 1)})) {
      found.push_back(std::move(each));
    }
  });
}

void add_secrets_of(const std::string& name, const std::string& value, std::vector<secret>& found) {
  if (const auto password = password_of_url(value)) {
    found.push_back({name, *password});
    if (std::string decoded = unpercented(*password); decoded != *password) {
      found.push_back({name, std::move(decoded)});
    }
  }
  if (name.starts_with("TF_CLI_ARGS")) return add_secrets_of_arguments(value, found);
  const bool is_path = value.starts_with('/');
  // NAME_FILE and NAME_PATH name what NAME would hold.
  std::string_view plain = name;
  for (const std::string_view ending : {"_FILE", "_PATH", "_file", "_path"}) {
    if (plain.ends_with(ending)) plain.remove_suffix(ending.size());
  }
  if (!is_secret_name(is_path ? plain : name)) {
    // Every variable of OpenTofu's may be an object with a password in it.
    if (name.starts_with("TF_VAR_")) add_secrets_inside(name, value, found);
    return;
  }
  if (is_path && value.find('\n') == value.npos) {
    struct stat facts {};
    if (::stat(value.c_str(), &facts) == 0) {
      if (S_ISDIR(facts.st_mode)) return;
      for (secret& each : secrets_in(
               name, text::or_empty(files::read_regular_file(value, limits::mask_file_bytes)))) {
        found.push_back(std::move(each));
      }
      return;
    }
  }
  if (plain.size() < name.size() || is_no_secret_value(value)) return;
  for (secret& each : secrets_in(name, value)) found.push_back(std::move(each));
}

}  // namespace

environment_list own_environment() {
  environment_list all;
  for (char** each = ::environ; each != nullptr && *each != nullptr; ++each) {
    all.emplace_back(*each);
  }
  return all;
}

environment_list variables_of(const std::vector<std::string>& argv) {
  environment_list found;
  each_variable(
      argv, [&found](std::string_view given) { found.push_back("TF_VAR_" + std::string{given}); });
  return found;
}

environment_list environment_with(const environment_list& variables) {
  environment_list all = own_environment();
  all.insert(all.end(), variables.begin(), variables.end());
  return all;
}

std::vector<secret> secrets_of(const environment_list& environment) {
  std::vector<secret> found;
  for (const std::string& each : environment) {
    const std::size_t equals = each.find('=');
    if (equals == 0 || equals == each.npos) continue;
    add_secrets_of(each.substr(0, equals), each.substr(equals + 1), found);
  }
  // A daemon's token is known by its looks, so the rules that are frozen beside a spool need not
  // hold it.
  std::erase_if(found, [](const secret& each) {
    return each.value.size() < limits::secret_bytes || access::parse_token_text(each.value);
  });
  return found;
}

}  // namespace tofud::redaction
