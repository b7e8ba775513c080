// Streams written by hand, and what they fold into, for tests of single rules.
#pragma once

#include "daemon/pipeline/final_rows.hpp"
#include "protocol/redact/limits.hpp"
#include "tests/correlator/recorded.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::test {

using boost::json::object;

// A stream written by hand: the members of each message, without the envelope.
class stream {
 public:
  stream& line(const std::string& text) {
    text_ += text + "\n";
    return *this;
  }
  stream& message(const std::string& members, const std::string& text = "said") {
    ++second_;
    const std::string clock = (second_ < 10 ? "0" : "") + std::to_string(second_);
    return line(R"({"@level":"info","@message":")" + text +
                R"(","@module":"tofu.ui","@timestamp":"2026-11-21T03:12:)" + clock +
                R"(.000000Z",)" + members + "}");
  }
  stream& version(const std::string& ui = "1.2") {
    return message(R"("type":"version","tofu":"1.12.6","ui":")" + ui + "\"");
  }
  stream& hook(const std::string& type, const std::string& addr, const std::string& more = "") {
    return message(R"("type":")" + type + R"(","hook":{)" + resource(addr) + more + "}");
  }
  stream& start(const std::string& addr, const std::string& action, const std::string& id = "") {
    return hook("apply_start", addr, R"(,"action":")" + action + "\"" + id_of(id));
  }
  stream& complete(const std::string& addr, const std::string& action, const std::string& id = "") {
    return hook("apply_complete", addr,
                R"(,"elapsed_seconds":1,"action":")" + action + "\"" + id_of(id));
  }
  stream& errored(const std::string& addr, const std::string& action) {
    return hook("apply_errored", addr, R"(,"elapsed_seconds":1,"action":")" + action + "\"");
  }
  stream& plan(const std::string& addr, const std::string& action) {
    return message(R"("type":"planned_change","change":{)" + resource(addr) + R"(,"action":")" +
                   action + "\"}");
  }
  stream& summary(const std::string& operation) {
    return message(
        R"("type":"change_summary","changes":{"add":1,"change":0,"import":0,"remove":0,"operation":")" +
        operation + "\"}");
  }
  stream& diagnostic(const std::string& severity, const std::string& addr = "") {
    return message(R"("type":"diagnostic","diagnostic":{"severity":")" + severity +
                   R"(","summary":"s","detail":"d","address":")" + addr + "\"}");
  }
  stream& provision(const std::string& type, const std::string& addr,
                    const std::string& output = "") {
    return hook("provision_" + type, addr,
                R"(,"provisioner":"local-exec")" +
                    (output.empty() ? "" : R"(,"output":")" + output + "\""));
  }
  const std::string& text() const { return text_; }

 private:
  static std::string resource(const std::string& addr) {
    return R"("resource":{"addr":")" + addr + R"(","module":"","resource":")" + addr +
           R"(","implied_provider":"t","resource_type":"t","resource_name":"x","resource_key":null})";
  }
  static std::string id_of(const std::string& id) {
    return id.empty() ? "" : R"(,"id_key":"id","id_value":")" + id + "\"";
  }
  std::string text_;
  int second_ = 0;
};

// The final rows of a stream, looked up by kind and key.
class folded {
 public:
  explicit folded(const std::string& text, std::optional<int> exit_status = {},
                  std::size_t max_line = limits::line_bytes) {
    struct ignoring : correlator::row_sink {
    } nobody;
    correlator::run_identity identity;
    identity.id = "r";
    correlator::stream_fold fold{std::move(identity), nobody, max_line};
    fold.feed(text);
    if (exit_status) fold.exit_status(*exit_status);
    fold.end();
    exit_status_ = fold.inferred_exit_status();
    rows_ = parse_rows(rows_of("r", text));
    // The run's views with the exit status that `rows_of` does not know.
    for (const auto& run : fold.runs()) {
      std::string view;
      feed::encode(view, run.view(), 0);
      runs_.push_back(parse_rows(view + "\n").at(0));
      std::string all;
      for (feed::row_number row = 0; row < run.rows(); ++row) {
        run.encode(all, row, run.seq(row), feed::cut::at_limit);
        all.push_back('\n');
      }
      for (object& row : parse_rows(all)) settled_.push_back(std::move(row));
    }
  }

  const object& row(std::string_view kind, std::string_view key) const {
    for (const auto* all : {&settled_, &rows_}) {  // lines are in the second only
      for (const object& each : *all) {
        if (each.at("kind") == boost::json::string_view{kind.data(), kind.size()} &&
            each.at("key") == boost::json::string_view{key.data(), key.size()}) {
          return each;
        }
      }
    }
    ADD_FAILURE() << "no " << kind << " " << key;
    static const object none;
    return none;
  }
  const object& resource(std::string_view addr) const { return row("resource", addr); }
  std::string status(std::string_view addr) const {
    return std::string{resource(addr).at("status").as_string()} +
           (resource(addr).at("inferred").as_bool() ? " inferred" : "");
  }
  std::string step(std::string_view addr, std::size_t n) const {
    const auto& step = resource(addr).at("steps").as_array().at(n - 1).as_object();
    return std::string{step.at("action").as_string()} + " " +
           std::string{step.at("status").as_string()} +
           (step.contains("inferred") ? " inferred" : "");
  }
  std::size_t steps(std::string_view addr) const {
    return resource(addr).at("steps").as_array().size();
  }
  std::string run(std::string_view field = "status", std::size_t n = 0) const {
    return std::string{
        runs_.at(n).at(boost::json::string_view{field.data(), field.size()}).as_string()};
  }
  const object& run_row(std::size_t n = 0) const { return runs_.at(n); }
  std::size_t runs() const { return runs_.size(); }
  std::int64_t lines(std::string_view what) const {
    return runs_.at(0)
        .at("lines")
        .at(boost::json::string_view{what.data(), what.size()})
        .as_int64();
  }
  std::size_t count(std::string_view kind) const {
    return static_cast<std::size_t>(
        std::count_if(rows_.begin(), rows_.end(), [&](const object& each) {
          return each.at("kind") == boost::json::string_view{kind.data(), kind.size()};
        }));
  }
  const std::vector<object>& in_order() const { return rows_; }
  int exit_status() const { return exit_status_; }

 private:
  std::vector<object> rows_, settled_, runs_;
  int exit_status_ = 0;
};

}  // namespace tofud::test
