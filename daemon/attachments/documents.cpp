#include "daemon/attachments/documents.hpp"

#include "daemon/attachments/errors.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/operations/held_memory.hpp"
#include "protocol/diff/markdown.hpp"
#include "protocol/diff/plan_lines.hpp"
#include "protocol/diff/resource_diff.hpp"
#include "protocol/json/document.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/redact/document_redactor.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "protocol/text/sizes.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <atomic>
#include <fstream>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

namespace tofud::attachments {
namespace {

using feed::attachment;

/// Where the text of one change stands in the plan's file.
struct change_place {
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
  bool drift = false;
};

text::result<schema::schemas> schemas_in(const std::string& path, std::size_t& bytes) {
  const auto text = files::read_document(path, limits::attached_schemas_bytes);
  if (!text) return text.error();
  json::document_parser parser{json::keep_everything};
  std::string_view all = *text;
  bytes = all.size();
  while (all.ends_with('\n')) all.remove_suffix(1);
  if (const auto wrong = parser.parse(all))
    return text::failure{error::bad_document, path, json::describe(*wrong)};
  auto read = schema::read_provider_schemas(parser.root());
  if (!read) return text::failure{error::bad_document, path, read.error()};
  return std::move(*read);
}

/// A plan, its text and its lines, which go together.
struct rows_of_plan {
  std::shared_ptr<const std::string> text;
  plan::document document;
  std::shared_ptr<const schema::schemas> schemas;
  std::string piece;
  std::optional<diff::plan_lines> lines;
};

/// Some hundred microseconds of work.
constexpr std::size_t piece_bytes = 64 * limits::kib;

}  // namespace

struct documents::state {
  std::uint64_t version = 0;
  std::string plan_path;
  std::shared_ptr<const plan_facts> plan;
  std::shared_ptr<const order::plan_knowledge> order;
  std::shared_ptr<const config_facts> config;
  using place_map = boost::unordered_flat_map<std::string, std::vector<change_place>>;
  std::shared_ptr<const place_map> places = std::make_shared<const place_map>();
  std::shared_ptr<const schema::schemas> schemas;
  std::shared_ptr<const redact::ready_rules> hidden;
  std::array<std::size_t, feed::attachments> read_bytes{};  // by part

  text::failure add_plan(const std::string& path) {
    const auto text = files::read_document(path, limits::attached_plan_bytes);
    if (!text) return text.error();
    const auto document = plan::read(*text);
    if (!document) return {error::bad_document, path, document.error()};
    auto facts = plan_facts::read(*document);
    if (!facts) return {error::bad_document, path, facts.error()};
    if (auto wrong = find_places(*text, *document); !wrong.empty())
      return {error::bad_document, path, wrong};
    plan = std::make_shared<const plan_facts>(std::move(*facts));
    order = std::make_shared<const order::plan_knowledge>(order::knowledge_in(*document));
    plan_path = path;
    shared_text = std::make_shared<text_in_use>();
    read_bytes[static_cast<std::size_t>(attachment::plan)] = text->size();
    return {};
  }

  text::failure find_places(const std::string& text, const plan::document& document) {
    auto found = std::make_shared<place_map>();
    plan::part parsed;
    for (const bool drift : {true, false}) {
      for (const std::string_view each :
           drift ? document.resource_drift : document.resource_changes) {
        const auto about = diff::read(parsed, each, "a change");
        if (!about) return about.error();
        (*found)[std::string{about->address}].push_back(
            {static_cast<std::uint64_t>(each.data() - text.data()), each.size(), drift});
      }
    }
    places = std::move(found);
    return {};
  }

  text::failure add_config(const std::string& path) {
    const auto text = files::read_document(path, limits::attached_config_bytes);
    if (!text) return text.error();
    auto read = config_facts::read(*text);
    if (!read) return {error::bad_document, path, read.error()};
    config = std::make_shared<const config_facts>(std::move(*read));
    read_bytes[static_cast<std::size_t>(attachment::config)] = text->size();
    return {};
  }

  text::failure add_schemas(const std::string& path) {
    std::size_t bytes = 0;
    auto read = schemas_in(path, bytes);
    if (!read) return read.error();
    schemas = std::make_shared<const schema::schemas>(std::move(*read));
    read_bytes[static_cast<std::size_t>(attachment::schemas)] = bytes;
    return {};
  }

  /// One text for all who read it at a time; empty: it can't be read.
  std::shared_ptr<const std::string> plan_text() const {
    const std::lock_guard lock{shared_text->mutex};
    if (auto there = shared_text->text.lock()) return there;
    auto read = files::read_document(plan_path, limits::attached_plan_bytes);
    auto counted = std::make_shared<const counted_text>(text::or_empty(std::move(read)));
    std::shared_ptr<const std::string> made{counted, &counted->text};
    shared_text->text = made;
    return made;
  }

  struct counted_text {
    explicit counted_text(std::string all)
        : text{std::move(all)}, held{operations::memory_for::answers, text.capacity()} {}
    const std::string text;
    const operations::held_memory held;
  };
  struct text_in_use {
    std::mutex mutex;
    std::weak_ptr<const std::string> text;
  };
  std::shared_ptr<text_in_use> shared_text = std::make_shared<text_in_use>();

