// A run with documents attached, and what is asked about them.
#pragma once

#include "daemon/api/run_reads.hpp"
#include "daemon/attachments/prepare.hpp"
#include "daemon/attachments/schema_files.hpp"
#include "daemon/files/memory_file.hpp"
#include "tests/correlator/recorded.hpp"
#include "tests/paths.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tofud::test {

inline constexpr auto all_schemas = TEST_GOLDEN "/schemas/recordings.json.gz";

inline correlator::run_identity identity() {
  correlator::run_identity made;
  made.id = "R7";
  return made;
}

/// A run and the routes that lead to it: no socket.
class attached_run {
 public:
  explicit attached_run(void (*add_reads)(http::router&, const run_finder&, long_reads&)) {
    add_reads(
        routes_,
        [this](const std::string& id, const access::principal&) -> std::optional<readable_run> {
          if (id != "R7") return {};
          return readable_run{&topics_.runs().front(), {}};
        },
        reads_);
  }

  void attach(const std::string& recording, const std::string& schemas = all_schemas) {
    const auto text = read_file(std::string{TEST_RECORDINGS} + "/" + recording + "/plan.json");
    attach_text(text.value(), schemas);
  }

  void attach_text(const std::string& plan, const std::string& schemas = "") {
    attachments::schema_source source;
    if (!schemas.empty()) {
      source = [&](const schema::schemas_scanner::wanted& types) -> plan::result<schema::schemas> {
        return attachments::read_schema_files({schemas}, types).all;
      };
    }
    auto made = attachments::prepare_plan(plan, source);
    ASSERT_TRUE(made) << made.error().text();
    add(feed::attachment::plan, made->plan);
    if (!made->schemas.empty()) add(feed::attachment::schemas, made->schemas);
  }
  void attach_config(const std::string& document) { add(feed::attachment::config, document); }

  http::response get(const std::string& path, const std::string& query = "") {
    http::request asked;
    asked.method = "GET";
    asked.path = path;
    asked.query = query;
    const auto found = routes_.find(asked);
    EXPECT_NE(found.by, nullptr) << path;
    std::optional<http::response> came;
    std::get<http::router::later> (*found.by)(
        asked, [&](http::response given) { came = std::move(given); });
    while (!came && io_.run_one() > 0) {
    }
    return came.value();
  }
  // The rest of an answer that comes in pieces.
  std::string all_of(http::response& answer) {
    std::string text{answer.text()};
    while (answer.pieces(text)) {
    }
    return text;
  }

  boost::json::array rows(const std::string& query) {
    const auto found = get("/v1/runs/R7/diff", query);
    EXPECT_EQ(found.status, 200) << found.text();
    return boost::json::parse(found.text()).at("rows").as_array();
  }

 private:
  void add(feed::attachment part, const std::string& text) {
    auto file = files::memory_file::of(text);
    ASSERT_TRUE(file) << file.error().text();
    files_.push_back(std::move(*file));
    stream_.add({0, events::attachment{part, "", 0, 0}});
  }

  boost::asio::io_context io_{1};
  // The thread may let go of the loop after it was asked for the next.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> goes_on_{
      io_.get_executor()};
  long_reads reads_{io_};
  http::router routes_;
  std::vector<files::memory_file> files_;
  pipeline::engine stream_{identity(),
                           [this](const events::attachment& said, attachments::documents& known) {
                             const auto failure = known.add(said.part, files_.back().path());
                             EXPECT_EQ(failure.text(), "");
                             return failure.empty();
                           }};
  pipeline::run_topics topics_{stream_, {}};
};

}  // namespace tofud::test
