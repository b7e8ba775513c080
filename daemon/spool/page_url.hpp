// Where a run that is going on has its page: `ID.url` beside its spool, for `tofud open`.
#pragma once

#include <string>

namespace tofud::spool {

/// Replaces what was there. Failing is no trouble: nothing depends on it but convenience.
void write_page_url(const std::string& spool_path, const std::string& url);

/// Once nobody listens there any more.
void remove_page_url(const std::string& spool_path);

/// Empty if there is none. A process that was killed leaves one that nobody listens at.
std::string read_page_url(const std::string& spool_path);

}  // namespace tofud::spool
