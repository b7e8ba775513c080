#include "protocol/schema/schemas_scanner.hpp"

#include "protocol/json/limits.hpp"
#include "protocol/json/path.hpp"
#include "protocol/json/raw_text.hpp"
#include "protocol/schema/limits.hpp"
#include "protocol/text/sizes.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tofud::schema {
namespace {

using json_error = boost::json::error;
using boost::json::error_code;
using boost::json::string_view;

struct named_section {
  section in;
  std::string_view key;
};

constexpr std::array sections = {
    named_section{section::provider, "provider"},
    named_section{section::resource, "resource_schemas"},
    named_section{section::data_source, "data_source_schemas"},
    named_section{section::ephemeral_resource, "ephemeral_resource_schemas"},
    named_section{section::identity, "resource_identity_schemas"},
};

std::optional<section> section_of(std::string_view key) {
  for (const named_section& each : sections) {
    if (each.key == key) return each.in;
  }
  return std::nullopt;
}

// The callbacks of Boost.JSON's parser. The path to a schema has the keys "provider_schemas", a
// provider, a section and (except in the provider's own) a type.
class handler {
 public:
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);

  handler(schemas_scanner::wanted asks, schemas_scanner::take takes)
      : asks_{std::move(asks)}, takes_{std::move(takes)} {}

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }

  bool on_object_begin(error_code& ec) {
    if (copying_) return open('{');
    if (at_value()) {
      if (begin_copy()) return open('{');
      ++on_path_;  // nobody reads a key as deep as in a schema
    }
    ++depth_;
    return check_root(true, ec);
  }
  bool on_object_end(std::size_t, error_code&) { return close('}'); }
  bool on_array_begin(error_code& ec) {
    if (copying_) return open('[');
    if (!check_object(ec)) return false;
    ++depth_;
    return check_root(false, ec);
  }
  bool on_array_end(std::size_t, error_code&) { return close(']'); }

  bool on_key_part(string_view s, std::size_t, error_code& ec) { return key_part(s, ec); }
  bool on_key(string_view s, std::size_t, error_code& ec) {
    if (!key_part(s, ec)) return false;
    if (copying_) {
      copy_.key(part_);
      part_.clear();
      return fits();
    }
    if (reads_key()) take_key();
    return true;
  }

  bool on_string_part(string_view s, std::size_t, error_code&) { return value_part(s); }
  bool on_string(string_view s, std::size_t, error_code& ec) {
    value_part(s);
    if (copying_) {
      copy_.string(part_);
      part_.clear();
      return fits();
    }
    if (reads_version()) version = std::exchange(part_, {});
    return check_object(ec) && check_root(false, ec);
  }
  bool on_number_part(string_view s, error_code&) { return value_part(s); }
  bool on_int64(std::int64_t, string_view s, error_code& ec) { return scalar(s, ec); }
  bool on_uint64(std::uint64_t, string_view s, error_code& ec) { return scalar(s, ec); }
  bool on_double(double, string_view s, error_code& ec) { return scalar(s, ec); }
  bool on_bool(bool b, error_code& ec) { return scalar(b ? "true" : "false", ec); }
  bool on_null(error_code& ec) {
    if (copying_) return scalar("null", ec);
    part_.clear();
    return check_root(false, ec);  // below the root: nothing of that kind
  }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

  std::vector<finding> findings;
  std::optional<std::string> version;  // of the format
  schemas_scanner::document what = schemas_scanner::document::unknown;
  bool begun = false;
  bool has_members = false, only_version = false;  // of the root

 private:
  // Whether a value that comes now is the one under the last key of the path.
  bool at_value() const { return on_path_ == depth_; }
  // Keys are read in objects that are themselves on the path.
  bool reads_key() const {
    return !copying_ && at_value() && (depth_ == 1 || (in_schemas_ && depth_ >= 2 && depth_ <= 4));
  }
  bool reads_version() const { return depth_ == 1 && at_value() && root_key_ == "format_version"; }

  bool key_part(string_view s, error_code& ec) {
    if (copying_ || reads_key()) part_.append(s.data(), s.size());
    if (copying_) return fits();
    if (part_.size() <= limits::schema_name_bytes) return true;
    return fail(path_to(depth_ - 1),
                "has a name of more than " + std::to_string(limits::schema_name_bytes) + " bytes",
                ec);
  }

  bool value_part(string_view s) {
    if (copying_ || (reads_version() && part_.size() < limits::schema_name_bytes)) {
      part_.append(s.data(), s.size());
    }
    return fits();
  }

  bool scalar(string_view s, error_code& ec) {
    if (copying_) {
      part_.append(s.data(), s.size());
      copy_.scalar(part_);
      part_.clear();
      return fits();
    }
    part_.clear();
    return check_object(ec) && check_root(false, ec);
  }

  void take_key() {
    std::string key = std::exchange(part_, {});
    switch (depth_) {
      case 1:
        root_key_ = std::move(key);
        only_version = root_key_ == "format_version" && (only_version || !has_members);
        has_members = true;
        in_schemas_ = root_key_ == "provider_schemas";
        if (in_schemas_) what = schemas_scanner::document::provider_schemas;
        if (root_key_ == "provider" && what == schemas_scanner::document::unknown) {
          what = schemas_scanner::document::specification;
        }
        break;
      case 2:
        provider_ = std::move(key);
        break;
      case 3:
        section_ = section_of(key);
        section_key_ = std::move(key);
        break;
      default:
        type_ = std::move(key);
    }
  }

  // Whether the value under the last key is a schema.
  bool is_schema() const {
    if (!in_schemas_ || !section_) return false;
    return *section_ == section::provider ? depth_ == 3 : depth_ == 4;
  }

  place here() const {
    return {provider_, *section_,
            *section_ == section::provider ? std::string_view{} : std::string_view{type_}};
  }

  bool begin_copy() {
    if (!is_schema() || !asks_(here())) return false;
    copying_ = true;
    copied_from_ = depth_;
    return true;
  }

  bool open(char bracket) {
    ++depth_;
    copy_.open(bracket);
    return fits();
  }

  bool close(char bracket) {
    --depth_;
    on_path_ = std::min(on_path_, depth_);
    if (!copying_) return true;
    copy_.close(bracket);
    if (depth_ == copied_from_) {
      copying_ = false;
      takes_(here(), copy_.text());
      copy_.clear(limits::mib);
    }
    return true;
  }

  // Gives up a schema that is too large: the rest of it is passed over.
  bool fits() {
    if (!copying_ || copy_.text().size() + part_.size() <= limits::schema_bytes) return true;
    findings.push_back({finding::weight::warning, path_of(here()),
                        "has more than " + std::to_string(limits::schema_bytes / limits::mib) +
                            " MiB and is ignored"});
    copying_ = false;
    on_path_ = copied_from_;
    part_ = {};
    copy_.clear(0);
    return true;
  }

  // The last keys of the first `depth` objects.
  std::string path_to(std::size_t depth) const {
    std::string path = depth >= 1 ? root_key_ : std::string{};
    if (depth >= 2) path = json::path_of_member(path, provider_);
    if (depth >= 3) path = json::path_of_member(path, section_key_);
    if (depth >= 4) path = json::path_of_member(path, type_);
    return path;
  }

  // What is on the path, schemas included, has to be an object. For a value that is none.
  bool check_object(error_code& ec) {
    if (!at_value() || !in_schemas_ || (depth_ >= 3 && !section_)) return true;
    const std::size_t deepest = section_ == section::provider ? 3 : 4;
    if (depth_ == 0 || depth_ > deepest) return true;
    return fail(path_to(depth_), "is not an object", ec);
  }

  // Called behind the first event of each value; the first one of all is the document.
  bool check_root(bool is_object, error_code& ec) {
    if (std::exchange(begun, true) || is_object) return true;
    return fail({}, "the document is not an object", ec);
  }

  bool fail(std::string where, std::string what_is_wrong, error_code& ec) {
    findings.push_back({finding::weight::error, std::move(where), std::move(what_is_wrong)});
    ec = json_error::incomplete;  // any: the finding says what it was
    return false;
  }

  schemas_scanner::wanted asks_;
  schemas_scanner::take takes_;
  std::string root_key_, provider_, section_key_, type_;
  std::optional<section> section_;
  std::string part_;  // of a key, string or number that is kept
  json::raw_text copy_;
  std::size_t depth_ = 0;    // objects and arrays that are open
  std::size_t on_path_ = 0;  // of these, from the root on, objects under the last keys
  std::size_t copied_from_ = 0;
  bool in_schemas_ = false, copying_ = false;
};

