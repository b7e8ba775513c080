#include "protocol/config/json_file.hpp"

#include "protocol/config/json_text.hpp"
#include "protocol/config/limits.hpp"
#include "protocol/config/targets.hpp"
#include "protocol/config/text_lines.hpp"

#include <utility>

namespace tofud::config {
namespace {

using json::kind;
using json::value;

constexpr std::string_view comment_key = "//";

// The members of a body: an object, or an array whose objects are taken together. Others are told
// to `wrong`.
template <typename Take, typename Wrong>
void each_member(value body, const Take& take, const Wrong& wrong) {
  if (body.is(kind::object)) {
    for (const value member : body) take(member);
  } else if (body.is(kind::array)) {
    for (const value part : body) {
      if (!part.is(kind::object)) {
        wrong(part);
        continue;
      }
      for (const value member : part) take(member);
    }
  } else if (!body.is(kind::null)) {
    wrong(body);
  }
}

// The blocks that the value under the last label stands for: an array has several of them.
template <typename Take>
void each_block(value at, const Take& take) {
  if (at.is(kind::array)) {
    for (const value each : at) take(each);
  } else if (!at.is(kind::null)) {
    take(at);
  }
}

class json_file_reader {
 public:
  json_file_reader(const std::string& path, std::string_view text)
      : path_{path}, lines_{text}, text_{text} {}

  file_blocks read() {
    if (const auto& failed = text_.failed()) add_problem(failed->offset, failed->what);
    if (text_.root()) {
      members(text_.root(), [this](value member) { take_top_level(member); });
    }
    return std::move(found_);
  }

 private:
  template <typename Take>
  void members(value body, const Take& take) {
    each_member(body, take, [this](value wrong) {
      add_problem(text_.value_at(wrong), "an object is expected here; this value is ignored");
    });
  }

  void add_problem(std::size_t offset, std::string what) {
    if (found_.problems.size() > limits::module_problems) return;
    found_.problems.push_back({{path_, lines_.at(offset)}, std::move(what)});
  }

  bool is_named(value member) {
    std::string wrong = name_failure(member.key());
    const bool named = wrong.empty();
    if (!named) add_problem(text_.key_at(member), std::move(wrong));
    return named;
  }

  position key_position(value member) { return lines_.at(text_.key_at(member)); }

  void take_top_level(value member) {
    if (member.key() == "locals") return take_locals(member);
    if (member.key() == "check") return take_checks(member);
    const auto type = find_top_level(member.key());
    if (!type) return;
    members(member, [&](value first) {
      if (!is_named(first)) return;
      if (type->labels == 1) return take_blocks(first, type->kind, first.key(), {});
      members(first, [&](value second) {
        if (is_named(second)) take_blocks(second, type->kind, first.key(), second.key());
      });
    });
  }

  // A check may have a data source of its own.
  void take_checks(value from) {
    members(from, [&](value check) {
      each_block(check, [&](value body) {
        members(body, [&](value member) {
          if (member.key() == "data") take_top_level(member);
        });
      });
    });
  }

  void take_blocks(value named, block_kind type, std::string_view first, std::string_view second) {
    each_block(named, [&](value body) {
      if (!body.is(kind::object) && !body.is(kind::array)) {
        return add_problem(text_.value_at(body),
                           "an object is expected here; this value is ignored");
      }
      block& into = add(type, address_of(type, first, second), named);
      take_body(into, body);
      drop_repeats(into);
    });
  }

  // Only of `tofud` in it, for others have comments, too.
  void take_comment(block& into, value comment) {
    const value said = comment["tofud"];
    if (!said) return;
    if (!said.is(kind::object)) {
      return add_problem(text_.value_at(said),
                         "an object with owner, runbook or expect is expected here");
    }
    for (const value member : said) {
      const auto text = member.string();
      std::string wrong =
          text ? annotate(into.said, member.key(), *text)
               : std::string{member.key()} + " is not a string; put quotes around it";
      if (!wrong.empty()) add_problem(text_.key_at(member), std::move(wrong));
    }
  }

  block& add(block_kind type, std::string address, value named) {
    block& added = found_.blocks.emplace_back();
    added.kind = type;
    added.address = std::move(address);
    added.at = {path_, key_position(named)};
    return added;
  }

  void take_locals(value from) {
    each_block(from, [&](value body) {
      members(body, [&](value each) {
        if (each.key() == comment_key || !is_named(each)) return;
        block& into = add(block_kind::local, address_of(block_kind::local, each.key()), each);
        refer_to(into, "value", each, {});
        drop_repeats(into);
      });
    });
  }

  void take_body(block& into, value body) {
    members(body, [&](value member) {
      const std::string_view name = member.key();
      if (name == comment_key) return take_comment(into, member);
      if (name == "lifecycle") return take_lifecycle(into, member);
      if (name == "provisioner") return take_provisioners(into, member);
      if (name == "dynamic") return take_dynamic(into, member);
      take_argument(into, name, member);
      if (into.kind == block_kind::module_call && name == "source") {
        into.source = member.string().value_or("");
      } else if (into.kind == block_kind::module_call && name == "providers") {
        take_providers(into, member);
      } else if (into.kind == block_kind::provider && name == "alias") {
        add_alias(into, member.string().value_or(""));
      } else if (name == "provider") {
        into.provider = provider_name(member.string().value_or(""));
      }
    });
  }

