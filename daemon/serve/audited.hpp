// What a request means to an auditor.
#pragma once

#include "daemon/access/gate.hpp"
#include "daemon/http/message/request.hpp"
#include "daemon/http/message/response.hpp"
#include "daemon/operations/audit_log.hpp"
#include "daemon/serve/kept_streams.hpp"

#include <optional>

namespace tofud::serve {

/// Nothing: it is not worth a line, as lists, pages' own files, and requests of an upload beyond
/// its first.
std::optional<operations::audit_entry> audited(const http::request& asked,
                                               const http::response& answer,
                                               const kept_streams& runs, access::gate& by);

/// Of a token that came or went.
operations::audit_entry audited(const access::token_change& change);

}  // namespace tofud::serve
