#include "daemon/stack/backend_mark.hpp"

#include <gtest/gtest.h>

namespace tofud::stack {
namespace {

std::string s3(const std::string& settings) {
  return R"({"version":3,"backend":{"type":"s3","config":{)" + settings + "}}}";
}

TEST(BackendMark, IsSixHexDigits) {
  const std::string mark = backend_mark(s3(R"("bucket":"b","key":"k")"));
  EXPECT_EQ(mark.size(), 6U);
  EXPECT_EQ(mark.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(BackendMark, DiffersForDifferentStates) {
  EXPECT_NE(backend_mark(s3(R"("bucket":"b","key":"prod")")),
            backend_mark(s3(R"("bucket":"b","key":"test")")));
  EXPECT_NE(backend_mark(s3(R"("bucket":"b")")),
            backend_mark(R"({"backend":{"type":"gcs","config":{"bucket":"b"}}})"));
}

TEST(BackendMark, DoesNotDependOnOrderOrSecrets) {
  EXPECT_EQ(backend_mark(s3(R"("bucket":"b","key":"k")")),
            backend_mark(s3(
                R"("secret_key":"s3cr3t","key":"k","access_key":null,"bucket":"b","prefix":"")")));
}

TEST(BackendMark, DefaultLocalBackendHasNone) {
  EXPECT_EQ(backend_mark(R"({"backend":{"type":"local","config":{"path":null}}})"), "");
  EXPECT_NE(backend_mark(R"({"backend":{"type":"local","config":{"path":"/srv/s"}}})"), "");
}

TEST(BackendMark, OtherDocumentHasNone) {
  for (const char* text : {"", "{", "[]", "{}", R"({"backend":7})", R"({"backend":{}})"}) {
    EXPECT_EQ(backend_mark(text), "") << text;
    EXPECT_EQ(backend_type(text), "") << text;
  }
}

TEST(BackendType, IsReadFromTheConfiguration) { EXPECT_EQ(backend_type(s3("")), "s3"); }

}  // namespace
}  // namespace tofud::stack
