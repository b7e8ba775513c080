#include "daemon/serve/sent_attachment.hpp"

#include "daemon/attachments/errors.hpp"
#include "daemon/attachments/files.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/attachments/prepare.hpp"
#include "daemon/files/gunzip.hpp"
#include "protocol/attachments/config_facts.hpp"
#include "protocol/redact/document_redactor.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>

namespace tofud::serve {
namespace {

using feed::attachment;

made_attachment refused(int status, std::string sentence) {
  return {{}, {status, std::move(sentence)}};
}

struct unpacked {
  std::string text;
  bad_attachment wrong;
};

/// What inflates beyond `most` is left, not unpacked.
unpacked unpack(std::string_view body, std::size_t most) {
  constexpr std::size_t piece = 4 * limits::kib;  // makes some mebibytes at most
  unpacked all;
  files::gunzip packed{[&](std::string_view some) {
    all.text.append(some.substr(0, most + 1 - std::min(most + 1, all.text.size())));
  }};
  std::string wrong;
  while (!body.empty() && wrong.empty() && all.text.size() <= most) {
    wrong = packed.feed(body.substr(0, piece));
    body.remove_prefix(std::min(piece, body.size()));
  }
  if (wrong.empty() && all.text.size() <= most) wrong = packed.end();
  if (!wrong.empty()) {
    all.wrong.sentence = "the document " + wrong;
  } else if (all.text.size() > most) {
    all.wrong = {413, "the document is larger than " + std::to_string(most / limits::mib) +
                          " MiB, uncompressed"};
  }
  return all;
}

/// Only what is known of a configuration: members that nobody reads may say anything.
std::string as_document(const attachments::config_facts& facts) {
  auto module = std::make_shared<config::module_source>();
  for (const auto& [address, from] : facts.blocks()) {
    config::block& to = module->blocks[address];
    to.at = {from.file, {from.line, from.column}};
    to.create_before_destroy = from.create_before_destroy;
    to.provisioners = from.provisioners;
    to.references = from.references;
    to.provider = from.provider;
    to.providers = from.providers;
    to.said = from.said;
  }
  config::configuration all;
  all.modules.emplace("", std::move(module));
  all.providers = facts.providers();
  return attachments::to_json(
      all, facts.has_order() ? attachments::order_told::yes : attachments::order_told::no);
}

made_attachment make_plan(std::string_view body, const beside_attachment& beside) {
  const unpacked plan = unpack(body, limits::attached_plan_bytes);
  if (!plan.wrong.sentence.empty()) return {{}, plan.wrong};
  auto made = beside.schemas.empty() && !beside.own
                  ? attachments::prepare_plan(plan.text)
                  : attachments::prepare_schemas(plan.text, beside.schemas, beside.own.get());
  if (!made) return refused(400, made.error().text());
  return {{{attachments::file_name(attachment::plan), std::move(made->plan)}}, {}};
}

made_attachment make_schemas(std::string_view body, const beside_attachment& beside) {
  auto made = attachments::prepare_schemas(beside.plan, body, beside.own.get());
  if (!made) {
    const bool is_large = made.error().is(attachments::error::large_schemas);
    return refused(is_large ? 413 : 400, made.error().text());
  }
  const std::string name = attachments::file_name(attachment::schemas);
  if (!beside.plan.empty()) {
    // The plan first: should the machine stop between the two, it is masked by more than it says.
    return {{{attachments::file_name(attachment::plan), std::move(made->plan)},
             {name, std::move(made->schemas)}},
            {}};
  }
  if (made->schemas.empty())
    return refused(409, "attach the plan first: the daemon keeps only the schemas of its types");
  return {{{name, std::move(made->schemas)}}, {}};
}

made_attachment make_config(std::string_view body) {
  const unpacked sent = unpack(body, limits::attached_config_bytes);
  if (!sent.wrong.sentence.empty()) return {{}, sent.wrong};
  const auto facts = attachments::config_facts::read(sent.text);
  if (!facts) return refused(400, facts.error().text());
  return {{{attachments::file_name(attachment::config), as_document(*facts)}}, {}};
}

made_attachment make(attachment part, std::string_view body, const beside_attachment& beside) {
  switch (part) {
    case attachment::plan:
      return make_plan(body, beside);
    case attachment::schemas:
      return make_schemas(body, beside);
    case attachment::config:
      break;
  }
  return make_config(body);
}

}  // namespace

made_attachment make_attachment(attachment part, std::string_view body,
                                const beside_attachment& beside,
                                const std::shared_ptr<const redact::ready_rules>& rules) {
  made_attachment made = make(part, body, beside);
  if (!rules) return made;
  for (auto& [name, text] : made.files) text = redact::redacted_document(text, rules);
  return made;
}

}  // namespace tofud::serve
