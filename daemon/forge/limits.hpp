// Limits of daemon/forge, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// GitHub takes comments of 65,536 characters (its answer to a longer one says so). Bytes are never
/// fewer than characters. GitLab and Gitea take more.
inline constexpr std::size_t forge_comment_bytes = 65'536;
/// GitHub cuts the description of a commit status at 140 characters, and Gitea and GitLab at 255.
inline constexpr std::size_t forge_description_bytes = 140;
/// Of the name of a commit status: GitLab's and Gitea's columns have 255.
inline constexpr std::size_t forge_context_bytes = 200;

/// Pages of a hundred comments that are read: pull requests with more are unheard of.
inline constexpr unsigned forge_pages = 30;
/// A page of a hundred comments as long as they can be is 26 MB in JSON; of other forges too.
inline constexpr std::size_t forge_answer_bytes = 32 * mib;
/// For one answer. GitHub ends its own requests after 10 seconds.
inline constexpr std::chrono::milliseconds forge_wait{20'000};
/// What is waited in all where a forge asks for patience: GitHub's secondary limit lasts a minute,
/// and a job's minutes cost money.
inline constexpr std::chrono::seconds forge_patience{180};
/// A forge that limits without saying for how long: GitHub asks for a minute at least.
inline constexpr std::chrono::seconds forge_limited_wait{60};

/// Other jobs write the same comment. It is written within this time after it was read, else it is
/// read again …
inline constexpr std::chrono::milliseconds forge_stale_after{1'500};
/// … and looked at again after this long, to which chance adds as much: whoever read it before was
/// faster or reads again.
inline constexpr std::chrono::milliseconds forge_settles_after{2'000};
/// How often it is written before this job lets the others be.
inline constexpr unsigned forge_attempts = 12;

/// GitHub's file about what a job was started by: the payload of a webhook, at most 25 MB.
inline constexpr std::size_t forge_event_bytes = 32 * mib;
/// Sections of a comment that is read: more stacks than one pull request has.
inline constexpr std::size_t forge_sections = 1'000;

}  // namespace tofud::limits
