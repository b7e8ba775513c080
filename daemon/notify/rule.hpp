// Who is told of what, and where: as an administrator sets it up.
#pragma once

#include "daemon/notify/report.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::notify {

enum class target : std::uint8_t {
  webhook,  // CloudEvents, signed as Standard Webhooks
  slack,    // an incoming webhook
  teams,    // a workflow of Microsoft Teams
  hcp,      // who takes notifications of HCP Terraform
  mail,     // by a program such as sendmail
  command   // a program, with the CloudEvent on its standard input
};
std::string_view name(target where);

/// A value. Files are named here; what they hold is read by `ready`.
struct rule {
  std::string name;
  std::set<occasion> on;
  std::vector<std::string> stacks;  // patterns (access::fits); empty: all
  std::vector<feed::label> labels;  // a run has all of them, whoever gave them
  target where = target::webhook;
  std::string url_file, secret_file;  // empty: none
  std::string ca_file;          // authorities of the target's certificate; empty: the system's
  std::vector<std::string> to;  // of mail
  std::string from;             // of mail
  std::string command;          // a program; of mail sendmail
  bool allow_private = false;   // the target may be of this machine or a private network

  std::string url, secret;  // what stood in the files
  bool operator==(const rule&) const = default;
};

/// Whether that is to be told. A report of `test` fits every rule.
bool wants(const rule& by, const report& of);

/// With what its files hold; the failure names the rule. Secrets are in no failure.
text::result<rule> ready(rule given);

/// What a header of mail may have: NAME@HOST, without blanks, commas and angle brackets.
bool is_mail_address(std::string_view text);

}  // namespace tofud::notify
