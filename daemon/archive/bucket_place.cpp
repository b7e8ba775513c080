#include "daemon/archive/bucket_place.hpp"

#include "daemon/archive/credentials.hpp"
#include "daemon/archive/curl_library.hpp"
#include "daemon/archive/errors.hpp"
#include "daemon/archive/limits.hpp"
#include "protocol/text/readable.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <utility>

namespace tofud::archive {
namespace {

/// What stands between the first <NAME> and its end.
std::string element(std::string_view body, const std::string& name) {
  const auto begin = body.find("<" + name + ">");
  if (begin == body.npos) return "";
  const auto text = body.substr(begin + name.size() + 2);
  const auto end = text.find('<');
  if (end == text.npos) return "";
  return text::beginning(text::readable_line(text.substr(0, end)), limits::bucket_words_bytes);
}

class bucket_place final : public place {
 public:
  bucket_place(const curl_library& curl, address at, bucket_name in)
      : curl_{curl}, at_{std::move(at)}, in_{std::move(in)} {}
  ~bucket_place() override {
    if (handle_ != nullptr) curl_.easy_cleanup(handle_);
  }
  bucket_place(const bucket_place&) = delete;
  bucket_place& operator=(const bucket_place&) = delete;

  text::failure begin(used_before) override {
    if (is_begun_) return {};
    auto wrong = put(std::string{about_name}, content_of(about_text()));
    is_begun_ = wrong.empty();
    return wrong;
  }

  text::failure put(const std::string& path, const content& what) override {
    if (what.bytes > limits::bucket_object_bytes)
      return {error::too_large, path, what.bytes, limits::bucket_object_bytes};
    return ask(path, &what);
  }

  text::failure remove(const std::string& path) override { return ask(path, nullptr); }

  void give_up() noexcept override { given_up_ = true; }

 private:
  /// While a request goes on.
  struct exchange {
    const content* sent = nullptr;
    std::uint64_t at = 0;
    bool is_short = false;
    std::string answer;
    const std::atomic<bool>* given_up = nullptr;
  };

  static std::size_t give(char* room, std::size_t size, std::size_t count, void* of) {
    auto& now = *static_cast<exchange*>(of);
    const auto left = std::min<std::uint64_t>(now.sent->bytes - now.at, size * count);
    if (left == 0) return 0;
    const std::size_t n = now.sent->read(now.at, {room, left});
    now.at += n;
    now.is_short = n == 0;
    return n == 0 ? CURL_READFUNC_ABORT : n;
  }

  static std::size_t take(const char* bytes, std::size_t size, std::size_t count, void* of) {
    auto& now = *static_cast<exchange*>(of);
    const auto room = limits::bucket_answer_bytes - now.answer.size();
    now.answer.append(bytes, std::min(size * count, room));
    return size * count > room ? 0 : size * count;  // fewer: the transfer fails
  }

  static int look(void* of, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return *static_cast<exchange*>(of)->given_up ? 1 : 0;
  }

