// The page for a browser that nobody knows.
#pragma once

#include <string>
#include <string_view>

namespace tofud::pages {

struct login {
  std::string root;     // where `/` is, such as `/tofud/`
  std::string next;     // where to go on to: a path and a query
  std::string problem;  // what was wrong with what came before; empty: nothing came
};

/// A form for a token, which works without a script; `/login.js` redeems the ticket of a link.
std::string login_page(const login& shown);

/// Its script.
std::string_view login_script();

/// Its Content-Security-Policy: its own script, style and form.
std::string_view login_policy();

}  // namespace tofud::pages
