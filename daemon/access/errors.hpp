// What can be wrong with rules of access and with tokens.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::access {

enum class error : std::uint8_t {
  no_network,
  distant_process,
  no_user,
  no_host,
  no_origin,
  no_header_name,
  header_of_another_use,
  no_base_path,
  no_scope,
  no_stack_pattern,
  too_many_stack_patterns,
  no_label,
  no_group_stacks,
  token_no_object,
  token_without_id,
  token_without_secret,
  token_without_creation,
  token_bad_expiry,
  token_bad_revoked,
  token_bad_reach,
  no_lifetime,
  writable_by_others,
  unreadable,
  unreadable_for_now,
  not_written,
  not_replaced,
  not_of_owner,
  not_opened,
  not_locked,
  bad_lines,
  no_such_token
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::access
