// Any bytes as documents that somebody attaches to a run: plan, schemas and configuration, each
// alone and beside the others. What is taken is read again, drawn and redacted; a planted secret is
// in none of it.
#include "daemon/attachments/documents.hpp"
#include "daemon/attachments/files.hpp"
#include "daemon/files/memory_file.hpp"
#include "daemon/serve/sent_attachment.hpp"
#include "protocol/redact/line_redactor.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

namespace tofud::serve {
namespace {

constexpr std::string_view secret = "hunter22";
constexpr std::size_t markdown_room = 4000;

void demand(bool holds, std::string_view what, std::string_view seen) {
  if (holds) return;
  std::cerr << what << ": " << seen.substr(0, 4000) << "\n";
  std::abort();
}

const std::shared_ptr<const redact::ready_rules>& rules() {
  static const auto made = std::make_shared<const redact::ready_rules>(
      redact::rules{{{"A", std::string{secret}}}, "salt", redact::provisioner_output::mask});
  return made;
}

/// Reads what was kept, as a daemon's fold does, and draws all of it.
void read_again(feed::attachment part, const std::string& text, attachments::documents& known) {
  auto file = files::memory_file::of(text);
  demand(file.has_value(), "a memory file", "");
  const auto failure = known.add(part, file->path());
  demand(failure.empty(), "what was kept can't be read: " + failure.text(), text);
  if (part != feed::attachment::plan) return;
  std::string all;
  const auto rows = known.all_rows();
  while (rows(all)) {
  }
  demand(all.find(secret) == std::string::npos, "a secret in a row", all);
  std::string comment;
  if (known.add_markdown(comment, markdown_room, rules()).empty()) {
    demand(comment.size() <= markdown_room, "a comment that is too long", comment);
    demand(comment.find(secret) == std::string::npos, "a secret in a comment", comment);
  }
}

void take(feed::attachment part, std::string_view body, const beside_attachment& beside) {
  const made_attachment made = make_attachment(part, body, beside, rules());
  if (made.files.empty()) return demand(!made.wrong.sentence.empty(), "no word why", body);
  attachments::documents known;
  for (const auto& [name, text] : made.files) {
    demand(text.find(secret) == std::string::npos, "a secret in " + name, text);
    for (const auto each :
         {feed::attachment::plan, feed::attachment::schemas, feed::attachment::config}) {
      if (name == attachments::file_name(each)) read_again(each, text, known);
    }
  }
}

}  // namespace
}  // namespace tofud::serve

// Up to the first NUL a plan, then schemas, then a configuration.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using tofud::feed::attachment;
  std::string_view rest{reinterpret_cast<const char*>(data), size};
  const auto next = [&rest] {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  const std::string_view plan = next(), schemas = next(), config = next();
  tofud::serve::take(attachment::plan, plan, {});
  if (!schemas.empty()) {
    tofud::serve::take(attachment::schemas, schemas, {});
    const auto made = tofud::serve::make_attachment(attachment::plan, plan, {}, nullptr);
    if (!made.files.empty())
      tofud::serve::take(attachment::schemas, schemas, {made.files.front().second, ""});
  }
  if (!config.empty()) tofud::serve::take(attachment::config, config, {});
  return 0;
}
