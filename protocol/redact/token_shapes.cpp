#include "protocol/redact/token_shapes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tofud::redact {
namespace {

using namespace std::string_view_literals;

enum chars : std::uint16_t {
  upper = 1,
  lower = 2,
  digit = 4,
  underscore = 8,
  minus = 16,
  plus_slash = 32,
  equals = 64,
  dot = 128,
  tilde = 256,
  percent = 512,
};
constexpr unsigned letters = upper | lower;
constexpr unsigned alnum = letters | digit;
constexpr unsigned word = alnum | underscore;
constexpr unsigned base64 = alnum | plus_slash;
constexpr unsigned base64_url = word | minus;

constexpr auto classes = [] {
  std::array<std::uint16_t, 256> table{};
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = upper;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = lower;
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = digit;
  table['_'] = underscore;
  table['-'] = minus;
  table['+'] = table['/'] = plus_slash;
  table['='] = equals;
  table['.'] = dot;
  table['~'] = tilde;
  table['%'] = percent;
  return table;
}();

bool is(char c, unsigned among) { return (classes[static_cast<std::uint8_t>(c)] & among) != 0; }

std::size_t run_end(std::string_view text, std::size_t from, unsigned among) {
  while (from < text.size() && is(text[from], among)) ++from;
  return from;
}

/// Whether a terminal's sequence such as ESC [ 1 ; 31 m ends there: its last letter belongs to no
/// word. The ESC itself may be gone, or written in some way.
bool after_sequence(std::string_view text, std::size_t at) {
  constexpr std::string_view parameters = "0123456789;:?";
  if (at < 2 || !is(text[at - 1], letters)) return false;
  const std::size_t bracket = text.substr(0, at - 1).find_last_not_of(parameters);
  return bracket != text.npos && (text[bracket] == '[' || text[bracket] == '(');
}

/// The text without the sequences of a terminal at its end, such as ESC [ 0 m.
std::string_view without_sequences(std::string_view text) {
  constexpr std::string_view parameters = "0123456789;:?";
  while (!text.empty() && is(text.back(), letters)) {
    const std::size_t bracket = text.substr(0, text.size() - 1).find_last_not_of(parameters);
    if (bracket == text.npos || text[bracket] != '[') break;
    text = text.substr(0, bracket);
    for (const std::string_view escape : {"\x1b"sv, "\\u001b"sv, "\\u001B"sv, "\\033"sv, "\\e"sv}) {
      if (!text.ends_with(escape)) continue;
      text.remove_suffix(escape.size());
      break;
    }
  }
  return text;
}

bool after(std::string_view text, std::size_t at, unsigned among) {
  return at > 0 && is(text[at - 1], among) && !after_sequence(text, at);
}

// The anchor and what follows it: characters of `Among`, from `Least` to `Most` of them.
template <unsigned Among, std::size_t Least, std::size_t Most = 0>
look prefixed(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t stop = run_end(text, end, Among);
  const bool fits = stop - end >= Least && (Most == 0 || stop - end <= Most);
  if (!fits || after(text, begin, alnum)) return {0, 0, stop};
  return {begin, stop, stop};
}

// What follows the anchor, behind a sign such as = or ": ".
template <unsigned Among, std::size_t Least, std::size_t Most = 0>
look value_of(std::string_view text, std::size_t, std::size_t end) {
  std::size_t from = end;
  while (from < text.size() && from < end + 6 && " \t=:\"'\\"sv.find(text[from]) != ""sv.npos)
    ++from;
  const std::size_t stop = run_end(text, from, Among);
  const bool fits = stop - from >= Least && (Most == 0 || stop - from <= Most);
  if (!fits) return {0, 0, stop};
  return {from, run_end(text, stop, equals), stop};
}

// header.payload.signature, the first two JSON objects in base64.
look json_web_token(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t head = run_end(text, end, base64_url);
  if (head - begin < 10) return {0, 0, head};
  if (text.substr(head, 4) != ".eyJ") return {0, 0, head};
  const std::size_t payload = run_end(text, head + 1, base64_url);
  if (payload >= text.size() || text[payload] != '.') return {0, 0, payload};
  const std::size_t stop = run_end(text, payload + 1, base64_url);
  return {begin, stop, stop};
}

// user:password@ behind the :// of a URL; the password goes.
look password_in_url(std::string_view text, std::size_t, std::size_t end) {
  constexpr std::size_t longest = 4096;
  const std::size_t most = std::min(text.size(), end + longest);
  std::size_t colon = 0;
  std::size_t at = end;
  for (; at < most; ++at) {
    const char c = text[at];
    if (c == '@') break;
    if (c == ':' && colon == 0) colon = at;
    if (static_cast<unsigned char>(c) <= ' ' || "/\"'<>?#`\\"sv.find(c) != ""sv.npos) break;
  }
  const bool ends = at < most && text[at] == '@';
  if (!ends || colon == 0 || at == colon + 1) return {0, 0, at};
  return {colon + 1, at, at};
}

look pem_private_key(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::string_view kind = "PRIVATE KEY";
  const std::string_view title = text.substr(end, 40);
  const std::size_t dashes = title.find("-----");
  const bool is_key = dashes != title.npos && title.substr(0, dashes).find(kind) != title.npos;
  if (!is_key) return {0, 0, end};
  const std::size_t from = end + dashes + 5;
  const std::size_t stop = std::min(text.find("-----END", from), text.size());
  // What stands between the lines stays: a mask never covers a newline.
  return from < stop ? look{from, stop, stop} : look{0, 0, begin + 1};
}

// A PEM file as kubeconfig and cloud-init carry it. Certificates and public keys are no secrets.
look pem_in_base64(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t stop = run_end(text, end, base64);
  const std::string_view title = text.substr(end, stop - end);
  const bool is_public = title.starts_with("DRVJUSUZ") || title.starts_with("QVUJMSUM");
  if (is_public || title.size() < 32) return {0, 0, stop};
  return {begin, run_end(text, stop, equals), stop};
}

// ID.atlasv1.SECRET of Terraform Cloud and Enterprise.
look atlas_token(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t id = 14;
  const std::size_t stop = run_end(text, end, base64_url);
  if (stop - end < 40 || begin < id) return {0, 0, stop};
  const std::size_t from = begin - id;
  if (run_end(text.substr(0, begin), from, alnum) != begin) return {0, 0, stop};
  return {from, stop, stop};
}

// "Bearer TOKEN": a word of twenty letters is a word, a token has digits.
look bearer(std::string_view text, std::size_t, std::size_t end) {
  const std::size_t stop = run_end(text, end, base64_url | base64 | dot | tilde | equals);
  const auto token = text.substr(end, stop - end);
  const bool has_digit =
      std::any_of(token.begin(), token.end(), [](char c) { return is(c, digit); });
  if (token.size() < 20 || !has_digit) return {0, 0, stop};
  return {end, stop, stop};
}

constexpr std::array aws_id{"AKIA"sv, "ASIA"sv};
constexpr std::array aws_secret{"ecret_access_key"sv, "ecretAccessKey"sv, "ECRET_ACCESS_KEY"sv,
                                "secret_key"sv};
constexpr std::array github{"ghp_"sv, "gho_"sv, "ghu_"sv, "ghs_"sv, "ghr_"sv};
constexpr std::array github_pat{"github_pat_"sv};
constexpr std::array gitlab{"glpat-"sv, "glptt-"sv, "gldt-"sv, "glrt-"sv, "glcbt-"sv};
constexpr std::array slack{"xoxa-"sv, "xoxb-"sv, "xoxe-"sv, "xoxp-"sv, "xoxr-"sv, "xoxs-"sv};
constexpr std::array slack_hook{"hooks.slack.com/services/"sv};
constexpr std::array google{"AIza"sv};
constexpr std::array pem{"-----BEGIN "sv};
constexpr std::array pem64{"LS0tLS1CRUdJTiB"sv};
constexpr std::array jwt{"eyJ"sv};
constexpr std::array azure{"AccountKey="sv, "SharedAccessKey="sv};
constexpr std::array azure_sas{"?sig="sv, "&sig="sv};
constexpr std::array url{"://"sv};
constexpr std::array vault{"hvs."sv, "hvb."sv, "hvr."sv};
constexpr std::array atlas{".atlasv1."sv};
constexpr std::array npm{"npm_"sv};
constexpr std::array stripe{"sk_live_"sv, "rk_live_"sv, "sk_test_"sv, "rk_test_"sv};
constexpr std::array digital_ocean{"dop_v1_"sv, "doo_v1_"sv, "dor_v1_"sv};
constexpr std::array own{"tofud_"sv};
constexpr std::array bearers{"Bearer "sv, "bearer "sv};
constexpr std::array basic{"uthorization: Basic "sv, "uthorization: basic "sv};
constexpr std::array google_oauth{"ya29."sv};
constexpr std::array pypi{"pypi-AgE"sv};
constexpr std::array docker_hub{"dckr_pat_"sv, "dckr_oat_"sv};
constexpr std::array sendgrid{"SG."sv};
constexpr std::array grafana{"glsa_"sv, "glc_"sv};
constexpr std::array models{"sk-proj-"sv, "sk-ant-"sv};
constexpr std::array databricks{"dapi"sv};
constexpr std::array tailscale{"tskey-"sv};
constexpr std::array age{"AGE-SECRET-KEY-1"sv};
// Without "Pr": else the search would look closer at the "res" of each "resource" of a stream.
constexpr std::array wireguard{"PrivateKey"sv, "esharedKey"sv, "private_key"sv, "eshared_key"sv};

constexpr token_shape shapes[] = {
    {"aws-access-key-id", "(AKIA|ASIA)[A-Z0-9]{16}", aws_id, prefixed<upper | digit, 16, 16>},
    {"aws-secret-access-key",
     "(secret_access_key|secretAccessKey|secret_key)[=: \"]+[A-Za-z0-9/+]{40}", aws_secret,
     value_of<base64, 40, 40>},
    {"github-token", "gh[pousr]_[A-Za-z0-9]{36,}", github, prefixed<alnum, 36>},
    {"github-fine-grained-token", "github_pat_[A-Za-z0-9_]{22,}", github_pat, prefixed<word, 22>},
    {"gitlab-token", "gl(pat|ptt|dt|rt|cbt)-[A-Za-z0-9_.-]{20,}", gitlab,
     prefixed<base64_url | dot, 20>},
    {"slack-token", "xox[abeprs]-[A-Za-z0-9-]{10,}", slack, prefixed<alnum | minus, 10>},
    {"slack-webhook", "hooks.slack.com/services/[A-Za-z0-9/]{20,}", slack_hook,
     value_of<alnum | plus_slash, 20>},
    {"google-api-key", "AIza[A-Za-z0-9_-]{35}", google, prefixed<base64_url, 35, 35>},
    {"pem-in-base64",
     "LS0tLS1CRUdJTiB… (-----BEGIN in base64), but for certificates and public keys", pem64,
     pem_in_base64},
    {"pem-private-key",
     "-----BEGIN .*PRIVATE KEY-----…, and a line of 64, 70 or 76 characters of base64, or one that "
     "ends in =",
     pem, pem_private_key},
    {"json-web-token", "eyJ[A-Za-z0-9_-]{7,}\\.eyJ[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*", jwt,
     json_web_token},
    {"azure-account-key", "(AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}=*", azure,
     value_of<base64, 40>},
    {"azure-signature", "[?&]sig=[A-Za-z0-9%+/=]{40,}", azure_sas,
     value_of<base64 | percent | equals, 40>},
    {"password-in-url", "://USER:([^@ /]+)@", url, password_in_url},
    {"vault-token", "hv[sbr]\\.[A-Za-z0-9_-]{20,}", vault, prefixed<base64_url, 20>},
    {"terraform-cloud-token", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{40,}", atlas, atlas_token},
    {"npm-token", "npm_[A-Za-z0-9]{36,}", npm, prefixed<alnum, 36>},
    {"stripe-key", "[sr]k_(live|test)_[A-Za-z0-9]{16,}", stripe, prefixed<alnum, 16>},
    {"digitalocean-token", "do[opr]_v1_[a-f0-9]{64}", digital_ocean, prefixed<lower | digit, 64>},
    {"tofud-token", "tofud_[0-9a-f]{8}_[0-9a-f]{64}", own,
     prefixed<lower | digit | underscore, 73, 73>},
    {"bearer-token", "[Bb]earer [A-Za-z0-9._~+/=-]{20,} with a digit", bearers, bearer},
    {"basic-authorization", "Authorization: Basic [A-Za-z0-9+/]{8,}=*", basic, value_of<base64, 8>},
    {"google-oauth-token", "ya29\\.[A-Za-z0-9_.-]{20,}", google_oauth,
     prefixed<base64_url | dot, 20>},
    {"pypi-token", "pypi-AgE[A-Za-z0-9_-]{40,}", pypi, prefixed<base64_url, 40>},
    {"docker-hub-token", "dckr_[po]at_[A-Za-z0-9_-]{20,}", docker_hub, prefixed<base64_url, 20>},
    {"sendgrid-key", "SG\\.[A-Za-z0-9_.-]{66}", sendgrid, prefixed<base64_url | dot, 66, 66>},
    {"grafana-token", "gl(sa|c)_[A-Za-z0-9_+/]{32,}", grafana, prefixed<word | plus_slash, 32>},
    {"openai-or-anthropic-key", "sk-(proj|ant)-[A-Za-z0-9_-]{32,}", models,
     prefixed<base64_url, 32>},
    {"databricks-token", "dapi[a-z0-9]{32}", databricks, prefixed<lower | digit, 32, 32>},
    {"tailscale-key", "tskey-[A-Za-z0-9-]{20,}", tailscale, prefixed<alnum | minus, 20>},
    {"age-key", "AGE-SECRET-KEY-1[A-Z0-9]{58}", age, prefixed<upper | digit, 58, 58>},
    {"wireguard-key",
     "(PrivateKey|PresharedKey|private_key|preshared_key)[=: \"]+[A-Za-z0-9/+]{43}=", wireguard,
     value_of<base64, 43, 43>},
};

}  // namespace

std::span<const token_shape> token_shapes() { return shapes; }

look pem_line(std::string_view text) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  text = without_sequences(text);
  const std::size_t end = text.size();
  std::size_t padding = 0;
  for (; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  // OpenSSL breaks lines after 64 characters, ssh-keygen after 70, base64(1) after 76.
  constexpr std::array<std::size_t, 3> widths{64, 70, 76};
  // From the end on: most texts have no such last word.
  std::size_t begin = text.size();
  const std::size_t first = text.size() - std::min(text.size(), widths.back());
  unsigned seen = 0;
  for (; begin > first && is(text[begin - 1], base64); --begin)
    seen |= classes[static_cast<std::uint8_t>(text[begin - 1])];
  if (begin > 0 && "[;:"sv.find(text[begin - 1]) != ""sv.npos) {
    // A terminal's sequence stands before the line; its last letter belongs to none.
    begin = std::min(run_end(text, begin, digit) + 1, text.size());
  }
  if (begin > 0 && text[begin - 1] != ' ' && text[begin - 1] != '\t' &&
      !after_sequence(text, begin))
    return {};
  const std::size_t size = text.size() - begin + padding;
  const bool is_full = std::find(widths.begin(), widths.end(), size) != widths.end();
  constexpr std::size_t shortest_last = 8;
  const bool is_last =
      padding > 0 && size % 4 == 0 && size >= shortest_last && size < widths.back();
  const bool is_line = (is_full && (seen & alnum) == alnum) || is_last;
  return is_line ? look{begin, end, end} : look{};
}

}  // namespace tofud::redact
