#include "tests/bench/path_steps.hpp"

#include "daemon/spool/recording.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/redact/stream_redactor.hpp"
#include "tests/paths.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace tofud::bench {

std::string recorded(const std::string& scenario) {
  const auto path = std::filesystem::path{TEST_RECORDINGS} / scenario / "stream.jsonl.gz";
  const auto found = spool::recording::open(path.string());
  if (!found) {
    std::fprintf(stderr, "%s\n", found.error().text().c_str());
    std::exit(2);
  }
  return std::string{found->bytes()};
}

std::size_t parse(const std::string& bytes) {
  ui::message_parser parser;
  std::size_t messages = 0;
  split(bytes, [&](std::string_view line) { messages += parser.parse(line).head ? 1 : 0; });
  return messages;
}

std::size_t redact(const std::string& bytes) {
  redact::rules rules;
  rules.salt = "sixteen bytes...";
  for (int i = 0; i < 20; ++i) {
    rules.secrets.push_back({"NAME", "s3cr3t-" + std::to_string(i * 7919) + "-value/of+one"});
  }
  redact::stream_redactor redactor{rules};
  std::string out;
  std::size_t size = 0;
  for (std::size_t at = 0; at < bytes.size(); at += limits::read_bytes) {
    out.clear();
    redactor.feed(std::string_view{bytes}.substr(at, limits::read_bytes), out);
    size += out.size();
  }
  return size;
}

correlator::run_identity folded_run::identity() {
  correlator::run_identity identity;
  identity.id = "20261121T0312-7f3a";
  return identity;
}

void folded_run::feed(const std::string& bytes) {
  fold_.feed(bytes);
  fold_.end();
}

void encode(const correlator::run_state& run, std::string& out) {
  out.clear();
  for (feed::row_number row = 0; row < run.rows(); ++row) {
    run.encode(out, row, run.seq(row), feed::cut::at_limit);
  }
}

}  // namespace tofud::bench
