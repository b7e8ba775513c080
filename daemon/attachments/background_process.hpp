// A process that nobody waits for, beside others that matter.
#pragma once

#include <chrono>

namespace tofud::attachments {

/// Makes this process one that takes what is left: least priority for processor and disk, the first
/// to be killed when memory runs out. It leads a group of its own, where it and all that it starts
/// are killed when it gets SIGTERM, when the process that started it dies, and after `at_most`.
/// Signals that it inherited as ignored are not. Called before there are threads.
void become_background(std::chrono::seconds at_most);

/// Kills what is left of the group but the caller: a program that was killed leaves its own
/// children.
void end_background_children();

}  // namespace tofud::attachments
