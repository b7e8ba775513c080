// What is known of a run besides its stream.
#pragma once

#include "daemon/correlator/text_policy.hpp"
#include "protocol/attachments/config_facts.hpp"
#include "protocol/attachments/plan_facts.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/order/plan_knowledge.hpp"
#include "protocol/redact/hider.hpp"
#include "protocol/schema/schema.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tofud::correlator {

/// What a run is told about itself from outside the stream.
struct run_identity {
  std::string id;
  std::string stack;  // empty: unknown
  std::vector<feed::label> labels;
  std::vector<feed::label> granted = {};       // of these, those that no event changes
  std::optional<feed::run_command> command;    // nothing: inferred
  bool may_ask = false;                        // OpenTofu may stop and ask for approval
  std::uint64_t parallelism = 0;               // operations at once, as was said; 0: it was not
  feed::cut line_limit = feed::cut::at_limit;  // of log and text lines
  text_policy shows;
  std::string base_path;  // of feed::run_path
  /// Texts of rows are cut at limits::kept_text_bytes when they are taken in, so that a run's
  /// memory does not grow with the length of its lines. No: for who looks for a whole row.
  bool cuts_texts = true;
};

/// What is known of a run besides its stream; null: it is not.
struct run_attachments {
  std::shared_ptr<const attachments::plan_facts> plan = {};
  std::shared_ptr<const attachments::config_facts> config = {};
  std::shared_ptr<const schema::schemas> schemas = {};
  std::shared_ptr<const redact::ready_rules> hidden = {};   // values that no text has from here on
  std::shared_ptr<const order::plan_knowledge> order = {};  // of the plan
};

}  // namespace tofud::correlator
