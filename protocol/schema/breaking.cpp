#include "protocol/schema/breaking.hpp"

#include "protocol/json/quote.hpp"
#include "protocol/schema/human.hpp"
#include "protocol/schema/provider_address.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tofud::schema {
namespace {

constexpr std::array words = {std::string_view{"gone"},          std::string_view{"older_version"},
                              std::string_view{"needed"},        std::string_view{"read_only"},
                              std::string_view{"not_computed"},  std::string_view{"other_syntax"},
                              std::string_view{"other_nesting"}, std::string_view{"other_type"},
                              std::string_view{"more_blocks"},   std::string_view{"fewer_blocks"},
                              std::string_view{"sensitive"},     std::string_view{"write_only"},
                              std::string_view{"other_default"}, std::string_view{"replaces"},
                              std::string_view{"validated"},     std::string_view{"deprecated"}};

bool is_many(nesting of) { return of != nesting::single && of != nesting::group; }

schema_step step_to(const std::string& name, nesting of) {
  return {name, is_many(of), of == nesting::map};
}

schema_step step_to(const attribute& one) {
  if (one.nested) return step_to(one.name, one.nested->nesting);
  return {one.name};
}

/// The type of the values, whether it is nested attributes that make it or one type.
type type_of(const attribute& one) {
  if (!one.nested) return one.type;
  type object{type::kind::object};
  for (const attribute& each : one.nested->attributes)
    object.members.push_back({each.name, type_of(each)});
  switch (one.nested->nesting) {
    case nesting::single:
    case nesting::group:
      return object;
    case nesting::list: {
      type many{type::kind::list};
      many.elements.push_back(std::move(object));
      return many;
    }
    case nesting::set: {
      type many{type::kind::set};
      many.elements.push_back(std::move(object));
      return many;
    }
    case nesting::map:
      break;
  }
  type many{type::kind::map};
  many.elements.push_back(std::move(object));
  return many;
}

/// Whatever was given before may be given now.
bool takes_all_of(const type& now, const type& before) {
  return now.what == type::kind::dynamic || now == before;
}

bool can_be_given(const attribute& one) { return one.required || one.optional; }

/// Compares one schema; all that it finds is of one place in the document.
class comparison {
 public:
  comparison(breaking_change at, both_say comparable, std::vector<breaking_change>& found)
      : at_{std::move(at)}, comparable_{comparable}, found_{found} {}

  void compare(const object_schema& before, const object_schema& after) {
    if (comparable_.numbers && after.version < before.version)
      add(breakage::older_version, "version " + std::to_string(before.version),
          "version " + std::to_string(after.version));
    deprecation(before.block.deprecated, after.block.deprecated, after.block.deprecation_message);
    compare(before.block, after.block);
  }

 private:
  breaking_change& add(breakage what, std::string_view was = {}, std::string_view is = {}) {
    breaking_change& made = found_.emplace_back(at_);
    made.what = what;
    made.was = was;
    made.is = is;
    return made;
  }

  void deprecation(bool before, bool after, const std::string& message) {
    if (after && !before) add(breakage::deprecated, {}, message);
  }

  /// `inside` is called with the path one step longer.
  template <class Inside>
  void at(schema_step step, bool is_block, const Inside& inside) {
    const bool outer = std::exchange(at_.is_block, is_block);
    at_.path.push_back(std::move(step));
    inside();
    at_.path.pop_back();
    at_.is_block = outer;
  }

  void compare(const block& before, const block& after) {
    for (const attribute& one : before.attributes) {
      at(step_to(one), false, [&] {
        const attribute* now = find_attribute(after.attributes, one.name);
        if (now != nullptr) return compare(one, *now);
        const bool is_block_now = find_block(after, one.name) != nullptr;
        if (is_block_now) add(breakage::other_syntax, "an attribute", "a block");
        if (!is_block_now) add(breakage::gone);
      });
    }
    for (const block_type& one : before.blocks) {
      at(step_to(one.name, one.nesting), true, [&] {
        const block_type* now = find_block(after, one.name);
        if (now != nullptr) return compare(one, *now);
        const bool is_attribute_now = find_attribute(after.attributes, one.name) != nullptr;
        if (is_attribute_now) add(breakage::other_syntax, "a block", "an attribute");
        if (!is_attribute_now) add(breakage::gone);
      });
    }
    for (const attribute& one : after.attributes) {
      const bool is_new = find_attribute(before.attributes, one.name) == nullptr &&
                          find_block(before, one.name) == nullptr;
      if (is_new && one.required) at(step_to(one), false, [&] { add(breakage::needed); });
    }
    for (const block_type& one : after.blocks) {
      if (!comparable_.numbers) break;
      const bool is_new = find_block(before, one.name) == nullptr &&
                          find_attribute(before.attributes, one.name) == nullptr;
      if (!is_new || one.least == 0) continue;
      at(step_to(one.name, one.nesting), true, [&] { more_blocks(0, one.least); });
    }
  }

