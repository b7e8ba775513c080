// What the rows of a run take from an attached configuration: where each block stands, and what it
// declares. Names and places only, no values.
//
//   {"format":"tofud.config.v2","blocks":[
//   {"address":"module.net.aws_subnet.a","file":"net/main.tf","line":3,"column":1,
//    "annotations":{"owner":"@net","runbook":"https://wiki/net","expect_s":1500},
//    "create_before_destroy":true,"provisioners":[{"type":"local-exec","when":"create"}],
//    "provider":"aws.west","references":[{"argument":"vpc_id","target":"aws_vpc.main[0]"}]},
//   {"address":"module.net","file":"main.tf","line":9,"column":1,
//    "providers":[{"name":"aws","is":"aws.west"}]},
//   …
//   ],"providers":[{"source":"HOST/hashicorp/aws","version":"5.100.0"}]}
//
// Addresses have no instance keys, targets have literal ones of resources. Members that say nothing
// are left out. `tofud.config.v1` had no keys, no providers and no versions.
#pragma once

#include "protocol/config/block.hpp"
#include "protocol/config/configuration.hpp"
#include "protocol/config/lock_file.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::attachments {

/// Of one address without keys.
struct declared_block {
  std::string file;  // relative to the root module's directory
  std::uint32_t line = 0, column = 0;
  std::optional<bool> create_before_destroy;
  std::vector<config::provisioner> provisioners;  // in the order in which they run
  std::vector<config::reference> references;
  std::string provider;  // its configuration, if it is named
  std::vector<config::passed_provider> providers;
  config::annotation said;  // of the block itself

  /// How many run when a step creates, or destroys.
  std::uint32_t provisioners_at(config::provision_time when) const;
};

class config_facts {
 public:
  /// The failure names the path of what is wrong. Unknown members are passed
  /// over.
  static text::result<config_facts> read(std::string_view json);

  /// Of blocks by address, with keys in references.
  static config_facts of(std::map<std::string, declared_block, std::less<>> blocks) {
    config_facts made;
    made.blocks_ = std::move(blocks);
    made.has_order_ = true;
    return made;
  }

  /// The block that an instance was made of, such as that of `module.net[0].aws_subnet.a["x"]`;
  /// nullptr: it is not known. Valid as long as this is.
  const declared_block* find(std::string_view address) const;
  /// What is said of an instance: by its block and, key by key, for what that does not say, by the
  /// nearest module call around it. Views, valid as long as this is.
  feed::annotations annotated(std::string_view address) const;
  const std::map<std::string, declared_block, std::less<>>& blocks() const { return blocks_; }
  /// Whether it tells of providers' configurations and of keys: what waits for what needs them.
  bool has_order() const { return has_order_; }
  const std::vector<config::locked_provider>& providers() const { return providers_; }
  /// The provider of that name ("aws"), if `tofu init` has chosen a single one of it; else nullptr.
  const config::locked_provider* provider(std::string_view name) const;

 private:
  std::map<std::string, declared_block, std::less<>> blocks_;
  std::vector<config::locked_provider> providers_;
  bool has_order_ = false;
};

/// Whether references have keys and providers' configurations are told of.
enum class order_told : bool { no, yes };

/// The document above: one line a block.
std::string to_json(const config::configuration& from, order_told order = order_told::yes);

}  // namespace tofud::attachments