boost::json::parse_options options() {
  boost::json::parse_options chosen;
  chosen.max_depth = limits::json_depth;
  return chosen;
}

}  // namespace

std::string_view key_of(section of) {
  const auto* found = std::find_if(sections.begin(), sections.end(),
                                   [of](const named_section& each) { return each.in == of; });
  return found->key;
}

std::string path_of(const place& where) {
  const std::string path = json::path_of_member(
      json::path_of_member("provider_schemas", where.provider), key_of(where.in));
  return where.in == section::provider ? path : json::path_of_member(path, where.type);
}

struct schemas_scanner::state {
  state(wanted asks, take takes) : parser{options(), std::move(asks), std::move(takes)} {}

  boost::json::basic_parser<handler> parser;
  std::size_t lines = 1, column = 1;  // of the next byte
  bool ended = false;                 // by an error

  void pass(std::string_view bytes) {
    const auto newlines = std::count(bytes.begin(), bytes.end(), '\n');
    lines += static_cast<std::size_t>(newlines);
    column = newlines == 0 ? column + bytes.size() : bytes.size() - bytes.rfind('\n');
  }

  void fail(const std::string& what) {
    parser.handler().findings.push_back(
        {finding::weight::error, std::to_string(lines) + ":" + std::to_string(column), what});
  }

