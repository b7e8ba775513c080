// The text of a plan whose stream took its place, given back.
#pragma once

#include "daemon/files/memory_file.hpp"
#include "daemon/keeper/original_signals.hpp"
#include "daemon/keeper/signal_relay.hpp"
#include "daemon/keeper/wrapped_child.hpp"
#include "daemon/stack/following.hpp"
#include "daemon/stack/tofu_command.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tofud::cli {

/// `plan` writes its plan into a file, the user's own or one of ours that has no name on any disk
/// and is gone with us, however we end. Once it is over, the program's own `show` prints that file,
/// between what the stream says of what comes before and behind it.
class plan_text {
 public:
  /// The failure: there is no memory for a file of our own.
  static text::result<std::unique_ptr<plan_text>> of(const stack::shown_plan& plan,
                                                     const stack::tofu_command& command,
                                                     const std::string& program);

  /// What `plan` is to be given besides.
  std::vector<std::string> flags() const;
  /// Prints what comes behind the lines that the worker has printed. `spool` is the path of the
  /// stream, `status` the command's. Neither throws nor is undone.
  void print(const std::string& spool, int status, const keeper::original_signals& signals,
             keeper::signal_relay& relay) noexcept;
  /// Why the text could not be given back, as half a sentence: the command is to run once more,
  /// untouched. Empty: it was.
  const std::string& failure() const { return failure_; }

 private:
  plan_text(const stack::shown_plan& plan, const stack::tofu_command& command,
            const std::string& program, std::optional<files::memory_file> own);
  std::string path() const;
  void print_all(const std::string& spool, const keeper::original_signals& signals,
                 keeper::signal_relay& relay);
  /// Whether the plan can be applied; nothing on a failure.
  std::optional<bool> show(const keeper::original_signals& signals, keeper::signal_relay& relay);

  stack::shown_plan plan_;
  std::string program_, chdir_;
  std::optional<files::memory_file> own_;  // nothing: the file is the user's
  std::string failure_;
};

}  // namespace tofud::cli
