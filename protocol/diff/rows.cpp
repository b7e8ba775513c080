#include "protocol/diff/rows.hpp"

#include "protocol/diff/limits.hpp"
#include "protocol/diff/resource_comment.hpp"
#include "protocol/diff/sides.hpp"
#include "protocol/json/quote.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <variant>

namespace tofud::diff {
namespace {

// Something in the tree that has children: a value, or all blocks of one name.
struct place {
  const change* value = nullptr;
  const block_group* group = nullptr;
  bool sensitive = false;                 // all of its group is, labels as well
  std::optional<std::size_t> index = {};  // among elements without keys that are shown
  explicit operator bool() const { return value != nullptr || group != nullptr; }
};

std::string_view name_of(action done) {
  switch (done) {
    case action::none:
      return "none";
    case action::create:
      return "create";
    case action::update:
      return "update";
    case action::remove:
      return "delete";
  }
  return {};
}

action action_of(const block_group& group) {
  action done = action::none;
  bool first = true;
  for (const change& each : group.instances) {
    done = first || done == each.action ? each.action : action::update;
    first = false;
  }
  if (done == action::none && group.before_sensitive != group.after_sensitive)
    done = action::update;
  return done;
}

action action_of(const place& at) {
  return at.group != nullptr ? action_of(*at.group) : at.value->action;
}

std::vector<place> places_of(const std::vector<change>& all, bool sensitive = false) {
  std::vector<place> found;
  for (const change& each : all) {
    found.push_back({&each, nullptr, sensitive});
    if (each.key.empty() || sensitive) found.back().index = found.size() - 1;
  }
  return found;
}

std::vector<place> children_of(const place& at) {
  if (at.group != nullptr)
    return places_of(at.group->instances, at.group->before_sensitive || at.group->after_sensitive);
  if (at.sensitive) return {};
  const auto& what = at.value->what;
  if (const auto* object = std::get_if<object_change>(&what)) return places_of(object->members);
  if (const auto* map = std::get_if<map_change>(&what)) return places_of(map->elements);
  if (const auto* list = std::get_if<list_change>(&what)) return places_of(list->elements);
  if (const auto* set = std::get_if<set_change>(&what)) return places_of(set->elements);
  const auto* block = std::get_if<block_change>(&what);
  if (block == nullptr) return {};
  std::vector<place> found = places_of(block->attributes);
  for (const block_group& each : block->groups) {
    if (!each.instances.empty()) found.push_back({nullptr, &each});
  }
  return found;
}

bool has_keys(const place& at) {
  if (at.group != nullptr) return at.group->labelled;
  return !std::holds_alternative<list_change>(at.value->what) &&
         !std::holds_alternative<set_change>(at.value->what);
}

std::string_view key_of(const place& at) {
  return at.group != nullptr ? at.group->name : at.value->key;
}

place find(place at, const std::vector<std::string>& path) {
  for (const std::string& step : path) {
    const auto children = children_of(at);
    place next;
    if (has_keys(at)) {
      for (const place& each : children)
        if (key_of(each) == step) next = each;
    } else {
      std::size_t index = 0;
      const auto [end, wrong] = std::from_chars(step.data(), step.data() + step.size(), index);
      if (wrong == std::errc{} && end == step.data() + step.size() && index < children.size())
        next = children[index];
    }
    if (!next) return {};
    at = next;
  }
  return at;
}

class writer {
 public:
  explicit writer(const rows_part& part) : part_{part} {}

  void node(const place& at, std::size_t from) {
    ++values_;
    if (at.group != nullptr) {
      out_.append("{\"kind\":\"blocks\"");
      if (at.group->labelled) out_.append(",\"labelled\":true");
      facts(at);
      flag("forces_replacement", at.group->forces_replacement);
      children(at, from);
    } else {
      value(at, from);
    }
    out_.push_back('}');
  }

  std::string take() { return std::move(out_); }

 private:
  void facts(const place& at) {
    if (!key_of(at).empty() && !at.sensitive) {
      out_.append(",\"key\":");
      json::append_quoted_cut(out_, key_of(at), limits::diff_text_bytes);
    }
    if (at.index) out_.append(",\"index\":").append(std::to_string(*at.index));
    const action done = action_of(at);
    out_.append(",\"action\":\"").append(name_of(done)).append("\"");
    if (done == action::none) return;
    if (at.group != nullptr) {
      if (at.group->known != nullptr) words(at.group->known->block);
    } else if (at.value->known != nullptr) {
      words(*at.value->known);
    }
  }
  /// What the schema says to people, of an attribute or a block.
  template <class Described>
  void words(const Described& of) {
    if (!of.description.empty()) text("description", of.description);
    if (of.deprecated) text("deprecated", of.deprecation_message);
  }
  void text(std::string_view name, std::string_view value) {
    out_.append(",\"").append(name).append("\":");
    json::append_quoted_cut(out_, value, limits::card_text_bytes);
  }
  void flag(std::string_view name, bool set) {
    if (set) out_.append(",\"").append(name).append("\":true");
  }
  void number(std::string_view name, std::size_t n) {
    if (n > 0) out_.append(",\"").append(name).append("\":").append(std::to_string(n));
  }

