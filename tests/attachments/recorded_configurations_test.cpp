#include "daemon/attachments/configuration_files.hpp"
#include "tests/attachments/recorded_streams.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace tofud::attachments {
namespace {

using config::block;
using config::block_kind;
using config::provision_time;
using test::scenario;

// The table that tests/tools/config_positions.py made: address -> place.
using positions = std::map<std::string, std::string>;

positions table_of(const std::string& scenario, const std::string& folder) {
  positions found;
  std::ifstream table{POSITIONS};
  std::string line;
  while (std::getline(table, line)) {
    std::istringstream columns{line};
    std::string in_scenario, in_folder, address, place;
    std::getline(columns, in_scenario, '\t');
    std::getline(columns, in_folder, '\t');
    std::getline(columns, address, '\t');
    std::getline(columns, place);
    if (in_scenario == scenario && in_folder == folder) found.emplace(address, place);
  }
  return found;
}

bool is_in_table(block_kind kind) {
  return kind == block_kind::managed || kind == block_kind::data || kind == block_kind::ephemeral ||
         kind == block_kind::module_call;
}

positions positions_of(const config::configuration& of) {
  positions found;
  for (const auto& [path, module] : of.modules) {
    for (const auto& [address, declared] : module->blocks) {
      if (!is_in_table(declared.kind)) continue;
      found.emplace(path.empty() ? address : path + '.' + address, to_string(declared.at));
    }
  }
  return found;
}

TEST(RecordedConfigurations, BlocksHaveThePlacesOfTheTable) {
  std::size_t blocks = 0;
  for (const scenario& each : test::recorded_scenarios()) {
    for (const std::string& folder : each.configurations) {
      SCOPED_TRACE(each.name + "/" + folder);
      const positions expected = table_of(each.name, folder);
      EXPECT_EQ(positions_of(read_from_disk(each.folder / folder)), expected);
      blocks += expected.size();
    }
  }
  EXPECT_EQ(blocks, 445U);  // the table's lines: none is left over
}

// Places that a stream's error diagnostics name.
std::set<std::string> error_places(const scenario& in, std::string_view stream) {
  std::set<std::string> found;
  for (const test::recorded_file& each : test::files_of(in, stream)) {
    for (const boost::json::value& message : test::messages_of(each.bytes)) {
      const boost::json::value& range = test::at(message, {"diagnostic", "range"});
      if (!range.is_object()) continue;
      const auto number = [&](std::string_view name) {
        return std::to_string(test::at(range, {"start", name}).to_number<unsigned>());
      };
      found.insert(test::text_at(range, {"filename"}) + ':' + number("line") + ':' +
                   number("column"));
    }
  }
  return found;
}

TEST(RecordedConfigurations, HaveTheirProblemsWhereOpenTofuFoundThem) {
  std::size_t problems = 0;
  for (const scenario& each : test::recorded_scenarios()) {
    for (const std::string& folder : each.configurations) {
      for (const config::problem& wrong : read_from_disk(each.folder / folder).problems) {
        ++problems;
        EXPECT_TRUE(error_places(each, "syntax.jsonl").contains(to_string(wrong.where)))
            << each.name << '/' << folder << ": " << wrong;
      }
    }
  }
  EXPECT_EQ(problems, 1U);  // one of them was broken on purpose
}

// Addresses of resources in a stream.
std::set<std::string> addresses_of(std::string_view stream) {
  std::set<std::string> found;
  for (const boost::json::value& message : test::messages_of(stream)) {
    for (const std::string_view part : {"hook", "change"}) {
      found.insert(test::text_at(message, {part, "resource", "addr"}));
    }
  }
  found.erase("");
  return found;
}

TEST(RecordedConfigurations, HaveEachAddressOfTheirStreams) {
  std::set<std::string> unknown;
  std::size_t known = 0;
  for (const scenario& each : test::recorded_scenarios()) {
    std::vector<config::configuration> read;
    positions expected;
    for (const std::string& folder : each.configurations) {
      read.push_back(read_from_disk(each.folder / folder));
      for (const auto& [address, place] : table_of(each.name, folder))
        expected[folder + ' ' + address] = place;
    }
    for (const test::recorded_file& stream : test::files_of(each, ".jsonl")) {
      for (const std::string& address : addresses_of(stream.bytes)) {
        bool found = false;
        for (std::size_t i = 0; i < read.size(); ++i) {
          const block* const declared = read[i].find(address);
          if (declared == nullptr) continue;
          found = true;
          EXPECT_EQ(to_string(declared->at),
                    expected[each.configurations[i] + ' ' + test::plain_address(address)])
              << each.name << ' ' << stream.name << ' ' << address;
        }
        known += found;
        if (!found) unknown.insert(each.name + ' ' + test::plain_address(address));
      }
    }
  }
  EXPECT_GT(known, 10'000U);
  // Only in a state, made by `-generate-config-out`, or imported by hand.
  const std::set<std::string> written_elsewhere{"delete-reasons null_resource.missing",
                                                "import-generate-config random_id.generated",
                                                "import-generate-config random_integer.cli",
                                                "import-generate-config random_password.generated",
                                                "import-generate-config time_static.generated"};
  EXPECT_EQ(unknown, written_elsewhere);
}

// Which provisioners ran, as `TYPE: COMMAND`, in one step of one address.
struct provisioned {
  std::string address;
  provision_time when;
  std::vector<std::string> ran;
  bool whole = false;  // all that were to run did
};

// The steps of a stream that provisioners belong to, in order of their end.
std::vector<provisioned> steps_of(std::string_view stream) {
  std::map<std::string, provisioned> open;
  std::vector<provisioned> found;
  for (const boost::json::value& message : test::messages_of(stream)) {
    const std::string type = test::text_at(message, {"type"});
    const std::string address = test::text_at(message, {"hook", "resource", "addr"});
    if (type == "apply_start") {
      const bool destroys = test::text_at(message, {"hook", "action"}) == "delete";
      open[address] = {address, destroys ? provision_time::destroy : provision_time::create, {}};
    } else if (type == "provision_start") {
      open[address].ran.push_back(test::text_at(message, {"hook", "provisioner"}));
    } else if (type == "apply_complete" || type == "apply_errored") {
      open[address].whole = type == "apply_complete";
      found.push_back(open[address]);
      open.erase(address);
    }
  }
  return found;
}

std::vector<std::string> declared_for(const block& of, provision_time when) {
  std::vector<std::string> types;
  for (const config::provisioner& each : of.provisioners) {
    if (each.when == when) types.push_back(each.type);
  }
  return types;
}

TEST(RecordedConfigurations, DeclareTheProvisionersThatRan) {
  std::size_t whole = 0;
  for (const scenario& each : test::recorded_scenarios()) {
    const auto read = read_from_disk(each.folder / each.configurations.front());
    for (const test::recorded_file& stream : test::files_of(each, ".jsonl")) {
      for (const provisioned& step : steps_of(stream.bytes)) {
        const block* const declared = read.find(step.address);
        if (declared == nullptr) continue;
        SCOPED_TRACE(each.name + " " + stream.name + " " + step.address);
        std::vector<std::string> expected = declared_for(*declared, step.when);
        // OpenTofu leaves them out for deposed objects, and the stream does not tell those apart.
        const bool may_be_deposed =
            step.when == provision_time::destroy && declared->create_before_destroy.value_or(false);
        if (may_be_deposed && step.ran.empty()) continue;
        if (!step.whole) expected.resize(std::min(expected.size(), step.ran.size()));
        EXPECT_EQ(step.ran, expected);
        whole += step.whole && !expected.empty();
      }
    }
  }
  EXPECT_GT(whole, 50U);
}

// The texts of `echo` that provisioners ran, in order: "first 0", "second; exit 4".
std::vector<std::string> echoed(std::string_view stream, const std::string& address) {
  const std::string before = R"(Executing: ["/bin/sh" "-c" "echo )";
  std::vector<std::string> found;
  for (const boost::json::value& message : test::messages_of(stream)) {
    if (test::text_at(message, {"hook", "resource", "addr"}) != address) continue;
    const std::string output = test::text_at(message, {"hook", "output"});
    if (output.starts_with(before)) found.push_back(output.substr(before.size()));
  }
  return found;
}

// The line of a file, from 1.
std::string line_of(const std::filesystem::path& file, unsigned number) {
  std::ifstream lines{file};
  std::string line;
  for (unsigned i = 0; i < number; ++i) std::getline(lines, line);
  return line;
}

TEST(RecordedConfigurations, JsonProvisionersHaveTheOrderOfTheStream) {
  for (const scenario& each : test::recorded_scenarios()) {
    if (each.name != "json-syntax-config") continue;
    const std::filesystem::path root = each.folder / "config";
    const auto read = read_from_disk(root);
    const block* const declared = read.find("null_resource.provisioned[0]");
    ASSERT_NE(declared, nullptr);
    ASSERT_EQ(declared->provisioners.size(), 4U);
    EXPECT_EQ(declared->provisioners[1].failing, config::on_failure::go_on);
    EXPECT_EQ(declared->create_before_destroy, true);

    std::vector<std::string> ran;
    for (const char* name : {"stream.jsonl", "destroy.jsonl"}) {
      for (const auto& file : test::files_of(each, name)) {
        if (file.name != name) continue;
        for (const std::string& text : echoed(file.bytes, "null_resource.provisioned[0]")) {
          ran.push_back(text);
        }
      }
    }
    ASSERT_EQ(ran.size(), 4U);
    for (std::size_t i = 0; i < ran.size(); ++i) {
      // The command stands one line below the provisioner's name, or two.
      const unsigned line = declared->provisioners[i].at.line;
      const std::string text =
          line_of(root / "main.tofu.json", line + 1) + line_of(root / "main.tofu.json", line + 2);
      const std::string word = ran[i].substr(0, ran[i].find_first_of(" ;\""));
      EXPECT_NE(text.find("echo " + word), std::string::npos) << ran[i] << " / " << text;
    }
    return;
  }
  FAIL() << "there is no such scenario";
}

}  // namespace
}  // namespace tofud::attachments
