#include "daemon/notify/messages.hpp"

#include "daemon/notify/limits.hpp"
#include "daemon/notify/signature.hpp"
#include "protocol/text/base64.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>
#include <utility>

namespace tofud::notify {
namespace {

namespace bj = boost::json;

/// Bytes that a target takes of one text; characters stay whole.
std::string cut(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string words_of(const told_error& one) {
  std::string text = one.summary;
  if (!one.addr.empty()) text += "\n  " + one.addr;
  if (!one.place.empty()) text += (one.addr.empty() ? "\n  " : " at ") + one.place;
  if (!one.owner.empty()) text += "\n  owner: " + one.owner;
  if (!one.runbook.empty()) text += "\n  runbook: " + one.runbook;
  return text;
}

/// A burst's parts.
std::string words_of_others(const report& of) {
  std::string text;
  for (const std::string& each : of.others) text += (text.empty() ? "" : "\n") + each;
  if (of.more_others > 0) text += "\nand " + std::to_string(of.more_others) + " more";
  return text;
}

std::string joined(const std::vector<std::string>& lines, std::string_view between) {
  std::string text;
  for (const std::string& each : lines) (text.empty() ? text : text.append(between)).append(each);
  return text;
}

/// What follows the headline, a paragraph each.
std::vector<std::string> paragraphs(const report& of) {
  std::vector<std::string> all;
  if (const auto facts = facts_of(of); !facts.empty()) all.push_back(joined(facts, " · "));
  if (!of.others.empty()) all.push_back(words_of_others(of));
  for (const told_error& each : of.first_errors) all.push_back(words_of(each));
  if (of.errors > of.first_errors.size() && !of.first_errors.empty())
    all.push_back("and " + std::to_string(of.errors - of.first_errors.size()) + " more errors");
  return all;
}

/// Slack's three characters. https://docs.slack.dev/messaging/formatting-message-text#escaping
std::string slack_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

bj::object slack_text(std::string_view text, std::size_t bytes) {
  return {{"type", "plain_text"}, {"text", cut(std::string{text}, bytes)}, {"emoji", false}};
}

/// A link of ours in Slack's own language. What would end it is encoded.
std::string slack_link(std::string_view url, std::string_view words) {
  std::string target;
  for (const char c : slack_escaped(url)) target += c == '|' ? std::string{"%7C"} : std::string{c};
  return "<" + target + "|" + std::string{words} + ">";
}

bj::object text_block(std::string_view text, bool strong) {
  bj::object run{{"type", "TextRun"}, {"text", text}};
  if (strong) {
    run["weight"] = "Bolder";
    run["size"] = "Medium";
  }
  return {{"type", "RichTextBlock"}, {"inlines", bj::array{std::move(run)}}};
}

struct hcp_words {
  std::string_view trigger, status;
};

hcp_words hcp_words_of(occasion what) {
  switch (what) {
    case occasion::failed:
    case occasion::lost:
      return {"run:errored", "errored"};
    case occasion::recovered:
      return {"run:completed", "applied"};
    case occasion::overrun:
      return {"run:applying", "applying"};
    case occasion::waiting:
    case occasion::drift:
    case occasion::destroy:
      return {"run:needs_attention", "planned"};
    case occasion::test:
      break;
  }
  return {"verification", ""};
}

/// RFC 2047: words beyond ASCII in a header, each at most 75 bytes.
std::string header_words(std::string_view text) {
  const bool is_plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  if (is_plain) return std::string{text};
  std::string out;
  while (!text.empty()) {
    const std::size_t room = out.empty() ? 36 : 45;  // the field's name stands before the first
    std::size_t end = std::min(room, text.size());
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80)
      --end;
    if (end == 0) end = std::min(room, text.size());
    out += out.empty() ? "=?UTF-8?B?" : "\n =?UTF-8?B?";
    out += text::to_base64(text.substr(0, end)) + "?=";
    text.remove_prefix(end);
  }
  return out;
}

std::string mail_date(ui::time_point at) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch());
  const std::time_t time = seconds.count();
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S +0000", &parts);
  return text.data();
}

}  // namespace

std::string cloud_event(const report& of, const std::string& source) {
  bj::object event{{"specversion", "1.0"},
                   {"id", of.id},
                   {"source", source.empty() ? "urn:tofud" : source},
                   {"type", "tofud.run." + std::string{name(of.what)}},
                   {"time", stamp_of(of.at)},
                   {"datacontenttype", "application/json"}};
  if (!of.stack.empty()) event["subject"] = of.stack;
  std::string text = bj::serialize(event);
  text.pop_back();
  return text + ",\"data\":" + to_json(of) + "}";
}

std::string slack_message(const report& of) {
  bj::array blocks;
  blocks.push_back(bj::object{{"type", "header"}, {"text", slack_text(headline(of), 150)}});
  for (const std::string& each : paragraphs(of))
    blocks.push_back(bj::object{{"type", "section"}, {"text", slack_text(each, 3000)}});
  std::string links;
  if (!of.url.empty()) links = slack_link(of.url, "open the run");
  if (!of.approve_url.empty())
    links += (links.empty() ? "" : " · ") + slack_link(of.approve_url, "approve");
  if (!links.empty()) {
    blocks.push_back(
        bj::object{{"type", "context"},
                   {"elements", bj::array{bj::object{{"type", "mrkdwn"}, {"text", links}}}}});
  }
  return bj::serialize(bj::object{{"text", slack_escaped(headline(of))}, {"blocks", blocks}});
}

