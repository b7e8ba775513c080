#include "daemon/notify/outbox_change.hpp"

#include "daemon/notify/errors.hpp"
#include "protocol/json/members.hpp"

#include <boost/json.hpp>

#include <utility>

namespace tofud::notify {
namespace {

namespace js = boost::json;

constexpr std::string_view kinds[] = {"took", "merged", "delivered"};

}  // namespace

std::string to_json(const outbox_change& change) {
  js::object made{{"v", 1}, {"change", kinds[static_cast<std::size_t>(change.how)]}};
  if (change.how != outbox_change::kind::delivered) {
    made["of"] = js::parse(to_json(change.what.of));
    made["end"] = change.what.is_end;
  }
  if (!change.rule.empty()) made["rule"] = change.rule;
  if (!change.ids.empty()) made["ids"] = js::array(change.ids.begin(), change.ids.end());
  return js::serialize(made);
}

text::result<outbox_change> parse_outbox_change(std::string_view json) {
  const auto from = tofud::json::object_in(json);
  if (!from) return text::failure{error::bad_report};
  outbox_change made;
  const std::string word = tofud::json::text_at(*from, "change");
  std::size_t kind = 0;
  while (kind < std::size(kinds) && kinds[kind] != word) ++kind;
  if (kind == std::size(kinds)) return text::failure{error::bad_report};
  made.how = static_cast<outbox_change::kind>(kind);
  if (const js::value* of = from->if_contains("of")) {
    auto read = parse_report(js::serialize(*of));
    if (!read) return read.error();
    made.what.of = std::move(*read);
  }
  made.what.is_end = tofud::json::is_true_at(*from, "end");
  made.rule = tofud::json::text_at(*from, "rule");
  if (const js::value* ids = from->if_contains("ids"); ids != nullptr && ids->is_array()) {
    for (const js::value& each : ids->get_array())
      if (each.is_string()) made.ids.emplace_back(each.get_string());
  }
  return made;
}

}  // namespace tofud::notify
