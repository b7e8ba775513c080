#include "daemon/redaction/redaction.hpp"

#include "daemon/redaction/secret_names.hpp"
#include "protocol/redact/limits.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/stat.h>

namespace tofud {
namespace {

using redact::secret;

bool has(const std::vector<secret>& found, std::string_view value) {
  return std::any_of(found.begin(), found.end(),
                     [value](const secret& each) { return each.value == value; });
}

TEST(SecretNames, UsualVariablesAreSecret) {
  for (const char* name :
       {"GITHUB_TOKEN", "CI_JOB_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
        "ARM_CLIENT_SECRET", "ARM_ACCESS_KEY", "PGPASSWORD", "TF_VAR_db_password", "TF_VAR_token",
        "TF_TOKEN_app_terraform_io", "VAULT_TOKEN", "DD_API_KEY", "DATADOG_APIKEY", "AZDO_PAT",
        "SSH_PRIVATE_KEY", "GOOGLE_CREDENTIALS", "MYSQL_PASSWD", "TF_ENCRYPTION"}) {
    EXPECT_TRUE(redaction::is_secret_name(name)) << name;
  }
}

TEST(SecretNames, NamesOfIdsPathsAndPropertiesOfSecretsAreNotSecret) {
  for (const char* name :
       {"PATH", "PWD", "HOME", "AWS_ACCESS_KEY_ID", "SSH_AUTH_SOCK", "TOKEN_TTL", "PASSWORD_LENGTH",
        "ACTIONS_ID_TOKEN_REQUEST_URL", "KEYBOARD", "TF_VAR_region", "MONKEY", "TOKEN_TYPE"}) {
    EXPECT_FALSE(redaction::is_secret_name(name)) << name;
  }
}

TEST(Redaction, SwitchesShortValuesAndNumbersAreNoSecrets) {
  EXPECT_TRUE(redaction::secrets_of({"MY_TOKEN=true", "MY_SECRET=disabled", "TOKEN_BYTES=360000",
                                     "API_TOKEN=abc", "=odd", "noequals", "PATH_TOKEN="})
                  .empty());
}

TEST(Redaction, APasswordInAUrlIsOneUnderAnyName) {
  const auto found =
      redaction::secrets_of({"DATABASE_URL=postgres://app:p%40ssw0rd@db:5432/app?x=@y"});
  EXPECT_TRUE(has(found, "p%40ssw0rd"));
  EXPECT_TRUE(has(found, "p@ssw0rd"));
  EXPECT_EQ(found.size(), 2U);
  EXPECT_TRUE(
      redaction::secrets_of({"SITE=https://user@host/a:b@c", "X=https://h/?q=a:b@c"}).empty());
}

TEST(Redaction, ContentOfANamedFileIsSecret) {
  const tests::scratch_directory scratch;
  const std::string key = scratch.path() + "/key.json";
  std::ofstream{key} << R"({"type":"service_account","private_key":"-----BEGIN\nMIIsecret\n",)"
                     << R"("auth_uri":"https://accounts.example/"})";
  const auto found = redaction::secrets_of({"GOOGLE_APPLICATION_CREDENTIALS=" + key,
                                            "TF_VAR_private_key_path=" + scratch.path(),
                                            "X_PASSWORD_FILE=" + scratch.path() + "/none"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "GOOGLE_APPLICATION_CREDENTIALS");
  EXPECT_EQ(found[0].value, "-----BEGIN\nMIIsecret\n");
}

TEST(Redaction, EachStringOfAListIsSecret) {
  const auto found = redaction::secrets_of({R"(TF_VAR_passwords=["first-one", "second-one"])"});
  EXPECT_TRUE(has(found, "first-one"));
  EXPECT_TRUE(has(found, "second-one"));
}

TEST(Redaction, SecretVariablesInTfCliArgsAreSecret) {
  const auto found = redaction::secrets_of(
      {R"(TF_CLI_ARGS_apply=-auto-approve -var 'db_password=two words' --var=api_token="in quotes" )"
       R"(-var region=eu-central-1 -var-file=secret_token=x.tfvars)"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], (secret{"db_password", "two words"}));
  EXPECT_EQ(found[1], (secret{"api_token", "in quotes"}));
}

TEST(Redaction, VariablesOnTheCommandLineAreLikeThoseOfTheEnvironment) {
  const redaction::environment_list variables = redaction::variables_of(
      {"tofu", "apply", "-var", "db_password=two words", "--backend-config=secret_key=k3y-of-it",
       "-var-file=x.tfvars", "-var", "region=here", "saved.tfplan"});
  EXPECT_EQ(variables,
            (redaction::environment_list{"TF_VAR_db_password=two words",
                                         "TF_VAR_secret_key=k3y-of-it", "TF_VAR_region=here"}));
  EXPECT_EQ(redaction::secrets_of(variables).size(), 2U);
}

TEST(Redaction, PassphraseInABlockIsSecret) {
  const auto found = redaction::secrets_of(
      {"TF_ENCRYPTION=key_provider \"pbkdf2\" \"k\" {\n  passphrase = \"correct-horse\"\n}\n"});
  EXPECT_TRUE(has(found, "correct-horse"));
  EXPECT_FALSE(has(found, "pbkdf2"));
}

TEST(Redaction, ALabelsNameMakesItsValueASecret) {
  redact::rules rules;
  rules.salt = "sixteen bytes...";
  rules.secrets = {{"X", "left=right"}};
  std::vector<feed::label> labels = {{"left", "right"}, {"team", "net"}, {"a left", "right b"}};
  redaction::redact_labels(labels, rules);
  EXPECT_TRUE(labels[0].key.starts_with("(redacted:")) << labels[0].key;
  EXPECT_EQ(labels[0].value, "");
  EXPECT_EQ(labels[1].key, "team");
  EXPECT_EQ(labels[1].value, "net");
  EXPECT_EQ(labels[2].key.find("left"), std::string::npos);
  EXPECT_EQ(labels[2].value.find("right"), std::string::npos);
}

TEST(MaskFile, HoldsAValueALineWithCommentsAndNames) {
  const auto found = redaction::parse_mask_lines(
      "# what we know\n\n plain value \nDB=s3cr3t=x\nQUOTED=\"in quotes\"\r\ndGVzdA====\n");
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_TRUE(has(*found, "plain value"));
  EXPECT_TRUE(has(*found, "s3cr3t=x"));
  EXPECT_TRUE(has(*found, "in quotes"));
  EXPECT_TRUE(has(*found, "dGVzdA===="));
  EXPECT_EQ(found->front().name, "mask-file");
  EXPECT_TRUE(std::any_of(found->begin(), found->end(),
                          [](const secret& each) { return each.name == "DB"; }));
}

TEST(MaskFile, TooShortValueNamesItsLine) {
  EXPECT_EQ(redaction::parse_mask_lines("long enough\nabc\n").error().text(),
            "line 2 has a value of only 3 characters; values below 6 characters match too much "
            "text, so remove it");
  EXPECT_EQ(redaction::parse_mask_lines("DB_PASSWORD=abc").error().text(),
            "line 1: the value of DB_PASSWORD has only 3 characters; values below 6 characters "
            "match too much text, so remove it");
}

TEST(MaskFile, UnreadableFileIsNamed) {
  const tests::scratch_directory scratch;
  EXPECT_EQ(redaction::refusal_of_mask_file(""), "");
  EXPECT_EQ(redaction::refusal_of_mask_file(scratch.path() + "/none"),
            "the mask file can't be used: can't read " + scratch.path() +
                "/none: No such file or directory");
  EXPECT_EQ(redaction::refusal_of_mask_file("/dev/null"),
            "the mask file can't be used: /dev/null is not a regular file");
  const std::string large = scratch.path() + "/large";
  std::ofstream{large} << std::string(limits::mask_file_bytes + 1, 'x');
  EXPECT_EQ(redaction::refusal_of_mask_file(large),
            "the mask file can't be used: " + large + " is larger than 256 KiB");
}

TEST(Redaction, FreshRulesHaveSaltOfTheirOwn) {
  const auto one = redaction::rules_here({}, "");
  const auto other = redaction::rules_here({}, "");
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->salt.size(), 16U);
  EXPECT_NE(one->salt, other->salt);
}

TEST(Redaction, ProvisionerOutputFollowsTheEnvironment) {
  using redact::provisioner_output;
  EXPECT_EQ(redaction::rules_here({}, "")->provisioners, provisioner_output::mask);
  EXPECT_EQ(redaction::rules_here({"TOFUD_PROVISIONER_OUTPUT=drop"}, "")->provisioners,
            provisioner_output::drop);
  EXPECT_EQ(redaction::rules_here({"TOFUD_PROVISIONER_OUTPUT=all"}, "").error().text(),
            "TOFUD_PROVISIONER_OUTPUT is all; use mask (redact secrets in provisioner output) or "
            "drop (leave it out)");
}

TEST(Redaction, FrozenRulesDoNotFollowTheEnvironment) {
  const tests::scratch_directory scratch;
  const std::string spool = scratch.path() + "/20261121T0312-7f3a.jsonl";
  const auto first = redaction::frozen_rules(spool, {"MY_TOKEN=first-value"}, "");
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_TRUE(has(first->secrets, "first-value"));
  struct stat facts {};
  ASSERT_EQ(::stat((scratch.path() + "/20261121T0312-7f3a.mask").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
  const auto again = redaction::frozen_rules(spool, {"MY_TOKEN=other-value"}, "/no/such/file");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, *first);
}

TEST(Redaction, AnInvalidMaskIsAnErrorWithASentence) {
  const tests::scratch_directory scratch;
  const std::string mask = scratch.path() + "/x.mask";
  std::ofstream{mask} << R"({"tofud_mask":7})";
  const auto found = redaction::read_frozen_mask(mask);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text(),
            mask +
                ": this rules file has version 7, but this tofud knows version 2: use "
                "the tofud that wrote it");
}

}  // namespace
}  // namespace tofud