std::string teams_message(const report& of) {
  bj::array body;
  body.push_back(text_block(headline(of), true));
  for (const std::string& each : paragraphs(of)) body.push_back(text_block(each, false));
  bj::object card{{"$schema", "http://adaptivecards.io/schemas/adaptive-card.json"},
                  {"type", "AdaptiveCard"},
                  {"version", "1.4"},
                  {"fallbackText", headline(of)},
                  {"body", std::move(body)}};
  bj::array actions;
  if (!of.url.empty())
    actions.push_back(
        bj::object{{"type", "Action.OpenUrl"}, {"title", "Open the run"}, {"url", of.url}});
  if (!of.approve_url.empty())
    actions.push_back(
        bj::object{{"type", "Action.OpenUrl"}, {"title", "Approve"}, {"url", of.approve_url}});
  if (!actions.empty()) card["actions"] = std::move(actions);
  return bj::serialize(
      bj::object{{"type", "message"},
                 {"attachments",
                  bj::array{bj::object{{"contentType", "application/vnd.microsoft.card.adaptive"},
                                       {"contentUrl", nullptr},
                                       {"content", std::move(card)}}}}});
}

std::string hcp_message(const report& of, const rule& by) {
  const auto words = hcp_words_of(of.what);
  const auto or_null = [](const std::string& text) -> bj::value {
    return text.empty() ? bj::value(nullptr) : bj::value(text);
  };
  const bj::value at = stamp_of(of.at).c_str();
  bj::object told{
      {"message", headline(of)},
      {"trigger", words.trigger},
      {"run_status", words.status.empty() ? bj::value(nullptr) : bj::value(words.status)},
      {"run_updated_at", at},
      {"run_updated_by", or_null(of.by)}};
  const std::string_view stack = of.stack;
  const auto slash = stack.find('/');
  return bj::serialize(bj::object{
      {"payload_version", 1},
      {"notification_configuration_id", by.name},
      {"run_url", or_null(of.url)},
      {"run_id", or_null(of.run)},
      {"run_message", joined(facts_of(of), "; ")},
      {"run_created_at", of.started_at ? bj::value(stamp_of(*of.started_at)) : bj::value(nullptr)},
      {"run_created_by", or_null(of.by)},
      {"workspace_id", or_null(of.stack)},
      {"workspace_name", or_null(of.stack)},
      {"organization_name", or_null(std::string{stack.substr(0, slash == stack.npos ? 0 : slash)})},
      {"notifications", bj::array{std::move(told)}}});
}

std::string plain_text(const report& of) {
  std::string text = headline(of) + "\n";
  for (const std::string& each : paragraphs(of)) text += "\n" + each + "\n";
  if (!of.url.empty()) text += "\nrun: " + of.url + "\n";
  if (!of.approve_url.empty()) text += "approve: " + of.approve_url + "\n";
  return text;
}

std::string mail_message(const report& of, const rule& by) {
  std::string text = "From: " + by.from + "\nTo: " + joined(by.to, ", ") +
                     "\nSubject: " + header_words(headline(of)) + "\nDate: " + mail_date(of.at) +
                     "\nMessage-ID: <" + of.id + "@tofud>\n";
  if (!of.resolves.empty()) text += "In-Reply-To: <" + of.resolves + "@tofud>\n";
  text +=
      "Auto-Submitted: auto-generated\nMIME-Version: 1.0\nContent-Type: text/plain; "
      "charset=utf-8\nContent-Transfer-Encoding: base64\n\n";
  // Lines of any length and of any character survive it.
  const std::string body = plain_text(of);
  for (std::size_t at = 0; at < body.size(); at += 54)
    text += text::to_base64(std::string_view{body}.substr(at, 54)) + "\n";
  return text;
}

client::request post_of(const report& of, const rule& by, const std::string& source,
                        std::int64_t sent_at) {
  client::request made{"POST", ""};
  std::string type = "application/json";
  switch (by.where) {
    case target::slack:
      made.body = slack_message(of);
      break;
    case target::teams:
      made.body = teams_message(of);
      break;
    case target::hcp:
      made.body = hcp_message(of, by);
      if (!by.secret.empty()) {
        made.headers.push_back(
            {"X-TFE-Notification-Signature", hcp_signature(by.secret, made.body)});
      }
      break;
    case target::webhook:
    case target::mail:
    case target::command:
      made.body = cloud_event(of, source);
      type = "application/cloudevents+json; charset=utf-8";
      made.headers.push_back({"webhook-id", of.id});
      made.headers.push_back({"webhook-timestamp", std::to_string(sent_at)});
      if (const auto key = webhook_key(by.secret)) {
        made.headers.push_back(
            {"webhook-signature", webhook_signature(*key, of.id, sent_at, made.body)});
      }
      break;
  }
  made.headers.push_back({"Content-Type", type});
  return made;
}

}  // namespace tofud::notify
