#include "protocol/order/foretold.hpp"

#include "protocol/feed/append.hpp"
#include "protocol/json/quote.hpp"

namespace tofud::order {

std::string to_json(const foretold_apply& found) {
  std::string text = R"({"operations":)" + std::to_string(found.operations) + R"(,"known":)" +
                     std::to_string(found.known) + R"(,"slots":)" + std::to_string(found.slots);
  if (found.time) {
    feed::append_seconds(text.append(R"(,"p50_s":)"), found.time->p50);
    feed::append_seconds(text.append(R"(,"p80_s":)"), found.time->p80);
  } else {
    text += R"(,"p50_s":null,"p80_s":null)";
  }
  text += R"(,"critical_path":[)";
  for (std::size_t i = 0; i < found.path.size(); ++i)
    json::append_quoted(text.append(i == 0 ? "" : ","), found.path[i]);
  text += R"(],"taken_away":[)";
  for (std::size_t i = 0; i < found.taken.size(); ++i) {
    const taken_away& each = found.taken[i];
    json::append_quoted(text.append(i == 0 ? R"({"addr":)" : R"(,{"addr":)"), each.address);
    text.append(R"(,"action":")").append(each.replaced ? "replace" : "delete");
    text += R"(","dependents":)" + std::to_string(each.dependents) + R"(,"not_planned":)" +
            std::to_string(each.not_planned) + "}";
  }
  return text + "]}\n";
}

}  // namespace tofud::order
