#include "protocol/config/native_file.hpp"

#include "protocol/config/limits.hpp"
#include "protocol/config/native_body.hpp"
#include "protocol/config/targets.hpp"
#include "protocol/config/text_lines.hpp"

#include <utility>

namespace tofud::config {
namespace {

// The word of an argument that takes a keyword, with or without quotes.
std::string_view keyword(std::string_view expression) {
  if (expression.size() >= 2 && expression.front() == '"' && expression.back() == '"') {
    return expression.substr(1, expression.size() - 2);
  }
  return expression;
}

// A text without templates and escapes; empty for every other expression.
std::string_view literal_text(std::string_view expression) {
  const std::string_view text = keyword(expression);
  const bool quoted = text.size() != expression.size();
  return quoted && text.find_first_of("\"\\$%") == std::string_view::npos ? text
                                                                          : std::string_view{};
}

std::string_view argument_of(const native_body& body, std::string_view name) {
  for (const native_argument& each : body.arguments) {
    if (each.name == name) return each.expression;
  }
  return {};
}

// The providers' configurations of `{ aws = aws.west, … }`; what is none is passed over.
std::vector<passed_provider> passed_providers(std::string_view expression) {
  std::vector<passed_provider> found;
  lexer tokens{expression};
  std::string name, is;
  bool behind = false;  // of the `=`
  const auto tell = [&] {
    if (behind && !provider_name(name).empty() && !provider_name(is).empty())
      found.push_back({provider_name(name), provider_name(is)});
    name.clear();
    is.clear();
    behind = false;
  };
  for (token now = tokens.next(); now.kind != token_kind::end && now.kind != token_kind::broken;
       now = tokens.next()) {
    if (now.kind == token_kind::equals || now.text == ":") {
      behind = true;
    } else if (now.kind == token_kind::newline || now.text == ",") {
      tell();
    } else if (now.kind == token_kind::identifier || now.kind == token_kind::dot ||
               now.kind == token_kind::literal) {
      (behind ? is : name).append(now.text);
    }
  }
  tell();
  return found;
}

// Names that a `dynamic` block's content has besides its surroundings'.
std::string_view iterator_of(const native_block& dynamic) {
  const std::string_view named = argument_of(dynamic.body, "iterator");
  if (!named.empty()) return named;
  return dynamic.labels.empty() ? std::string_view{} : dynamic.labels.front();
}

class native_file_reader {
 public:
  native_file_reader(const std::string& path, std::string_view text)
      : path_{path}, text_{text}, lines_{text} {}

  file_blocks read() {
    const native_file file = read_native(text_);
    for (const native_block& each : file.body.blocks) take(each);
    refuse(file.stray_notes);
    if (file.failed) {
      found_.problems.push_back(
          {{path_, lines_.at(file.failed->offset)}, std::string{file.failed->what}});
    }
    return std::move(found_);
  }

 private:
  position at(std::string_view token) {
    return lines_.at(static_cast<std::size_t>(token.data() - text_.data()));
  }

  block& add(block_kind kind, std::string address, position where) {
    block& added = found_.blocks.emplace_back();
    added.kind = kind;
    added.address = std::move(address);
    added.at = {path_, where};
    return added;
  }

  void take(const native_block& from) {
    if (from.type == "check") {
      refuse(from.notes);
      for (const native_block& each : from.body.blocks) {
        if (each.type == "data") take(each);
      }
      return;
    }
    const auto type = find_top_level(from.type);
    if (!type || type->kind == block_kind::provider) refuse(from.notes);
    for (const native_block& each : from.body.blocks) refuse_in(each);
    if (from.type == "locals") take_locals(from.body);
    if (!type) return;
    if (from.labels.size() != type->labels) {
      const std::string count = std::to_string(type->labels);
      return add_problem(from.type, "a " + std::string{from.type} + " block has " + count +
                                        " labels; it is ignored");
    }
    for (const std::string_view label : from.labels) {
      std::string wrong = name_failure(label);
      if (!wrong.empty()) return add_problem(label, std::move(wrong));
    }
    const std::string_view second = type->labels > 1 ? from.labels[1] : std::string_view{};
    block& into =
        add(type->kind, address_of(type->kind, from.labels.front(), second), at(from.type));
    if (type->kind != block_kind::provider) take_notes(into, from.notes);
    take_body(into, from.body);
    if (type->kind == block_kind::provider)
      add_alias(into, keyword(argument_of(from.body, "alias")));
    drop_repeats(into);
  }