  diff::knowledge known() const { return {schemas.get(), diff::sensitivity::plan_and_schema}; }
};

documents::documents() : state_{std::make_shared<state>()} {}
documents::~documents() = default;

/// A state of our own, to be changed.
documents::state& documents::changed() {
  static std::atomic<std::uint64_t> versions{0};
  auto made = std::make_shared<state>(*state_);
  made->version = ++versions;
  state& own = *made;
  state_ = std::move(made);
  return own;
}

std::size_t documents::memory() const {
  const auto& bytes = state_->read_bytes;
  return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
}

std::uint64_t documents::version() const { return state_->version; }

text::result<documents::read_part> documents::read(attachment part, const std::string& path) {
  auto made = std::make_shared<state>();
  text::failure wrong;
  switch (part) {
    case attachment::plan:
      wrong = made->add_plan(path);
      break;
    case attachment::schemas:
      wrong = made->add_schemas(path);
      break;
    case attachment::config:
      wrong = made->add_config(path);
      break;
  }
  if (!wrong.empty()) return wrong;
  read_part read;
  read.part_ = part;
  read.read_ = std::move(made);
  return read;
}

void documents::add(const read_part& part) {
  const state& from = *part.read_;
  state& to = changed();
  const auto which = static_cast<std::size_t>(part.part_);
  to.read_bytes.at(which) = from.read_bytes.at(which);
  switch (part.part_) {
    case attachment::plan:
      to.plan = from.plan;
      to.order = from.order;
      to.plan_path = from.plan_path;
      to.places = from.places;
      to.shared_text = from.shared_text;
      return;
    case attachment::schemas:
      to.schemas = from.schemas;
      return;
    case attachment::config:
      to.config = from.config;
      return;
  }
}

text::failure documents::add(attachment part, const std::string& path) {
  const auto made = read(part, path);
  if (!made) return made.error();
  add(*made);
  return {};
}

bool documents::has(attachment part) const {
  switch (part) {
    case attachment::plan:
      return state_->plan != nullptr;
    case attachment::schemas:
      return state_->schemas != nullptr;
    case attachment::config:
      break;
  }
  return state_->config != nullptr;
}

std::size_t documents::bytes(attachment part) const {
  return state_->read_bytes.at(static_cast<std::size_t>(part));
}

std::shared_ptr<const plan_facts> documents::plan() const { return state_->plan; }
std::shared_ptr<const order::plan_knowledge> documents::order() const { return state_->order; }
std::shared_ptr<const config_facts> documents::config() const { return state_->config; }
std::shared_ptr<const schema::schemas> documents::schemas() const { return state_->schemas; }
std::shared_ptr<const redact::ready_rules> documents::hidden() const { return state_->hidden; }

void documents::hide(std::shared_ptr<const redact::ready_rules> values) {
  changed().hidden = std::move(values);
}

text::result<std::vector<std::string>> documents::diff(std::string_view address,
                                                       const diff::rows_part& part) const {
  std::vector<std::string> rows;
  const auto found = state_->places->find(std::string{address});
  if (found == state_->places->end()) return rows;
  std::ifstream file{state_->plan_path, std::ios::binary};
  std::string text;
  plan::part parsed;
  for (const change_place& place : found->second) {
    text.resize(place.bytes);
    file.seekg(static_cast<std::streamoff>(place.offset));
    if (!file.read(text.data(), static_cast<std::streamsize>(text.size())))
      return text::failure{error::plan_gone};
    const auto change = diff::compute(parsed, text, "the change", state_->known());
    if (!change) return change.error();
    std::string row = diff::row_of(*change, place.drift, part);
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

std::function<bool(std::string& out)> documents::all_rows(
    const std::shared_ptr<const redact::ready_rules>& by) const {
  auto all = std::make_shared<rows_of_plan>();
  all->text = state_->plan_text();
  if (by)
    all->text = std::make_shared<const std::string>(redact::redacted_document(*all->text, by));
  const auto document = plan::read(*all->text);
  if (!document) return [](std::string&) { return false; };
  all->document = *document;
  diff::plan_drawing wanted;
  wanted.known = state_->known();
  all->schemas = state_->schemas;
  // It points to itself, and lives as long as the function.
  all->lines.emplace(all->document, wanted, diff::line_form::rows,
                     [to = all.get()](std::string_view line) { to->piece.append(line); });
  return [all](std::string& out) {
    bool more = true;
    while (more && all->piece.size() < piece_bytes) {
      const auto went_on = all->lines->next();
      more = went_on && *went_on;
    }
    out.append(std::exchange(all->piece, {}));
    return more;
  };
}

text::failure documents::add_markdown(std::string& out, std::size_t room,
                                      const std::shared_ptr<const redact::ready_rules>& by) const {
  auto text = files::read_document(state_->plan_path, limits::attached_plan_bytes);
  if (!text) return text.error();
  if (by) *text = redact::redacted_document(*text, by);
  const auto plan = plan::read(*text);
  if (!plan) return plan.error();
  diff::plan_drawing wanted;
  wanted.known = state_->known();
  const auto drawn = diff::draw_markdown(*plan, wanted, out, room);
  if (!drawn) return drawn.error();
  return {};
}

}  // namespace tofud::attachments