  void more_blocks(std::uint64_t before, std::uint64_t now) {
    add(breakage::more_blocks, std::to_string(before), std::to_string(now)).count = now;
  }

  void compare(const attribute& before, const attribute& after) {
    needs(before, after);
    if (before.computed && !after.computed && can_be_given(before) && can_be_given(after))
      add(breakage::not_computed);
    types(before, after);
    if (after.sensitive && !before.sensitive) add(breakage::sensitive);
    if (after.write_only && !before.write_only) add(breakage::write_only);
    if (comparable_.hints && before.default_value != after.default_value)
      add(breakage::other_default, before.default_value, after.default_value).old_default =
          before.default_value;
    hints(before.replacement, after.replacement, before.validators, after.validators);
    deprecation(before.deprecated, after.deprecated, after.deprecation_message);
  }

  void needs(const attribute& before, const attribute& after) {
    if (after.required && !before.required) {
      add(breakage::needed);
    } else if (can_be_given(before) && !can_be_given(after)) {
      add(breakage::read_only);
    }
  }

  void types(const attribute& before, const attribute& after) {
    if (before.nested && after.nested) {
      if (before.nested->nesting != after.nested->nesting) {
        add(breakage::other_nesting, text_of(before.nested->nesting),
            text_of(after.nested->nesting));
      }
      block one, other;
      one.attributes = before.nested->attributes;
      other.attributes = after.nested->attributes;
      compare(one, other);
      return;
    }
    const type was = type_of(before), is = type_of(after);
    if (!takes_all_of(is, was)) add(breakage::other_type, type_text(was), type_text(is));
  }

  void compare(const block_type& before, const block_type& after) {
    if (before.nesting != after.nesting)
      add(breakage::other_nesting, block_text_of(before.nesting), block_text_of(after.nesting));
    const bool has_numbers = comparable_.numbers;
    if (has_numbers && after.least > before.least) more_blocks(before.least, after.least);
    if (has_numbers && after.most > 0 && (before.most == 0 || after.most < before.most))
      add(breakage::fewer_blocks, before.most == 0 ? "" : std::to_string(before.most),
          std::to_string(after.most))
          .count = after.most;
    hints(before.replacement, after.replacement, before.validators, after.validators);
    deprecation(before.block.deprecated, after.block.deprecated, after.block.deprecation_message);
    compare(before.block, after.block);
  }

  void hints(replacement before, replacement after, const std::vector<std::string>& old_validators,
             const std::vector<std::string>& validators) {
    if (!comparable_.hints) return;
    if (after > before)
      add(breakage::replaces, {}, after == replacement::certain ? "replaces" : "may replace");
    for (const std::string& each : validators) {
      const auto found = std::find(old_validators.begin(), old_validators.end(), each);
      if (found == old_validators.end()) add(breakage::validated, {}, each);
    }
  }

  breaking_change at_;
  both_say comparable_;
  std::vector<breaking_change>& found_;
};

/// The one of the same address comes first.
const schemas::provider* same_provider(const schemas& among, std::string_view address) {
  if (const auto same = among.providers.find(address); same != among.providers.end())
    return &same->second;
  for (const auto& [name, each] : among.providers) {
    if (is_same_provider(name, address)) return &each;
  }
  return nullptr;
}

class documents_comparison {
 public:
  explicit documents_comparison(both_say comparable) : comparable_{comparable} {}

  std::vector<breaking_change> found;

