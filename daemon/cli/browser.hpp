// The user's browser.
#pragma once

#include "daemon/access/limits.hpp"

#include <functional>
#include <string>

namespace tofud::cli {

/// Starts it with `url`, without waiting: the first of $BROWSER (a list with `:`; `%s` is the URL,
/// else it comes last) that can be started, else xdg-open where there is a display. No shell is
/// involved. Returns an empty string, else why there is none, as half a sentence.
std::string start_browser(const std::string& url,
                          const std::function<const char*(const char* name)>& env);

/// What to start a browser with for a `url` with a secret in it, since other users see every
/// program's arguments: the address of a file of ours in `directory` that leads on to it. Files of
/// this kind that are older than limits::login_link_age are removed. Empty if none can be made.
std::string through_a_file(const std::string& url, const std::string& directory);

}  // namespace tofud::cli
