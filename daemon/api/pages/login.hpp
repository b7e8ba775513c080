// The page for a browser that nobody knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tofud::pages {

struct login {
  std::string root;     // where `/` is, such as `/tofud/`
  std::string next;     // where to go on to: a path and a query
  std::string problem;  // what was wrong with what came before; empty: nothing came
  std::vector<std::string> providers = {};  // of identities, where one may log in
};

/// A form for a token, which works without a script; `/login.js` redeems the ticket of a link.
std::string login_page(const login& shown);

/// Goes on to `next` below `root` at once: a visit from here has the cookie that was just set, one
/// from another site has not.
std::string logged_in_page(const std::string& root, const std::string& next);

/// Its script.
std::string_view login_script();

/// Its Content-Security-Policy: its own script, style and form.
std::string_view login_policy();

}  // namespace tofud::pages
