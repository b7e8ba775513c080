// What is kept of an upload beside its spool.
#include "daemon/forward/upload_record.hpp"

#include "daemon/files/private_file.hpp"
#include "daemon/forward/sending_lock.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>

namespace tofud::forward {
namespace {

TEST(UploadRecord, ReadsWhatItWrites) {
  upload_record record = new_upload();
  record.server = "unix:/run/tofud/tofud.sock";
  record.rules = "sha256:1";
  record.started_at = "2026-11-21T03:12:00Z";
  record.run = "20261121T0312-7f3a";
  record.url = "http://127.0.0.1:8638/?run=20261121T0312-7f3a";
  EXPECT_EQ(parse_record(to_text(record)), record);
  record.complete = true;
  record.stopped = upload_stop{upload_stop::until::never, "diverged", "it \"said\" so"};
  EXPECT_EQ(parse_record(to_text(record)), record);
}

TEST(UploadRecord, EveryUploadHasANameAndASecretOfItsOwn) {
  const upload_record one = new_upload(), other = new_upload();
  EXPECT_EQ(one.upload_id.size(), 32u);
  EXPECT_EQ(one.upload_secret.size(), 64u);
  EXPECT_NE(one.upload_id, other.upload_id);
  EXPECT_NE(one.upload_secret, other.upload_secret);
}

TEST(UploadRecord, AnInvalidRecordIsRefused) {
  for (const char* text :
       {"", "[]", "{}", R"({"upload_id":"x"})", R"({"upload_id":7})", "torn {"}) {
    EXPECT_FALSE(parse_record(text)) << text;
  }
}

TEST(UploadRecord, OwesUntilItIsCompleteOrStoppedForGood) {
  upload_record record = new_upload();
  EXPECT_TRUE(record.owes());
  record.stopped = upload_stop{upload_stop::until::asked, "refused", ""};
  EXPECT_TRUE(record.owes());
  record.stopped->again = upload_stop::until::never;
  EXPECT_FALSE(record.owes());
  record.stopped.reset();
  record.complete = true;
  EXPECT_FALSE(record.owes());
}

class UploadFile : public testing::Test {
 protected:
  tests::scratch_directory scratch_;
  std::string path_ = scratch_.path() + "/x.upload";
};

TEST_F(UploadFile, IsForItsOwnerOnly) {
  const upload_record record = new_upload();
  ASSERT_EQ(save_record(path_, record).text(), "");
  struct stat facts {};
  ASSERT_EQ(::stat(path_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  EXPECT_EQ(load_record(path_), record);
}

TEST_F(UploadFile, IsReplacedAtomically) {
  ASSERT_EQ(save_record(path_, new_upload()).text(), "");
  const upload_record record = new_upload();
  ASSERT_EQ(save_record(path_, record).text(), "");
  EXPECT_EQ(load_record(path_), record);
  const std::filesystem::directory_iterator files{scratch_.path()}, end;
  EXPECT_EQ(std::distance(files, end), 1);
}

TEST_F(UploadFile, FailureIsASentence) {
  const std::string nowhere = scratch_.path() + "/no/x.upload";
  EXPECT_EQ(save_record(nowhere, new_upload()).text(),
            "can't write " + nowhere + ": No such file or directory");
  EXPECT_FALSE(load_record(nowhere));
  EXPECT_FALSE(files::read_private(scratch_.path()));
}

TEST_F(UploadFile, OneProcessSendsAtATime) {
  sending_lock first{path_};
  EXPECT_TRUE(first.taken());
  EXPECT_FALSE(sending_lock{path_}.taken());
}

TEST_F(UploadFile, WithoutALockItSendsAllTheSame) {
  EXPECT_TRUE(sending_lock{scratch_.path() + "/no/x.sending"}.taken());
}

}  // namespace
}  // namespace tofud::forward
