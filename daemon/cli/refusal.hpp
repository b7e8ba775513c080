// What a command says and returns when it can't use what it was given.
#pragma once

#include "daemon/spool/notice.hpp"

#include <string>

namespace tofud::cli {

/// Exit status: a document can't be read, or is another one than was asked for.
inline constexpr int unreadable = 2;

/// Says the sentence on standard error; gives `unreadable`.
inline int refuse_document(const std::string& sentence) {
  spool::notice(sentence);
  return unreadable;
}

}  // namespace tofud::cli