  void parse(std::string_view bytes, bool more) {
    const std::size_t before = parser.handler().findings.size();
    error_code ec;
    const std::size_t used = parser.write_some(more, bytes.data(), bytes.size(), ec);
    pass(bytes.substr(0, used));
    ended = ec || used < bytes.size();
    const auto& found = parser.handler().findings;
    const bool is_told = found.size() > before && found.back().of == finding::weight::error;
    if (!ended || is_told) return;
    if (!parser.handler().begun) return fail("no JSON");
    if (ec == json_error::incomplete) return fail("ends in the middle of a value");
    if (ec == json_error::too_deep) return fail("JSON nested too deep");
    if (!ec) return fail("there is more after the end of the document");
    fail("invalid JSON (" + ec.message() + ")");
  }
};

schemas_scanner::schemas_scanner(wanted asks, take takes)
    : state_{std::make_unique<state>(std::move(asks), std::move(takes))} {}
schemas_scanner::~schemas_scanner() = default;
schemas_scanner::schemas_scanner(schemas_scanner&&) noexcept = default;
schemas_scanner& schemas_scanner::operator=(schemas_scanner&&) noexcept = default;

void schemas_scanner::feed(std::string_view bytes) {
  if (!state_->ended && !bytes.empty()) state_->parse(bytes, true);
}

schemas_scanner::document schemas_scanner::what() const { return state_->parser.handler().what; }

const std::vector<finding>& schemas_scanner::finish() {
  auto& handler = state_->parser.handler();
  if (state_->ended) return handler.findings;
  state_->parse({}, false);
  if (std::exchange(state_->ended, true)) return handler.findings;
  // Of a configuration without providers OpenTofu prints nothing else (recording of 1.12.6).
  if (handler.only_version) handler.what = document::provider_schemas;
  if (what() != document::provider_schemas) return handler.findings;
  const std::string version = handler.version.value_or("");
  if (version == "1" || version.starts_with("1.")) return handler.findings;
  handler.findings.push_back({finding::weight::error, "format_version",
                              version.empty()
                                  ? "is missing; give the output of `tofu providers schema -json`"
                                  : "is " + version + ", but this tofud knows only 1"});
  return handler.findings;
}

}  // namespace tofud::schema
