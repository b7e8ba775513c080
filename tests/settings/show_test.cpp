#include "daemon/settings/show.hpp"

#include "daemon/settings/table.hpp"
#include "daemon/settings/table_shapes.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace tofud::settings {
namespace {

merged merge_file(std::string text) {
  sources from;
  from.files = {{"f", std::move(text)}};
  return merge(from);
}

TEST(Show, PrintsWhatIsReadAgainAsTheSame) {
  const auto made = merge_file(
      "listen = []\nsocket = \"\"\nstate_dir = \"/a \\\"quoted\\\" \\\\ path\"\n"
      "[retain]\ndays = 7\nbytes = 12345\n[limits]\nheader_time = \"1500ms\"\n");
  ASSERT_TRUE(made.failures.empty()) << to_string(made.failures[0]);
  for (const auto origins : {with_origins::no, with_origins::yes}) {
    const auto again = merge_file(show(made.now, origins));
    EXPECT_TRUE(again.failures.empty()) << to_string(again.failures[0]);
    EXPECT_EQ(again.now.values, made.now.values);
  }
}

TEST(Show, SaysWhereEachValueComesFrom) {
  const std::string text = show(merge_file("\nretain.days = 7\n").now, with_origins::yes);
  EXPECT_NE(text.find("\n[retain]\ndays = 7  # from f:2:8\n"), text.npos) << text;
  EXPECT_NE(text.find("listen = [\"127.0.0.1:8638\"]  # from default\n"), text.npos) << text;
}

TEST(Show, AFileNamedLikeALineBreakStaysInItsComment) {
  sources from;
  from.files = {{"f\nlisten = []", "retain.days = 7\n"}};
  const std::string text = show(merge(from).now, with_origins::yes);
  EXPECT_EQ(text.find("\nlisten = []"), text.npos) << text;
}

TEST(Show, HasEveryOption) {
  const std::string text = show(effective{}, with_origins::no);
  std::istringstream lines{text};
  std::size_t shown = 0;
  for (std::string line; std::getline(lines, line);) shown += line.find(" = ") != line.npos;
  EXPECT_EQ(shown, options().size());
}

/// Lines that begin with # and no blank are options.
std::string uncommented(const std::string& text) {
  std::istringstream lines{text};
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    const bool is_option = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    all += (is_option ? line.substr(1) : line) + "\n";
  }
  return all;
}

TEST(ShowDefaults, HaveEveryOptionAndChangeNothing) {
  const auto content = uncommented(show_defaults());
  const auto made = merge_file(content);
  EXPECT_TRUE(made.failures.empty()) << to_string(made.failures[0]);
  // Lists of tables have no defaults: what stands there are examples, and right ones.
  std::multiset<std::string_view> examples, shapes;
  for (const table& each : made.now.values.tables) examples.insert(each.of->key);
  for (const table_shape& each : table_shapes()) shapes.insert(each.key);
  EXPECT_EQ(examples, shapes);
  EXPECT_TRUE(made.warnings.empty()) << to_string(made.warnings[0]);
  settings without_examples = made.now.values;
  without_examples.tables.clear();
  EXPECT_EQ(without_examples, settings{});
  for (const option& each : options())
    EXPECT_NE(made.now.origin_of(each).text, "default") << each.key;
  EXPECT_EQ(merge_file(show_defaults()).now.origins, effective{}.origins);
}

TEST(ShowDefaults, AreTheSameAsTheFileInTheRepository) {
  std::ifstream file{DEFAULT_CONFIG};
  const std::string kept{std::istreambuf_iterator<char>{file}, {}};
  EXPECT_EQ(kept, show_defaults()) << "tofud config show --default > config/tofud.toml";
}

}  // namespace
}  // namespace tofud::settings
