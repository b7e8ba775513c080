#include "protocol/config/lock_file.hpp"

#include <gtest/gtest.h>

namespace tofud::config {
namespace {

using providers = std::vector<locked_provider>;

TEST(LockFile, NamesTheVersionOfEachProvider) {
  EXPECT_EQ(read_lock_file(R"(# This file is maintained automatically by "tofu init".
provider "example.org/hashicorp/aws" {
  version     = "5.100.0"
  constraints = "~> 5.0"
  hashes = [
    "h1:abc=",
  ]
}

provider "example.org/hashicorp/null" {
  version = "3.2.4"
}
)"),
            (providers{{"example.org/hashicorp/aws", "5.100.0"},
                       {"example.org/hashicorp/null", "3.2.4"}}));
}

TEST(LockFile, WhatIsNoVersionIsPassedOver) {
  EXPECT_EQ(read_lock_file("provider \"a/b/c\" {\n  version = var.x\n}\nlocals {}\n"), providers{});
  EXPECT_EQ(read_lock_file("provider \"a/b/c\" {\n  version = \"1.${x}\"\n}\n"), providers{});
  EXPECT_EQ(read_lock_file("provider {{{"), providers{});
  EXPECT_EQ(read_lock_file(""), providers{});
}

}  // namespace
}  // namespace tofud::config