  /// PUT of what is sent, else DELETE.
  text::failure ask(const std::string& path, const content* sent) {
    if (given_up_) return {error::given_up};
    // They may be of an hour: whoever renews them writes the file.
    auto read = read_credentials(at_.credentials_file);
    if (!read) return read.error();
    by_ = std::move(*read);
    if (handle_ == nullptr) handle_ = curl_.easy_init();
    if (handle_ == nullptr) return {error::curl_refuses, "no memory"};
    curl_.easy_reset(handle_);  // connections stay
    exchange now;
    now.sent = sent;
    now.given_up = &given_up_;
    std::array<char, CURL_ERROR_SIZE> why{};
    const headers sends{curl_, headers_of(sent)};
    bool is_set = true;
    const auto set = [&](CURLoption option, auto value) {
      is_set = is_set && curl_.easy_setopt(handle_, option, value) == CURLE_OK;
    };
    const std::string url = url_of(at_, in_, path);
    const std::string signature = "aws:amz:" + at_.region + ":s3";
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_AWS_SIGV4, signature.c_str());
    set(CURLOPT_USERNAME, by_.key_id.c_str());
    set(CURLOPT_PASSWORD, by_.secret.c_str());
    set(CURLOPT_HTTPHEADER, sends.list());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(limits::bucket_connect_wait.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(limits::bucket_stalled_after.count()));
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &bucket_place::look);
    set(CURLOPT_XFERINFODATA, &now);
    set(CURLOPT_WRITEFUNCTION, &bucket_place::take);
    set(CURLOPT_WRITEDATA, &now);
    set(CURLOPT_ERRORBUFFER, why.data());
    if (!at_.ca_file.empty()) set(CURLOPT_CAINFO, at_.ca_file.c_str());
    if (sent != nullptr) {
      set(CURLOPT_UPLOAD, 1L);
      set(CURLOPT_READFUNCTION, &bucket_place::give);
      set(CURLOPT_READDATA, &now);
      set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(sent->bytes));
    } else {
      set(CURLOPT_CUSTOMREQUEST, "DELETE");
    }
    if (!is_set) return {error::curl_refuses, "it lacks an option"};
    const CURLcode ended = curl_.easy_perform(handle_);
    if (given_up_) return {error::given_up};
    if (now.is_short) return {error::shortened, path};
    long status = 0;
    curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    if (ended != CURLE_OK && status < 300) {
      const std::string said = why.front() == '\0' ? curl_.easy_strerror(ended) : why.data();
      return {error::bucket_unreached, text::readable_line(said)};
    }
    return meaning_of(status, sent == nullptr, now.answer);
  }

  static text::failure meaning_of(long status, bool removes, const std::string& answer) {
    if (status >= 200 && status < 300) return {};
    const auto said = read_answer(answer);
    if (removes && status == 404 && said.code != "NoSuchBucket") return {};
    if (said.code.empty()) return {error::bucket_refuses, status};
    return {error::bucket_refuses_with, status, said.code, said.message};
  }

  std::vector<std::string> headers_of(const content* sent) const {
    // libcurl signs each of these, so none may be one that it leaves out ("Expect:").
    std::vector<std::string> all{"x-amz-content-sha256: " +
                                 (sent != nullptr ? *sent : content_of("")).sha256};
    if (sent != nullptr) all.emplace_back("Content-Type: application/octet-stream");
    if (!by_.session_token.empty()) all.push_back("x-amz-security-token: " + by_.session_token);
    return all;
  }

  class headers {
   public:
    headers(const curl_library& curl, const std::vector<std::string>& all) : curl_{curl} {
      for (const std::string& each : all) list_ = curl_.slist_append(list_, each.c_str());
    }
    ~headers() { curl_.slist_free_all(list_); }
    headers(const headers&) = delete;
    headers& operator=(const headers&) = delete;
    curl_slist* list() const { return list_; }

   private:
    const curl_library& curl_;
    curl_slist* list_ = nullptr;
  };

  const curl_library& curl_;
  address at_;
  bucket_name in_;
  credentials by_;
  CURL* handle_ = nullptr;
  bool is_begun_ = false;
  std::atomic<bool> given_up_ = false;
};

}  // namespace

std::string url_of(const address& at, const bucket_name& in, const std::string& path) {
  const std::string amazon = "s3." + at.region + ".amazonaws.com";
  // A certificate for *.s3.… is none for names with more dots.
  const bool by_host = at.endpoint.empty() && in.bucket.find('.') == in.bucket.npos;
  std::string url = by_host               ? "https://" + in.bucket + "." + amazon + "/"
                    : at.endpoint.empty() ? "https://" + amazon + "/" + in.bucket + "/"
                                          : at.endpoint + "/" + in.bucket + "/";
  if (!in.prefix.empty()) url += in.prefix + "/";
  return url + path;
}

said_by_bucket read_answer(std::string_view body) {
  return {element(body, "Code"), element(body, "Message")};
}

text::result<std::unique_ptr<place>> open_bucket(const address& at) {
  auto in = parse_bucket(at.to);
  if (!in) return in.error();
  if (!at.endpoint.empty()) {
    if (auto wrong = check_endpoint(at.endpoint); !wrong.empty()) return wrong;
  }
  const auto library = curl();
  if (!library) return library.error();
  if (const auto read = read_credentials(at.credentials_file); !read) return read.error();
  return std::unique_ptr<place>{std::make_unique<bucket_place>(**library, at, std::move(*in))};
}

}  // namespace tofud::archive