  void add_problem(std::string_view where, std::string what) {
    if (found_.problems.size() > limits::module_problems) return;
    found_.problems.push_back({{path_, at(where)}, std::move(what)});
  }

  void take_notes(block& into, const std::vector<std::string_view>& notes) {
    for (const std::string_view note : notes) {
      read_note(into.said, note, [&](std::size_t offset, std::string what) {
        add_problem(note.substr(offset), std::move(what));
      });
    }
  }

  void refuse(const std::vector<std::string_view>& notes) {
    for (const std::string_view note : notes)
      add_problem(note,
                  "this annotation belongs to no block; put it directly above a resource, data or "
                  "module block");
  }

  // Of what is inside of a block nothing can be said.
  void refuse_in(const native_block& nested) {
    refuse(nested.notes);
    for (const native_block& each : nested.body.blocks) refuse_in(each);
  }

  void take_locals(const native_body& body) {
    for (const native_argument& each : body.arguments) {
      block& into = add(block_kind::local, address_of(block_kind::local, each.name), at(each.name));
      refer_to(into, "value", each.expression, {});
      drop_repeats(into);
    }
  }

  void take_body(block& into, const native_body& body) {
    take_arguments(into, body, "");
    for (const native_block& each : body.blocks) {
      if (each.type == "provisioner") {
        into.arguments.emplace_back(each.type);
        take_provisioner(into, each);
      } else if (each.type == "lifecycle") {
        take_lifecycle(into, each);
      } else {
        const bool dynamic = each.type == "dynamic" && !each.labels.empty();
        take_nested(into, dynamic ? each.labels.front() : each.type, each, {});
      }
    }
    if (into.kind == block_kind::module_call) {
      into.source = literal_text(argument_of(body, "source"));
      into.providers = passed_providers(argument_of(body, "providers"));
    } else {
      into.provider = provider_name(argument_of(body, "provider"));
    }
  }

  void take_arguments(block& into, const native_body& body, std::string_view before) {
    for (const native_argument& each : body.arguments) {
      std::string name{before};
      name.append(each.name);
      if (!refers_to_nothing(into.kind, name)) refer_to(into, name, each.expression, {});
      into.arguments.push_back(std::move(name));
    }
  }

  void take_lifecycle(block& into, const native_block& from) {
    take_arguments(into, from.body, "lifecycle.");
    for (const native_block& each : from.body.blocks) {
      take_nested(into, "lifecycle." + std::string{each.type}, each, {});
    }
    into.create_before_destroy = literal_bool(argument_of(from.body, "create_before_destroy"));
  }

  void take_provisioner(block& into, const native_block& from) {
    provisioner declared;
    declared.type = from.labels.empty() ? std::string_view{} : from.labels.front();
    declared.at = at(from.type);
    if (keyword(argument_of(from.body, "when")) == "destroy") {
      declared.when = provision_time::destroy;
    }
    if (keyword(argument_of(from.body, "on_failure")) == "continue") {
      declared.failing = on_failure::go_on;
    }
    into.provisioners.push_back(std::move(declared));
    for (const native_argument& each : from.body.arguments) {
      if (each.name == "when" || each.name == "on_failure") continue;
      refer_to(into, "provisioner", each.expression, {});
    }
    for (const native_block& each : from.body.blocks) take_nested(into, "provisioner", each, {});
  }

  // All of a block counts as the argument that it stands in, however deep.
  void take_nested(block& into, const std::string_view argument, const native_block& from,
                   std::vector<std::string_view> bound) {
    into.arguments.emplace_back(argument);
    const bool dynamic = from.type == "dynamic";
    if (dynamic) bound.push_back(iterator_of(from));
    for (const native_argument& each : from.body.arguments) {
      if (dynamic && each.name == "iterator") continue;
      refer_to(into, argument, each.expression, bound);
    }
    for (const native_block& each : from.body.blocks) take_nested(into, argument, each, bound);
  }

  static void refer_to(block& from, std::string_view argument, std::string_view expression,
                       std::vector<std::string_view> bound) {
    const bool addresses = argument == "depends_on" || argument == "lifecycle.replace_triggered_by";
    find_targets(expression, lexed_as::body, std::move(bound),
                 addresses ? quoted_as::address : quoted_as::text, [&](std::string_view target) {
                   from.references.push_back({std::string{argument}, std::string{target}});
                 });
  }

  const std::string& path_;
  std::string_view text_;
  text_lines lines_;
  file_blocks found_;
};

}  // namespace

file_blocks read_native_file(const std::string& path, std::string_view text) {
  return native_file_reader{path, text}.read();
}

}  // namespace tofud::config
