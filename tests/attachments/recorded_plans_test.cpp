// What OpenTofu writes of a configuration into a plan, against what was read from the files.
#include "daemon/attachments/configuration_files.hpp"
#include "tests/attachments/recorded_streams.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace tofud::attachments {
namespace {

using boost::json::value;
using targets = std::set<std::string>;

// `a.b[0].c` -> `a.b`; empty for what is no block.
std::string target_of(const std::string& reference) {
  std::istringstream names{test::plain_address(reference)};
  std::vector<std::string> parts;
  for (std::string part; std::getline(names, part, '.');) parts.push_back(part);
  static const std::set<std::string> own{"each", "count", "self", "path", "terraform"};
  if (parts.size() < 2 || own.contains(parts[0])) return {};
  const bool three =
      parts[0] == "data" || parts[0] == "ephemeral" || (parts[0] == "module" && parts.size() > 2);
  std::string target = parts[0] + '.' + parts[1];
  if (three && parts.size() > 2) target += '.' + parts[2];
  return target;
}

void add_list(const value& references, targets& found) {
  if (!references.is_array()) return;
  targets here;
  for (const value& each : references.as_array())
    here.insert(target_of(std::string{each.as_string()}));
  here.erase("");
  for (const std::string& each : here) {
    // "module.m.out" is followed by "module.m"
    const auto longer = here.upper_bound(each);
    if (each.starts_with("module.") && longer != here.end() && longer->starts_with(each + '.'))
      continue;
    found.insert(each);
  }
}

// Every `references` and `depends_on` in an expression, however deep.
void add_all(const value& from, targets& found) {
  if (from.is_array()) {
    for (const value& each : from.as_array()) add_all(each, found);
  } else if (from.is_object()) {
    for (const auto& member : from.as_object()) {
      if (member.key() == "references" || member.key() == "depends_on") {
        add_list(member.value(), found);
      } else if (member.key() != "module") {
        add_all(member.value(), found);
      }
    }
  }
}

std::vector<std::string> provisioners_in(const value& resource) {
  std::vector<std::string> types;
  const value& all = test::at(resource, {"provisioners"});
  if (!all.is_array()) return types;
  for (const value& each : all.as_array()) types.push_back(test::text_at(each, {"type"}));
  return types;
}

std::vector<std::string> provisioners_of(const config::block& declared) {
  std::vector<std::string> types;
  for (const config::provisioner& each : declared.provisioners) types.push_back(each.type);
  return types;
}

// Plans leave the output out of `module.m[*].out`.
bool has_output_of(const targets& found, const std::string& module) {
  const auto next = found.lower_bound(module + '.');
  return module.starts_with("module.") && next != found.end() && next->starts_with(module + '.');
}

// Plans have the whole resource behind each instance of it.
bool has_instance_of(const targets& found, const std::string& resource) {
  const auto next = found.lower_bound(resource + '[');
  return next != found.end() && next->starts_with(resource + '[');
}

class plan_comparison {
 public:
  explicit plan_comparison(const config::configuration& read) : read_{read} {}

  void compare(const value& module, const std::string& path) {
    const value& resources = test::at(module, {"resources"});
    if (resources.is_array()) {
      for (const value& each : resources.as_array()) {
        const std::string address = path + test::text_at(each, {"address"});
        compare_references(address, each);
        if (const config::block* const declared = read_.find(address)) {
          EXPECT_EQ(provisioners_of(*declared), provisioners_in(each)) << address;
          provisioners_ += declared->provisioners.size();
        }
      }
    }
    const value& outputs = test::at(module, {"outputs"});
    if (outputs.is_object()) {
      for (const auto& each : outputs.as_object()) {
        compare_references(path + "output." + std::string{each.key()}, each.value());
      }
    }
    const value& calls = test::at(module, {"module_calls"});
    if (!calls.is_object()) return;
    for (const auto& each : calls.as_object()) {
      const std::string address = path + "module." + std::string{each.key()};
      compare_references(address, each.value());
      compare(test::at(each.value(), {"module"}), address + '.');
    }
  }

  std::size_t references() const { return references_; }
  std::size_t provisioners() const { return provisioners_; }

 private:
  void compare_references(const std::string& address, const value& planned) {
    const config::block* const declared = read_.find(address);
    ASSERT_NE(declared, nullptr) << address;
    targets expected;
    add_all(planned, expected);
    targets all, in_plan;
    for (const config::reference& each : declared->references) {
      all.insert(each.target);
      // Plans leave out what `lifecycle` and connections say.
      const bool left_out =
          each.argument.starts_with("lifecycle.") || each.argument == "connection";
      if (!left_out) in_plan.insert(each.target);
    }
    for (const std::string& each : expected) {
      EXPECT_TRUE(all.contains(each) || has_output_of(all, each) || has_instance_of(all, each))
          << address << " refers to " << each;
    }
    for (const std::string& each : in_plan) {
      const bool whole_module =
          each.starts_with("module.") && expected.contains(each.substr(0, each.find('.', 7)));
      const bool one_instance = expected.contains(each.substr(0, each.find('[')));
      EXPECT_TRUE(one_instance || whole_module) << address << " does not refer to " << each;
    }
    references_ += expected.size();
  }

  const config::configuration& read_;
  std::size_t references_ = 0;
  std::size_t provisioners_ = 0;
};

TEST(RecordedPlans, ReferToTheSameAndHaveTheSameProvisioners) {
  std::size_t references = 0;
  std::size_t provisioners = 0;
  for (const test::scenario& each : test::recorded_scenarios()) {
    for (const test::recorded_file& plan : test::files_of(each, "plan.json")) {
      SCOPED_TRACE(each.name + "/" + plan.name);
      const value document = boost::json::parse(plan.bytes);
      const auto read = read_from_disk(each.folder / each.configurations.front());
      plan_comparison comparison{read};
      comparison.compare(test::at(document, {"configuration", "root_module"}), "");
      references += comparison.references();
      provisioners += comparison.provisioners();
    }
  }
  EXPECT_GT(references, 500U);
  EXPECT_GT(provisioners, 50U);
}

}  // namespace
}  // namespace tofud::attachments
