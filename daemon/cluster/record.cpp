#include "daemon/cluster/record.hpp"

#include "daemon/cluster/errors.hpp"
#include "protocol/json/members.hpp"

#include <boost/json.hpp>

#include <array>
#include <utility>

namespace tofud::cluster {
namespace {

namespace js = boost::json;

constexpr std::string_view header_name = "Tofud";
constexpr std::int64_t version = 1;
constexpr std::array<std::string_view, 5> kinds{"open", "bytes", "document", "event", "end"};

text::failure bad(const stored_message& of, std::string_view why) {
  return text::failure{error::bad_record, of.seq, of.subject, why};
}

}  // namespace

bool record::is_same(const record& other) const {
  return what == other.what && offset == other.offset && n == other.n && pieces == other.pieces &&
         name == other.name && data == other.data;
}

message message_of(const record& what, std::string subject) {
  js::object said{{"v", version},
                  {"record", kinds[static_cast<std::size_t>(what.what)]},
                  {"prev", what.prev},
                  {"offset", what.offset}};
  if (what.n > 0) said["n"] = what.n;
  if (what.pieces > 0) said["pieces"] = what.pieces;
  if (!what.name.empty()) said["name"] = what.name;
  std::string at;
  ui::append_timestamp(at, what.at);
  said["at"] = at;
  return {std::move(subject), "", {{std::string{header_name}, js::serialize(said)}}, what.data};
}

text::result<record> record_in(stored_message&& stored) {
  const auto text = stored.header_of(header_name);
  const auto header = json::object_in(text);
  if (!header) return bad(stored, "it has no header Tofud");
  const js::object& said = *header;
  if (const js::value* of = said.if_contains("v"); of == nullptr || *of != js::value(version))
    return bad(stored, "another version of tofud wrote it");
  record made;
  const std::string word = json::text_at(said, "record");
  std::size_t kind = 0;
  while (kind < kinds.size() && kinds[kind] != word) ++kind;
  if (kind == kinds.size()) return bad(stored, "it is of an unknown kind");
  made.what = static_cast<record::kind>(kind);
  made.seq = stored.seq;
  made.prev = json::count_at(said, "prev");
  made.offset = json::count_at(said, "offset");
  made.n = json::count_at(said, "n");
  made.pieces = json::count_at(said, "pieces");
  made.name = json::text_at(said, "name");
  const auto at = ui::parse_timestamp(json::text_at(said, "at"));
  if (!at) return bad(stored, "it has no time");
  made.at = *at;
  made.data = std::move(stored.data);
  return made;
}

}  // namespace tofud::cluster
