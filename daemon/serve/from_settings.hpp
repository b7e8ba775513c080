// What settings mean to the parts of the daemon, when it starts and when they are read again.
#pragma once

#include "daemon/access/rules.hpp"
#include "daemon/archive/place.hpp"
#include "daemon/correlator/text_policy.hpp"
#include "daemon/journal/retention.hpp"
#include "daemon/serve/cluster_options.hpp"
#include "daemon/serve/live_runs.hpp"
#include "daemon/settings/settings.hpp"
#include "daemon/telemetry/destination.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>

namespace tofud::serve {

/// Who may ask.
text::result<access::rules> access_rules_of(const settings::settings& from);

/// What is kept.
journal::retention retention_of(const settings::settings& from);

/// Where ended runs are copied to.
archive::address archive_of(const settings::settings& from);

/// With whom runs are shared.
cluster_options cluster_of(const settings::settings& from);

/// Where telemetry of ended runs is sent.
telemetry::wishes telemetry_of(const settings::settings& from);

/// What rows show.
correlator::text_policy text_policy_of(const settings::settings& from);

live_runs::bounds live_runs_of(const settings::settings& from);

}  // namespace tofud::serve
