#include "daemon/api/stack_listing.hpp"

#include "daemon/exports/csv.hpp"
#include "protocol/feed/encode.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <cmath>
#include <optional>
#include <utility>

namespace tofud {
namespace {

namespace js = boost::json;
using wall::stack_summary;

std::string time_text(const std::optional<ui::time_point>& at) {
  std::string text;
  if (at) ui::append_timestamp(text, *at);
  return text;
}

js::value or_null(const std::string& text) {
  return text.empty() ? js::value(nullptr) : js::value(text);
}

/// To the millisecond.
js::value or_null(const std::optional<double>& seconds) {
  return seconds ? js::value(std::round(*seconds * 1'000) / 1'000) : js::value(nullptr);
}

js::value to_value(const std::optional<stack_summary::apply>& of) {
  if (!of) return nullptr;
  return js::object{{"run", of->run},
                    {"command", feed::name(of->command)},
                    {"status", feed::name(of->status)},
                    {"ended_at", or_null(time_text(of->ended_at))},
                    {"took_s", or_null(of->seconds)},
                    {"who", or_null(of->who)},
                    {"who_is_verified", of->who_is_verified},
                    {"commit", or_null(of->commit)},
                    {"branch", or_null(of->branch)}};
}

js::object to_value(const stack_summary::counted& of) {
  return {{"runs", of.runs}, {"failed", of.failed}, {"median_s", or_null(of.median_seconds)}};
}

js::object to_value(const stack_summary& of) {
  js::object providers;
  for (const auto& [source, version] : of.providers) providers[source] = version;
  // The card as the feed has it, without what only the feed needs.
  std::string encoded;
  feed::encode(encoded, of.card, 0);
  js::object made = js::parse(encoded).as_object();
  for (const char* each : {"kind", "key", "seq"}) made.erase(each);
  made["last_apply"] = to_value(of.last_apply);
  made["last_success"] = to_value(of.last_success);
  made["versions"] = js::object{{"tofu", or_null(of.tofu)},
                                {"terraform", or_null(of.terraform)},
                                {"providers", std::move(providers)}};
  made["owners"] = js::array(of.owners.begin(), of.owners.end());
  made["days_30"] = js::object{{"plans", to_value(of.plans)}, {"applies", to_value(of.applies)}};
  return made;
}

std::string number_text(const std::optional<double>& of) {
  return of ? js::serialize(or_null(of)) : std::string{};
}

}  // namespace

std::string to_json(const stack_summary& of) { return js::serialize(to_value(of)); }

std::string stacks_json(const std::vector<stack_summary>& all, std::string_view next) {
  js::array stacks;
  for (const stack_summary& each : all) stacks.push_back(to_value(each));
  return js::serialize(
      js::object{{"stacks", std::move(stacks)},
                 {"next", next.empty() ? js::value(nullptr) : js::value(std::string{next})}});
}

std::string stacks_csv(const std::vector<stack_summary>& all) {
  std::string out =
      "stack,status,command,last_apply,last_apply_status,last_apply_ended_at,who,commit,change,"
      "drifted_since,drifted_resources,tofu,terraform,providers,owners,applies_30d,failed_30d,"
      "median_s_30d\r\n";
  for (const stack_summary& each : all) {
    const stack_summary::apply last = each.last_apply.value_or(stack_summary::apply{});
    const auto& drift = each.card.drift;
    std::string providers, owners;
    for (const auto& [source, version] : each.providers)
      providers.append(providers.empty() ? "" : " ").append(source).append("@").append(version);
    for (const std::string& owner : each.owners)
      owners.append(owners.empty() ? "" : " ").append(owner);
    exports::append_csv_line(
        out, {each.card.stack, std::string{feed::name(each.card.status)},
              std::string{feed::name(each.card.command)}, last.run,
              each.last_apply ? std::string{feed::name(last.status)} : "", time_text(last.ended_at),
              last.who, last.commit,
              each.card.change ? std::string{feed::name(each.card.change->state)} : "",
              drift ? time_text(drift->since) : "", drift ? std::to_string(drift->resources) : "",
              each.tofu, each.terraform, providers, owners, std::to_string(each.applies.runs),
              std::to_string(each.applies.failed), number_text(each.applies.median_seconds)});
  }
  return out;
}

}  // namespace tofud