  void kind(const place& at, std::string_view name) {
    out_.append("{\"kind\":\"").append(name).append("\"");
    facts(at);
    flag("forces_replacement", at.value->forces_replacement);
  }

  void value(const place& at, std::size_t from) {
    if (at.sensitive) {
      kind(at, "sensitive");
      return;
    }
    struct visitor {
      writer& self;
      const place& at;
      std::size_t from;

      void operator()(const primitive_change& c) const {
        self.kind(at, "value");
        if (at.value->action != action::create) self.side("before", c.before);
        if (at.value->action != action::remove) self.side("after", c.after);
      }
      void operator()(const object_change&) const { container("object"); }
      void operator()(const map_change&) const { container("map"); }
      void operator()(const list_change&) const { container("list"); }
      void operator()(const set_change&) const { container("set"); }
      void operator()(const block_change&) const { container("block"); }
      void operator()(const unknown_change& c) const {
        self.kind(at, "unknown");
        if (c.before != nullptr) self.inner("before", *c.before);
      }
      void operator()(const sensitive_change& c) const {
        self.kind(at, "sensitive");
        self.flag("becomes", c.after && !c.before);
        self.flag("was", c.before && !c.after);
      }
      void operator()(const type_change& c) const {
        self.kind(at, "type");
        self.inner("before", *c.before);
        self.inner("after", *c.after);
      }
      void operator()(const write_only_change&) const { self.kind(at, "write_only"); }
      void container(std::string_view name) const {
        self.kind(at, name);
        self.children(at, from);
      }
    };
    std::visit(visitor{*this, at, from}, at.value->what);
  }

  void inner(std::string_view name, const change& of) {
    out_.append(",\"").append(name).append("\":");
    node({&of, nullptr}, 0);
  }

  void side(std::string_view name, json::value of) {
    out_.append(",\"").append(name).append("\":");
    if (of.is(json::kind::string)) {
      const std::size_t written = json::append_quoted_cut(out_, of.text(), limits::diff_text_bytes);
      if (written < of.text().size()) number(std::string{name} + "_bytes", of.text().size());
    } else if (is_nil(of)) {
      out_.append("null");
    } else {
      of.append_json(out_);
    }
  }

  void children(const place& at, std::size_t from) {
    const auto all = children_of(at);

    std::size_t told = 0, unchanged = 0, more = 0;
    std::size_t next = 0;  // the first that was left out
    out_.append(",\"children\":[");
    for (std::size_t i = from; i < all.size(); ++i) {
      if (!part_.unchanged && action_of(all[i]) == action::none) {
        ++unchanged;
        continue;
      }
      if (told == limits::diff_children || values_ >= limits::diff_values ||
          depth_ == limits::diff_depth) {
        if (more++ == 0) next = i;
        continue;
      }
      if (told++ > 0) out_.push_back(',');
      ++depth_;
      node(all[i], 0);
      --depth_;
    }
    out_.push_back(']');
    number("unchanged", unchanged);
    number("more", more);
    number("next", next);
  }

  const rows_part& part_;
  std::string out_;
  std::size_t values_ = 0, depth_ = 0;
};

std::string_view name_of(plan::planned_action done) {
  using plan::planned_action;
  switch (done) {
    case planned_action::none:
      return "no-op";
    case planned_action::create:
      return "create";
    case planned_action::read:
      return "read";
    case planned_action::update:
      return "update";
    case planned_action::remove:
      return "delete";
    case planned_action::remove_then_create:
      return "delete,create";
    case planned_action::create_then_remove:
      return "create,delete";
    case planned_action::forget:
      return "forget";
    case planned_action::forget_then_create:
      return "forget,create";
    case planned_action::unknown:
      return "unknown";
  }
  return {};
}

void append_member(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out.append(",\"").append(name).append("\":");
  json::append_quoted_cut(out, value, limits::diff_text_bytes);
}

}  // namespace

std::string row_of(const change& tree, const rows_part& part) {
  const place at = find({&tree, nullptr}, part.path);
  if (!at) return {};
  writer out{part};
  out.node(at, part.from);
  return out.take();
}

std::string row_of(const resource_diff& resource, bool drift, const rows_part& part) {
  const std::string body = row_of(resource.tree, part);
  if (body.empty()) return {};
  const plan::resource_change& about = resource.about;
  std::string out = "{\"kind\":\"resource\"";
  append_member(out, "address", about.address);
  append_member(out, "deposed", about.deposed);
  append_member(out, "previous_address", moves(about) ? about.previous_address : "");
  append_member(out, "mode", about.mode);
  append_member(out, "type", about.type);
  append_member(out, "action", name_of(about.change.action));
  append_member(out, "reason", about.action_reason);
  if (drift) out.append(",\"drift\":true");
  if (about.change.importing) out.append(",\"importing\":true");
  if (!resource.has_schema) out.append(",\"schema\":false");
  return out.append(",\"body\":").append(body).append("}");
}

}  // namespace tofud::diff
