// The user's browser.
#pragma once

#include <functional>
#include <string>

namespace tofud {

/// Starts it with `url`, without waiting: the first of $BROWSER (a list with `:`; `%s` is the URL,
/// else it comes last) that can be started, else xdg-open where there is a display. No shell is
/// involved. Returns an empty string, else why there is none, as half a sentence.
std::string start_browser(const std::string& url,
                          const std::function<const char*(const char* name)>& env);

}  // namespace tofud