  void compare(const std::string& address, const schemas::provider& before,
               const schemas::provider* after) {
    at_.provider = address;
    at_.in = section::provider;
    if (after == nullptr) {
      found.push_back(at_);
      return;
    }
    if (before.configuration && after->configuration)
      comparison{at_, comparable_, found}.compare(*before.configuration, *after->configuration);
    types(section::resource, before.resources, after->resources);
    types(section::data_source, before.data_sources, after->data_sources);
    types(section::ephemeral_resource, before.ephemeral_resources, after->ephemeral_resources);
    types(section::identity, before.identities, after->identities);
  }

 private:
  void types(section in, const schemas::by_type& before, const schemas::by_type& after) {
    at_.in = in;
    for (const auto& [name, one] : before) {
      at_.type = name;
      const auto now = after.find(name);
      if (now == after.end()) {
        found.push_back(at_);
      } else {
        comparison{at_, comparable_, found}.compare(one, now->second);
      }
    }
    at_.type.clear();
  }

  breaking_change at_;
  both_say comparable_;
};

void append_member(std::string& out, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  out.append(",\"").append(key).append("\":");
  json::append_quoted(out, text);
}

std::string times(const std::string& count) {
  return count + (count == "1" ? " block" : " blocks");
}

std::string other_default(const breaking_change& of) {
  if (of.was.empty()) return "has a default now: " + of.is;
  return "has the default " + of.was + " no more" + (of.is.empty() ? "" : ", but " + of.is);
}

}  // namespace

std::string_view name(breakage what) { return words[static_cast<std::size_t>(what)]; }

std::string path_text(const breaking_change& of) {
  std::string text;
  for (const schema_step& each : of.path) text += (text.empty() ? "" : ".") + each.name;
  return text;
}

std::string sentence(const breaking_change& of) {
  switch (of.what) {
    case breakage::gone:
      return "is removed";
    case breakage::older_version:
      return "its schema was " + of.was + " and is " + of.is + ": states of it can't be read";
    case breakage::needed:
      return "is required now";
    case breakage::read_only:
      return "can no longer be set";
    case breakage::not_computed:
      return "is no longer computed: it is null unless it is set";
    case breakage::other_syntax:
    case breakage::other_nesting:
    case breakage::other_type:
      return "was " + of.was + " and is " + of.is;
    case breakage::more_blocks:
      return "needs " + times(of.is) + " at least";
    case breakage::fewer_blocks:
      return "takes " + times(of.is) + " at most" + (of.was.empty() ? "" : ", not " + of.was);
    case breakage::sensitive:
      return "is sensitive now: outputs that contain it must be sensitive too";
    case breakage::write_only:
      return "is write-only now: no expression can refer to it";
    case breakage::other_default:
      return other_default(of);
    case breakage::replaces:
      return of.is == "replaces" ? "now forces replacement when it changes"
                                 : "may now force replacement when it changes";
    case breakage::validated:
      return "must pass " + of.is + " now";
    case breakage::deprecated:
      return of.is.empty() ? "is deprecated" : "is deprecated: " + of.is;
  }
  return "";
}

void append_row(std::string& out, const breaking_change& of,
                const std::vector<std::string>* touches) {
  const bool breaks = of.what != breakage::deprecated;
  out.append(breaks ? R"({"kind":"breaking")" : R"({"kind":"deprecated")");
  append_member(out, "provider", of.provider);
  append_member(out, "section", text_of(of.in));
  append_member(out, "type", of.type);
  append_member(out, "path", path_text(of));
  append_member(out, "change", name(of.what));
  append_member(out, "was", of.was);
  append_member(out, "is", of.is);
  if (touches != nullptr) {
    out.append(R"(,"touches":[)");
    for (const std::string& each : *touches) {
      if (&each != &touches->front()) out.push_back(',');
      json::append_quoted(out, each);
    }
    out.push_back(']');
  }
  out.append("}\n");
}

std::vector<breaking_change> breaking_changes(const schemas& before, const schemas& after,
                                              both_say comparable) {
  documents_comparison all{comparable};
  for (const auto& [address, provider] : before.providers)
    all.compare(address, provider, same_provider(after, address));
  return std::move(all.found);
}

}  // namespace tofud::schema
