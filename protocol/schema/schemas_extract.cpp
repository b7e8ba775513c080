#include "protocol/schema/schemas_extract.hpp"

#include "protocol/json/quote.hpp"
#include "protocol/limits.hpp"

#include <map>
#include <utility>

namespace tofud::schema {
namespace {

void begin_member(std::string& out, std::string_view key) {
  if (out.back() != '{') out.push_back(',');
  json::append_quoted(out, key);
  out.push_back(':');
}

}  // namespace

struct schemas_extract::state {
  using by_type = std::map<std::string, std::string>;  // to JSON
  std::map<std::string, std::map<section, by_type>> providers;
  std::vector<finding> findings;
  std::size_t bytes = 0;

  void take(const place& where, std::string_view text) {
    if (bytes + text.size() > limits::schemas_bytes) {
      findings.push_back({finding::weight::warning, path_of(where),
                          "is left out: with it, there would be more than " +
                              std::to_string(limits::schemas_bytes / limits::mib) +
                              " MiB of schemas"});
      return;
    }
    bytes += text.size();
    providers[std::string{where.provider}][where.in].insert_or_assign(std::string{where.type},
                                                                      std::string{text});
  }

  std::string document() const {
    std::string out = R"({"format_version":"1.0","provider_schemas":{)";
    for (const auto& [provider, parts] : providers) {
      begin_member(out, provider);
      out.push_back('{');
      for (const auto& [in, types] : parts) {
        begin_member(out, key_of(in));
        if (in == section::provider) {
          out += types.begin()->second;
          continue;
        }
        out.push_back('{');
        for (const auto& [name, text] : types) {
          begin_member(out, name);
          out += text;
        }
        out.push_back('}');
      }
      out.push_back('}');
    }
    return out + "}}\n";
  }
};

schemas_extract::schemas_extract(schemas_scanner::wanted asks)
    : state_{std::make_unique<state>()},
      scanner_{std::move(asks), [into = state_.get()](const place& where, std::string_view text) {
                 into->take(where, text);
               }} {}
schemas_extract::~schemas_extract() = default;
schemas_extract::schemas_extract(schemas_extract&&) noexcept = default;
schemas_extract& schemas_extract::operator=(schemas_extract&&) noexcept = default;

void schemas_extract::feed(std::string_view bytes) { scanner_.feed(bytes); }

schemas_extract::reduced schemas_extract::finish() {
  const auto& of_the_document = scanner_.finish();
  reduced made{state_->document(), std::move(state_->findings)};
  made.findings.insert(made.findings.end(), of_the_document.begin(), of_the_document.end());
  *state_ = {};
  return made;
}

}  // namespace tofud::schema
