#include "daemon/archive/bucket_place.hpp"

#include "daemon/archive/credentials.hpp"
#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::archive {
namespace {

TEST(Place, IsAPathOrABucket) {
  for (const char* good :
       {"/srv/archive", "s3://runs", "s3://runs/", "s3://my.runs/a/b_c/2026-11", "s3://runs/a/"})
    EXPECT_TRUE(check_place(good).empty()) << good;
  for (const char* bad : {"archive", "s3:/runs", "s3://", "s3://ab", "s3://Runs", "s3://-runs",
                          "s3://runs/a//b", "s3://runs/../x", "s3://runs/./x", "s3://runs/a b",
                          "s3://runs/ä", "s3://a..b", "https://runs", "s3://runs//"})
    EXPECT_FALSE(check_place(bad).empty()) << bad;
}

TEST(Place, OfAServiceIsEncryptedUnlessItIsHere) {
  for (const char* good : {"https://s3.example.com", "https://s3.example.com:9000",
                           "http://127.0.0.1:9000", "http://localhost", "http://[::1]:9000"})
    EXPECT_TRUE(check_endpoint(good).empty()) << good;
  for (const char* bad :
       {"s3.example.com", "http://s3.example.com", "https://", "https://a/b", "https://user@host",
        "http://127.0.0.1.evil.example", "ftp://127.0.0.1", "http://localhost.evil.example:1"})
    EXPECT_FALSE(check_endpoint(bad).empty()) << bad;
}

TEST(Bucket, IsInTheHostOnlyWhereACertificateFits) {
  const auto url = [](const std::string& to, const std::string& endpoint) {
    return url_of({to, endpoint, "eu-central-1", "", ""}, *parse_bucket(to), "runs/a/header.json");
  };
  EXPECT_EQ(url("s3://runs", ""), "https://runs.s3.eu-central-1.amazonaws.com/runs/a/header.json");
  EXPECT_EQ(url("s3://my.runs/p", ""),
            "https://s3.eu-central-1.amazonaws.com/my.runs/p/runs/a/header.json");
  EXPECT_EQ(url("s3://runs/p/q", "https://minio:9000"),
            "https://minio:9000/runs/p/q/runs/a/header.json");
}

TEST(Bucket, WhatItAnswersIsOneLineOfText) {
  const auto said = read_answer(
      "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>no\n\x1b[31mway</Message>"
      "</Error>");
  EXPECT_EQ(said.code, "AccessDenied");
  EXPECT_EQ(said.message.find('\n'), std::string::npos);
  EXPECT_EQ(said.message.find('\x1b'), std::string::npos);
  EXPECT_EQ(read_answer("<Code>cut").code, "");
  EXPECT_EQ(read_answer("").message, "");
  EXPECT_LT(read_answer("<Code>" + std::string(9999, 'x') + "</Code>").code.size(), 250U);
}

TEST(Credentials, AreTheDefaultOnesOfTheirFile) {
  const journal::scratch_root room;
  const std::string path = room / "credentials", said = "the archive's credentials: ";
  const auto read = [&](const std::string& text) {
    journal::put_text(path, text);
    return read_credentials(path);
  };
  const auto all = read(
      "# made by hand\n[other]\naws_access_key_id = no\n\n[default]\naws_access_key_id = AKIA\n"
      "aws_secret_access_key=s/+cr=t\naws_session_token = tok\n");
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->key_id, "AKIA");
  EXPECT_EQ(all->secret, "s/+cr=t");
  EXPECT_EQ(all->session_token, "tok");
  EXPECT_EQ(read("[default]\naws_access_key_id=A\n").error().text(),
            said + path +
                " has no aws_secret_access_key in its section [default]; write it as `aws "
                "configure` does");
  EXPECT_EQ(read("").error().text(),
            said + path +
                " has no aws_access_key_id in its section [default]; write it as `aws "
                "configure` does");
  const std::string torn = read("[default\nhunter2\n").error().text();
  EXPECT_EQ(torn.find("hunter2"), std::string::npos) << torn;
  EXPECT_TRUE(torn.starts_with(said + path + ": line 1: ")) << torn;
  EXPECT_FALSE(read_credentials(room / "none"));
}

}  // namespace
}  // namespace tofud::archive
