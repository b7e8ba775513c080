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
  for (const auto& [source, version] : of.names.providers) providers[source] = version;
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
  made["owners"] = js::array(of.names.owners.begin(), of.names.owners.end());
  made["days_30"] = js::object{{"plans", to_value(of.plans)}, {"applies", to_value(of.applies)}};
  return made;
}

std::string number_text(const std::optional<double>& of) {
  return of ? js::serialize(or_null(of)) : std::string{};
}

void append_row(std::string& out, const stack_summary& of) {
  const stack_summary::apply last = of.last_apply.value_or(stack_summary::apply{});
  const auto& drift = of.card.drift;
  std::string providers, owners;
  for (const auto& [source, version] : of.names.providers)
    providers.append(providers.empty() ? "" : " ").append(source).append("@").append(version);
  for (const std::string& owner : of.names.owners)
    owners.append(owners.empty() ? "" : " ").append(owner);
  exports::append_csv_line(
      out,
      {of.card.stack, std::string{feed::name(of.card.status)},
       std::string{feed::name(of.card.command)}, last.run,
       of.last_apply ? std::string{feed::name(last.status)} : "", time_text(last.ended_at),
       last.who, last.commit, of.card.change ? std::string{feed::name(of.card.change->state)} : "",
       drift ? time_text(drift->since) : "", drift ? std::to_string(drift->resources) : "", of.tofu,
       of.terraform, providers, owners, std::to_string(of.applies.runs),
       std::to_string(of.applies.failed), number_text(of.applies.median_seconds)});
}

}  // namespace

std::string to_json(const stack_summary& of) { return js::serialize(to_value(of)); }

stacks_text::stacks_text(form as) : as_{as} {
  text_ = as == form::json
              ? R"({"stacks":[)"
              : "stack,status,command,last_apply,last_apply_status,last_apply_ended_at,who,commit,"
                "change,drifted_since,drifted_resources,tofu,terraform,providers,owners,"
                "applies_30d,failed_30d,median_s_30d\r\n";
}

void stacks_text::add(const stack_summary& one) {
  if (as_ == form::csv) return append_row(text_, one);
  if (!std::exchange(is_first_, false)) text_.push_back(',');
  text_ += to_json(one);
}

std::string stacks_text::end(std::string_view next) && {
  if (as_ == form::json) {
    text_ += R"(],"next":)";
    text_ += next.empty() ? "null" : js::serialize(js::value(std::string{next}));
    text_.push_back('}');
  }
  return std::move(text_);
}

}  // namespace tofud
