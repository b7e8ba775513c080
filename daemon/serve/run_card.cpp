#include "daemon/serve/run_card.hpp"

#include "protocol/json/members.hpp"

#include <boost/json.hpp>

#include <utility>

namespace tofud::serve {
namespace {

namespace js = boost::json;

constexpr std::uint64_t version = 1;

}  // namespace

std::string to_json(const run_card& card) {
  if (!card.removed_by.empty())
    return js::serialize(js::object{{"v", version}, {"removed", card.removed_by}});
  return js::serialize(js::object{{"v", version},
                                  {"by", card.by},
                                  {"seq", card.seq},
                                  {"over", card.told.is_over},
                                  {"header", js::parse(journal::to_json(card.told.header))},
                                  {"views", card.told.views}});
}

std::optional<run_card> parse_run_card(std::string_view json) {
  const auto from = json::object_in(json);
  if (!from || json::count_at(*from, "v") != version) return std::nullopt;
  run_card read;
  read.removed_by = json::text_at(*from, "removed");
  if (!read.removed_by.empty()) return read;
  const js::value* header = from->if_contains("header");
  if (header == nullptr) return std::nullopt;
  auto parsed = journal::parse_header(js::serialize(*header));
  if (!parsed) return std::nullopt;
  read.told.header = std::move(*parsed);
  read.told.is_over = json::is_true_at(*from, "over");
  read.told.views = json::text_at(*from, "views");
  read.by = json::text_at(*from, "by");
  read.seq = json::count_at(*from, "seq");
  return read;
}

}  // namespace tofud::serve