  static void take_providers(block& into, value from) {
    for (const value each : from) {
      passed_provider passed{provider_name(each.key()), provider_name(each.string().value_or(""))};
      if (!passed.name.empty() && !passed.is.empty()) into.providers.push_back(std::move(passed));
    }
  }

  void take_argument(block& into, std::string_view name, value member) {
    into.arguments.emplace_back(name);
    if (refers_to_nothing(into.kind, name)) return;
    if (name == "depends_on") {
      refer_to_addresses(into, name, member);
    } else if (name == "connection") {
      each_block(member, [&](value body) { take_nested(into, name, body, {}); });
    } else {
      refer_to(into, name, member, {});
    }
  }

  void take_lifecycle(block& into, value from) {
    each_block(from, [&](value body) {
      members(body, [&](value member) {
        if (member.key() == comment_key) return;
        const std::string name = "lifecycle." + std::string{member.key()};
        into.arguments.push_back(name);
        if (refers_to_nothing(into.kind, name)) return;
        if (name == "lifecycle.replace_triggered_by") {
          return refer_to_addresses(into, name, member);
        }
        if (name == "lifecycle.create_before_destroy") {
          into.create_before_destroy = literal_bool(member.text());
        }
        if (name == "lifecycle.precondition" || name == "lifecycle.postcondition") {
          each_block(member, [&](value condition) { take_nested(into, name, condition, {}); });
        } else {
          refer_to(into, name, member, {});
        }
      });
    });
  }

  // An array keeps the order; an object's members run in the order of the text.
  void take_provisioners(block& into, value from) {
    into.arguments.emplace_back("provisioner");
    members(from, [&](value labelled) {
      each_block(labelled, [&](value body) { take_provisioner(into, labelled, body); });
    });
  }

  void take_provisioner(block& into, value labelled, value body) {
    provisioner declared;
    declared.type = labelled.key();
    declared.at = key_position(labelled);
    members(body, [&](value member) {
      const std::string_view name = member.key();
      if (name == comment_key) return;
      if (name == "when") {
        if (member.text() == "destroy") declared.when = provision_time::destroy;
      } else if (name == "on_failure") {
        if (member.text() == "continue") declared.failing = on_failure::go_on;
      } else if (name == "connection") {
        each_block(member, [&](value each) { take_nested(into, "provisioner", each, {}); });
      } else {
        refer_to(into, "provisioner", member, {});
      }
    });
    into.provisioners.push_back(std::move(declared));
  }

  void take_dynamic(block& into, value from) {
    members(from, [&](value labelled) {
      into.arguments.emplace_back(labelled.key());
      each_block(labelled, [&](value body) {
        std::string_view iterator = labelled.key();
        members(body, [&](value member) {
          if (member.key() == "iterator") iterator = member.text();
        });
        members(body, [&](value member) {
          if (member.key() == comment_key || member.key() == "iterator") return;
          refer_to(into, labelled.key(), member, {iterator});
        });
      });
    });
  }

  // A block of which it is known that it is one, so that it may have comments.
  void take_nested(block& into, std::string_view argument, value body,
                   const std::vector<std::string_view>& bound) {
    members(body, [&](value member) {
      if (member.key() == comment_key) return;
      if (argument_is_literal(argument, member.key())) return;
      refer_to(into, argument, member, bound);
    });
  }

  // Of a connection, its own or a provisioner's, `type` is no template.
  static bool argument_is_literal(std::string_view argument, std::string_view name) {
    return name == "type" && (argument == "connection" || argument == "provisioner");
  }

  // All texts are templates, the keys of objects too. What is a block by its schema reads the same.
  void refer_to(block& from, std::string_view argument, value expression,
                const std::vector<std::string_view>& bound) {
    if (const auto text = expression.string()) {
      find(from, argument, *text, lexed_as::template_text, bound);
    }
    for (const value inside : expression) {
      if (expression.is(kind::object)) {
        find(from, argument, inside.key(), lexed_as::template_text, bound);
      }
      refer_to(from, argument, inside, bound);
    }
  }

  // Addresses as texts, alone or in arrays.
  void refer_to_addresses(block& from, std::string_view argument, value addresses) {
    if (const auto text = addresses.string()) find(from, argument, *text, lexed_as::body, {});
    for (const value each : addresses) refer_to_addresses(from, argument, each);
  }

  static void find(block& from, std::string_view argument, std::string_view text, lexed_as read_as,
                   const std::vector<std::string_view>& bound) {
    if (read_as == lexed_as::template_text && text.find('{') == std::string_view::npos) return;
    find_targets(text, read_as, bound, quoted_as::text, [&](std::string_view target) {
      from.references.push_back({std::string{argument}, std::string{target}});
    });
  }

  const std::string& path_;
  text_lines lines_;
  json_text text_;
  file_blocks found_;
};

}  // namespace

file_blocks read_json_file(const std::string& path, std::string_view text) {
  return json_file_reader{path, text}.read();
}

}  // namespace tofud::config
