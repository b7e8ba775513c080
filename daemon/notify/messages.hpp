// A report as each kind of target wants it.
#pragma once

#include "daemon/client/message.hpp"
#include "daemon/notify/report.hpp"
#include "daemon/notify/rule.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tofud::notify {

/// CloudEvents 1.0 in structured JSON. `source` is the daemon's address.
/// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
std::string cloud_event(const report& of, const std::string& source);

/// Blocks of an incoming webhook. What comes from runs stands in plain text, and is escaped where
/// that is not so: it mentions nobody, and is no link.
/// https://docs.slack.dev/reference/block-kit
std::string slack_message(const report& of);

/// An adaptive card, as workflows of Teams take it. What comes from runs stands in text runs, which
/// know no Markdown. https://adaptivecards.io/explorer/
std::string teams_message(const report& of);

/// The payload of HCP Terraform's notifications, version 1.
/// https://developer.hashicorp.com/terraform/cloud-docs/api-docs/notification-configurations
std::string hcp_message(const report& of, const rule& by);

/// A message of mail with its header (RFC 5322), in UTF-8.
std::string mail_message(const report& of, const rule& by);

/// For people, in lines: what a mail says, and what a person sees who tries a rule.
std::string plain_text(const report& of);

/// What is sent to the rule's URL: the body and the headers that sign it. `sent_at`: seconds since
/// 1970.
client::request post_of(const report& of, const rule& by, const std::string& source,
                        std::int64_t sent_at);

}  // namespace tofud::notify
