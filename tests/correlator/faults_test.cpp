// What schemas add to diagnostics in their rows, and files that are one line.
#include "daemon/correlator/stream_fold.hpp"
#include "tests/correlator/by_hand.hpp"
#include "tests/correlator/recorded.hpp"
#include "tests/protocol/diagnostics/by_hand.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace tofud::test {
namespace {

struct counting : correlator::row_sink {
  void changed(correlator::run_state&, feed::row_change) override { ++rows; }
  int rows = 0;
};

/// A fold, and what its rows are now.
class fold_of_bytes {
 public:
  explicit fold_of_bytes(const std::string& bytes) : fold_{identity(), watcher} {
    fold_.feed(bytes);
  }

  void attach(const std::shared_ptr<const schema::schemas>& known) {
    correlator::run_attachments attached;
    attached.schemas = known;
    fold_.attach(attached);
  }
  void feed(const std::string& bytes) { fold_.feed(bytes); }

  std::string rows() const {
    std::string rows;
    const correlator::run_state& run = *fold_.runs().begin();
    for (feed::row_number row = 0; row < run.rows(); ++row) {
      run.encode(rows, row, 0, feed::cut::no);
      rows.push_back('\n');
    }
    return rows;
  }
  object diagnostic() const { return parse_rows(rows()).at(0); }

  counting watcher;

 private:
  static correlator::run_identity identity() {
    correlator::run_identity identity;
    identity.id = "r";
    return identity;
  }

  correlator::stream_fold fold_;
};

std::string said(const std::string& file, const std::string& context, const std::string& code,
                 std::string_view marked) {
  const std::size_t at = code.find(marked);
  object snippet{{"context", context},
                 {"code", code},
                 {"start_line", 1},
                 {"highlight_start_offset", at},
                 {"highlight_end_offset", at + marked.size()},
                 {"values", boost::json::array{}}};
  object place{{"line", 1}, {"column", 1}, {"byte", 0}};
  object range{{"filename", file}, {"start", place}, {"end", place}};
  object diagnostic{{"severity", "error"},
                    {"summary", "Wrong"},
                    {"detail", "It is."},
                    {"range", std::move(range)},
                    {"snippet", std::move(snippet)}};
  return stream{}
      .message(R"("type":"diagnostic","diagnostic":)" + boost::json::serialize(diagnostic))
      .text();
}

std::shared_ptr<const schema::schemas> known() {
  return std::make_shared<const schema::schemas>(diagnostics::acme());
}

constexpr auto context = R"(resource "acme_db" "main")";

TEST(Faults, TheAttributeOfADiagnosticHasItsDescription) {
  fold_of_bytes run{""};
  run.attach(known());
  run.feed(said("main.tf", context, "  port = 0", "0"));
  const std::string expected =
      R"({"type":"acme_db","path":"port","value_type":"number",)"
      R"("description":"Port to listen on.","default":5432,"validators":)"
      R"raw(["int64validator.Between(1, 65535)"],"replacement":"certain"})raw";
  EXPECT_EQ(boost::json::serialize(run.diagnostic().at("attribute")), expected);
}

TEST(Faults, SchemasThatComeLaterAreInTheRowsThatTheyChange) {
  const std::string code = "  password = \"hunter2\"";
  fold_of_bytes run{said("main.tf", context, "  port = 0", "0") +
                    said("main.tf", context, code, "hunter2") +
                    said("main.tf", "output \"o\"", "  value = 0", "0")};
  EXPECT_TRUE(run.diagnostic().at("attribute").is_null());
  run.watcher.rows = 0;
  run.attach(known());
  EXPECT_EQ(run.watcher.rows, 2);
  EXPECT_EQ(run.diagnostic().at("attribute").at("path"), "port");
  EXPECT_EQ(run.rows().find("hunter2"), std::string::npos);
  run.attach(known());
  EXPECT_EQ(run.watcher.rows, 2);
}

TEST(Faults, FileInOneLineIsTheBlockAroundTheFault) {
  const std::string code =
      R"({"resource":{"acme_db":{"other":{"name":"other-literal"},"main":{"port":"x","password":"hunter2"}}}})";
  fold_of_bytes run{said("main.tf.json", "resource.acme_db.main", code, "\"x\"")};
  const object before = run.diagnostic();
  EXPECT_EQ(before.at("snippet").at("path"), "resource.acme_db.main.port");
  EXPECT_EQ(before.at("snippet").at("code"),
            "\"resource\": {\"acme_db\": {\"main\": {\n  \"port\": \"x\",\n  \"password\": "
            "\"hunter2\"\n}}}");
  EXPECT_EQ(run.rows().find("other-literal"), std::string::npos);
  run.attach(known());
  EXPECT_EQ(run.diagnostic().at("attribute").at("path"), "port");
  EXPECT_EQ(run.rows().find("hunter2"), std::string::npos);
}

// Only files in one line, and only what schemas know of, are other rows than before.
TEST(Faults, ChangeNoRowOfARecordingWithoutThem) {
  for (const recorded& each : all_recordings()) {
    const std::string rows = rows_of("r", read_file(each.path).value());
    for (const object& row : parse_rows(rows)) {
      if (row.at("kind") != "diagnostic") continue;
      EXPECT_TRUE(row.at("attribute").is_null()) << each;
      const auto* snippet = row.at("snippet").if_object();
      const bool drawn = snippet != nullptr && snippet->contains("path");
      EXPECT_EQ(drawn, each.scenario == "json-syntax-errors" && each.stem == "syntax") << each;
    }
  }
}

}  // namespace
}  // namespace tofud::test
