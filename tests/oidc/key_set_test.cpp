#include "daemon/oidc/key_set.hpp"

#include "daemon/oidc/errors.hpp"

#include <gtest/gtest.h>

namespace tofud::oidc {
namespace {

// The examples of RFC 7515, appendices A.2 and A.3.
constexpr std::string_view rsa_key =
    R"({"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ","e":"AQAB"})";
constexpr std::string_view rsa_text =
    "eyJhbGciOiJSUzI1NiJ9."
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_"
    "O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_"
    "nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQB"
    "MHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-"
    "eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igc"
    "N"
    "_IoypGlUPQGe77Rw";
constexpr std::string_view curve_key =
    R"({"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})";
constexpr std::string_view curve_text =
    "eyJhbGciOiJFUzI1NiJ9."
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

using verdict = key_set::verdict;

std::string set_of(std::string_view keys) { return "{\"keys\":[" + std::string{keys} + "]}"; }

verdict judged(std::string_view keys, std::string_view text) {
  const auto set = key_set::read(set_of(keys));
  const auto token = read_web_token(text);
  EXPECT_TRUE(set) << set.error().text();
  EXPECT_TRUE(token) << token.error().text();
  return set && token ? set->judge(text, *token) : verdict::wrong;
}

std::string with(std::string_view key, std::string_view members) {
  return std::string{key.substr(0, key.size() - 1)} + "," + std::string{members} + "}";
}

TEST(KeySet, KnowsWhatTheRfcHasSigned) {
  EXPECT_EQ(judged(rsa_key, rsa_text), verdict::signed_by_one);
  EXPECT_EQ(judged(curve_key, curve_text), verdict::signed_by_one);
  EXPECT_EQ(judged(std::string{rsa_key} + "," + std::string{curve_key}, curve_text),
            verdict::signed_by_one);
}

TEST(KeySet, RefusesEverySignatureThatIsAnother) {
  for (const auto& [key, text] : {std::pair{rsa_key, rsa_text}, std::pair{curve_key, curve_text}}) {
    const std::size_t from = text.rfind('.') + 1;
    for (std::size_t at = from; at < text.size() - 1; at += 7) {
      std::string other{text};
      other[at] = other[at] == 'A' ? 'B' : 'A';
      EXPECT_EQ(judged(key, other), verdict::wrong) << at;
    }
    std::string zeros{text};
    std::fill(zeros.begin() + static_cast<std::ptrdiff_t>(from), zeros.end(), 'A');
    EXPECT_EQ(judged(key, zeros), verdict::wrong);
    EXPECT_EQ(judged(key, std::string{text.substr(0, from)} + "AAAA"), verdict::wrong);
    EXPECT_EQ(judged(key, std::string{text} + "AAAA"), verdict::wrong);
  }
}

TEST(KeySet, AsksTheKeyThatIsNamedOnly) {
  std::string named{rsa_text};
  // {"alg":"RS256","kid":"b"}
  named.replace(0, named.find('.'), "eyJhbGciOiJSUzI1NiIsImtpZCI6ImIifQ");
  EXPECT_EQ(judged(with(rsa_key, R"("kid":"a")"), named), verdict::no_such_key);
  EXPECT_EQ(judged(with(rsa_key, R"("kid":"b")"), named), verdict::wrong);  // its header is another
  EXPECT_EQ(judged(with(rsa_key, R"("kid":"a")"), rsa_text), verdict::signed_by_one);
  EXPECT_EQ(judged(with(rsa_key, R"("kid":"a")") + "," + with(rsa_key, R"("kid":"b")"), rsa_text),
            verdict::no_such_key);
}

TEST(KeySet, AKeyOfAnotherKindOrUseIsNone) {
  for (const char* members : {R"("use":"enc")", R"("key_ops":["encrypt"])"})
    EXPECT_TRUE(key_set::read(set_of(with(rsa_key, members))).error().is(error::no_usable_key));
  EXPECT_EQ(judged(with(rsa_key, R"("use":"sig","key_ops":["verify"],"alg":"RS256")"), rsa_text),
            verdict::signed_by_one);
  EXPECT_EQ(judged(with(rsa_key, R"("alg":"PS256")"), rsa_text), verdict::no_such_key);
  EXPECT_EQ(judged(curve_key, rsa_text), verdict::no_such_key);
  EXPECT_EQ(judged(rsa_key, curve_text), verdict::no_such_key);
}

TEST(KeySet, IsReadFromAnything) {
  for (const char* text : {"", "[]", "{}", "{\"keys\":1}"})
    EXPECT_TRUE(key_set::read(text).error().is(error::bad_key_set)) << text;
  for (const char* keys :
       {"", "1", "{}", R"({"kty":"RSA"})", R"({"kty":"RSA","n":"AQAB","e":"AQAB"})",
        R"({"kty":"oct","k":"c2VjcmV0"})", R"({"kty":"RSA","n":"AQAB","e":"A=tue659LNpWI5a0"})",
        R"({"kty":"RSA","n":"AQAB=","e":"AQAB"})", R"({"kty":"RSA","n":"","e":"AQAB"})",
        R"({"kty":"RSA","n":7,"e":[]})", R"({"kty":"EC","crv":"P-256","x":"=","y":"A"})",
        R"({"kty":"EC","crv":"P-256","x":"AA","y":"AA"})",
        R"({"kty":"EC","crv":"P-256K","x":"AA","y":"AA"})"}) {
    EXPECT_TRUE(key_set::read(set_of(keys)).error().is(error::no_usable_key)) << keys;
  }
}

}  // namespace
}  // namespace tofud::oidc
