// An archive in a bucket of Amazon S3, or of a service that speaks as it does.
#pragma once

#include "daemon/archive/place.hpp"

#include <memory>

namespace tofud::archive {

/// Requests are signed by libcurl (AWS Signature Version 4), with credentials that are read again
/// for each request. Objects are addressed by path where an endpoint is given, else by the host of
/// the bucket where its name allows that. Nothing leads it elsewhere: redirects are errors.
text::result<std::unique_ptr<place>> open_bucket(const address& at);

/// Where an object is, as a URL.
std::string url_of(const address& at, const bucket_name& in, const std::string& path);

/// What an error's document says: its <Code> and <Message>, each on one line; empty: it says none.
struct said_by_bucket {
  std::string code, message;
};
said_by_bucket read_answer(std::string_view body);

}  // namespace tofud::archive
