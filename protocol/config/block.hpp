// The blocks of a configuration that what OpenTofu prints can be traced back to.
#pragma once

#include "protocol/config/annotation.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::config {

/// A place in a text: line and character in it, both from 1. Combining characters count.
struct position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend auto operator<=>(const position&, const position&) = default;
};

/// A place in a file. The file's path is relative to the root module's directory, as in OpenTofu's
/// diagnostics: `main.tf`, `net/main.tf`, `../m/main.tf`.
struct place {
  std::string file;
  position at;
  friend auto operator<=>(const place&, const place&) = default;
};

/// `main.tf:3:1`.
std::ostream& operator<<(std::ostream& out, const place& where);
std::string to_string(const place& where);

/// What is wrong with a configuration, where, and what to do about it.
struct problem {
  place where;
  std::string what;
  friend bool operator==(const problem&, const problem&) = default;
};

std::ostream& operator<<(std::ostream& out, const problem& wrong);

enum class block_kind : std::uint8_t {
  managed,  // `resource`
  data,
  ephemeral,
  module_call,
  variable,
  local,
  output,
  provider,
};

/// When a provisioner runs. Those for the destruction do not when a deposed object is destroyed
/// (the recording replace-create-before-destroy).
enum class provision_time : std::uint8_t { create, destroy };

/// What a provisioner's failure does.
enum class on_failure : std::uint8_t { fail, go_on };

struct provisioner {
  std::string type;  // `local-exec`
  provision_time when = provision_time::create;
  on_failure failing = on_failure::fail;
  position at;
  friend bool operator==(const provisioner&, const provisioner&) = default;
};

std::ostream& operator<<(std::ostream& out, const provisioner& declared);

/// An expression of a block names another.
struct reference {
  /// The argument or nested block it stands in: `depends_on`, `triggers`, `provisioner`; inside of
  /// `lifecycle` with that before it: `lifecycle.replace_triggered_by`.
  std::string argument;
  /// An address in the same module without attributes: `aws_vpc.main`, `data.http.page`,
  /// `var.size`, `local.name`, `module.net`; an output of a module with its name:
  /// `module.net.subnets`. Of keys only a literal one of a resource is there: `aws_vpc.main["a"]`,
  /// as it is written.
  std::string target;
  friend auto operator<=>(const reference&, const reference&) = default;
};

std::ostream& operator<<(std::ostream& out, const reference& made);

/// A provider's configuration that a module call passes on: `aws.main = aws.west`.
struct passed_provider {
  std::string name, is;
  friend auto operator<=>(const passed_provider&, const passed_provider&) = default;
};

/// A resource, data source, ephemeral resource, module call or provider's configuration, or a
/// variable, local value or output through which they refer to one another.
struct block {
  block_kind kind = block_kind::managed;
  /// In its module, without keys: `aws_vpc.main`, `data.http.page`, `ephemeral.a.b`, `module.net`,
  /// `var.size`, `local.name`, `output.id`, `provider.aws`, `provider.aws.west`.
  std::string address;
  /// Of the block's type in native syntax, of the name's key in JSON syntax.
  place at;
  /// In the order in which they run.
  std::vector<provisioner> provisioners;
  /// Each once, in the order of the text.
  std::vector<reference> references;
  /// What `lifecycle` says of it; nothing if that is no literal or it says nothing.
  std::optional<bool> create_before_destroy;
  /// Of a module call, if it is a literal: `./net`, `hashicorp/consul/aws`.
  std::string source;
  /// Of a resource, if it names its provider's configuration: `aws.west`.
  std::string provider;
  /// Of a module call: what the module calls `name` is this module's `is`.
  std::vector<passed_provider> providers;
  /// Names of what stands in the block, such as in `reference::argument`: an override replaces by
  /// them.
  std::vector<std::string> arguments;
  /// What people wrote of it.
  annotation said;
};

/// What one file declares, and what is wrong with it: what stands before an error is there.
struct file_blocks {
  std::vector<block> blocks;
  std::vector<problem> problems;
};

/// What is wrong with a name, as a sentence; empty if nothing is.
std::string name_failure(std::string_view name);

/// The address of a block of `kind` with these labels.
std::string address_of(block_kind kind, std::string_view first, std::string_view second = {});

/// `aws` or `aws.west`, as a resource or a module call names a provider's configuration, with or
/// without quotes; empty for anything else.
std::string provider_name(std::string_view expression);

/// A provider's configuration of this name is another one.
void add_alias(block& provider, std::string_view alias);

/// Whether that is the address of a resource, data source or ephemeral resource in its module.
bool is_resource(std::string_view address);

/// Leaves the first of each reference and argument.
void drop_repeats(block& in);

/// A block type at the top of a file. `labels` of them are names; nothing for those that are not
/// followed (`terraform`, `check`, `moved`, …) and `locals`, whose names are arguments.
struct top_level_type {
  block_kind kind;
  std::size_t labels;
};
std::optional<top_level_type> find_top_level(std::string_view type);

/// Arguments of a block of `kind` that name no other block: `provider`, `source`, a description.
bool refers_to_nothing(block_kind kind, std::string_view argument);

/// `true` or `false`, as they are written with or without quotes.
std::optional<bool> literal_bool(std::string_view text);

}  // namespace tofud::config
