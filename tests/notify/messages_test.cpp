#include "daemon/notify/messages.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace tofud::notify {
namespace {

namespace bj = boost::json;

report hostile() {
  report of;
  of.what = occasion::failed;
  of.id = "msg_1";
  of.run = "20261126T0000-aaaa";
  of.stack = "<!channel> @here </at> [x](https://evil) *b* <https://evil|x>";
  of.command = "apply";
  of.status = "failed";
  of.at = *ui::parse_timestamp("2026-11-26T10:00:00Z");
  of.errors = 4;
  of.first_errors = {{"<!everyone> & <@U1> \"quoted\"", "a[\"<b>\"]", "main.tf:3", "", ""}};
  of.url = "https://tofud.example.com/?run=a|b>c";
  return of;
}

TEST(Messages, OfSlackMentionNobodyAndLinkToOurPageOnly) {
  const auto whole = bj::parse(slack_message(hostile()));
  const std::string text{whole.at("text").as_string()};
  EXPECT_EQ(text.find('<'), text.npos) << text;
  for (const bj::value& each : whole.at("blocks").as_array()) {
    const std::string type{each.at("type").as_string()};
    if (type == "context") {
      EXPECT_EQ(each.at("elements").as_array()[0].at("text").as_string(),
                "<https://tofud.example.com/?run=a%7Cb&gt;c|open the run>");
    } else {
      EXPECT_EQ(each.at("text").at("type").as_string(), "plain_text");
    }
  }
}

TEST(Messages, OfTeamsAreTextRunsWithoutMarkdown) {
  const auto whole = bj::parse(teams_message(hostile()));
  const auto& card = whole.at("attachments").as_array()[0].at("content");
  for (const bj::value& each : card.at("body").as_array()) {
    EXPECT_EQ(each.at("type").as_string(), "RichTextBlock");
    for (const bj::value& inner : each.at("inlines").as_array())
      EXPECT_EQ(inner.at("type").as_string(), "TextRun");
  }
  EXPECT_EQ(card.at("actions").as_array().size(), 1U);
  EXPECT_FALSE(card.as_object().contains("msteams"));
}

// Every member of the example in HashiCorp's documentation, of the same kind.
TEST(Messages, OfHcpHaveTheMembersOfItsDocumentation) {
  const auto example = bj::parse(R"({
    "payload_version": 1, "notification_configuration_id": "nc-AeUQ2zfKZzW9TiGZ",
    "run_url": "https://app.terraform.io/app/acme-org/my-workspace/runs/run-FwnENkvDnrpyFC7M",
    "run_id": "run-FwnENkvDnrpyFC7M", "run_message": "Add five new queue workers",
    "run_created_at": "2019-01-25T18:34:00.000Z", "run_created_by": "sample-user",
    "workspace_id": "ws-XdeUVMWShTesDMME", "workspace_name": "my-workspace",
    "organization_name": "acme-org",
    "notifications": [{"message": "Run Canceled", "trigger": "run:errored", "run_status": "canceled",
      "run_updated_at": "2019-01-25T18:37:04.000Z", "run_updated_by": "sample-user"}]})");
  rule by;
  by.name = "hcp";
  report of = hostile();
  of.stack = "acme/infra";
  of.by = "jane";
  of.started_at = of.at;
  const auto made = bj::parse(hcp_message(of, by));
  const auto same_members = [](const bj::object& wanted, const bj::object& got) {
    for (const auto& [key, value] : wanted) {
      ASSERT_TRUE(got.contains(key)) << key;
      EXPECT_EQ(got.at(key).kind(), value.kind()) << key;
    }
    EXPECT_EQ(got.size(), wanted.size());
  };
  same_members(example.as_object(), made.as_object());
  same_members(example.at("notifications").as_array()[0].as_object(),
               made.at("notifications").as_array()[0].as_object());
  EXPECT_EQ(made.at("organization_name").as_string(), "acme");
  EXPECT_EQ(made.at("notifications").as_array()[0].at("trigger").as_string(), "run:errored");
}

TEST(Messages, OfMailHaveAHeaderThatNothingGetsOutOf) {
  rule by;
  by.from = "tofud@example.com";
  by.to = {"a@example.com", "b@example.com"};
  report of = hostile();
  of.stack = "näme\nBcc: evil@example.com";
  const std::string mail = mail_message(of, by);
  const std::string head = mail.substr(0, mail.find("\n\n"));
  EXPECT_EQ(head.find("\nBcc"), head.npos) << head;
  EXPECT_NE(head.find("\nTo: a@example.com, b@example.com\n"), head.npos) << head;
  EXPECT_NE(head.find("\nDate: Thu, 26 Nov 2026 10:00:00 +0000\n"), head.npos) << head;
  EXPECT_NE(head.find("Subject: =?UTF-8?B?"), head.npos) << head;
  for (std::size_t at = 0; at < mail.size();) {
    const auto end = std::min(mail.find('\n', at), mail.size());
    EXPECT_LE(end - at, 78U);
    at = end + 1;
  }
}

TEST(Messages, AreSignedOverWhatIsSent) {
  rule by;
  by.secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const auto made = post_of(hostile(), by, "https://tofud.example.com/", 1614265330);
  const auto header = [&](std::string_view name) {
    for (const auto& each : made.headers)
      if (each.name == name) return each.value;
    return std::string{};
  };
  EXPECT_EQ(header("webhook-id"), "msg_1");
  EXPECT_EQ(header("webhook-timestamp"), "1614265330");
  EXPECT_EQ(header("webhook-signature").substr(0, 3), "v1,");
  const auto event = bj::parse(made.body);
  EXPECT_EQ(event.at("specversion").as_string(), "1.0");
  EXPECT_EQ(event.at("type").as_string(), "tofud.run.failed");
  EXPECT_EQ(event.at("data").at("first_errors").as_array().size(), 1U);
}

}  // namespace
}  // namespace tofud::notify
