// Any bytes as a whole stream with secrets in it: what a daemon keeps of it, the rows it sends and
// the documents it makes have none of them.
#include "daemon/exports/exported_document.hpp"
#include "daemon/exports/exported_runs.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/final_rows.hpp"
#include "protocol/redact/stream_redactor.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

namespace tofud {
namespace {

constexpr std::string_view secret = "hunter22-planted";
constexpr std::string_view key = "AKIAIOSFODNN7EXAMPLE";

void demand_none(std::string_view where, std::string_view made) {
  for (const std::string_view each : {secret, key}) {
    if (made.find(each) == std::string_view::npos) continue;
    std::cerr << each << " in " << where << ": " << made.substr(0, 8000) << "\n";
    std::abort();
  }
}

/// Each NUL and the byte 1 stand for one of the secrets, so that the search finds them everywhere.
/// A key is known by its looks, which it only has as a word of its own.
std::string planted(std::string_view bytes) {
  std::string stream;
  for (const char byte : bytes) {
    if (byte == '\0')
      stream += secret;
    else if (byte == '\1')
      stream.append(" ").append(key).append(" ");
    else
      stream += byte;
  }
  return stream;
}

}  // namespace
}  // namespace tofud

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud;
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0];
  const std::string_view given{reinterpret_cast<const char*>(data) + 1, size - 1};
  if (given.find(key) != given.npos) return 0;  // in the middle of a word it is no key
  const std::string stream = planted(given);
  const auto rules = std::make_shared<const redact::ready_rules>(
      redact::rules{{{"A", std::string{secret}}}, "salt", redact::provisioner_output::mask});
  redact::stream_redactor redactor{rules};
  std::string kept;
  for (std::size_t at = 0; at < stream.size(); at += piece)
    redactor.feed(std::string_view{stream}.substr(at, piece), kept);
  redactor.finish(kept);
  demand_none("what is kept", kept);
  correlator::run_identity identity;
  identity.id = "R";
  pipeline::engine rows{identity};
  const pipeline::final_rows held{rows};
  rows.feed(kept);
  rows.end();
  std::string sent;
  held.write([&sent](std::string_view bytes) {
    sent.append(bytes);
    return true;
  });
  demand_none("a row", sent);
  const auto runs = exports::exported_runs(rows.fold());
  for (const auto format : {exports::document_format::csv, exports::document_format::junit,
                            exports::document_format::trace, exports::document_format::markdown}) {
    demand_none("a document",
                exports::exported_document(format, runs, [](std::string&, std::size_t) {}));
  }
  return 0;
}
