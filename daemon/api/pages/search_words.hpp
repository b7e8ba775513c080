// The words of the search field: `stack:net status:failed since:24h actor:ada`, and text.
#pragma once

#include "daemon/api/pages/run_list.hpp"

#include <string>

namespace tofud::pages {

/// Words that name a field, taken out of `q` into it: `stack:`, `status:`, `since:`, `until:`,
/// `label:KEY=VALUE`, and the labels that have words of their own, `actor:`, `commit:`, `branch:`.
/// A value with blanks stands in double quotes. A field that was given already stays, and so does a
/// word of any other name: it is text.
run_search with_words(run_search asked);

/// All that is asked for as such words, for the field; with_words gives it back.
std::string words_of(const run_search& asked);

}  // namespace tofud::pages
