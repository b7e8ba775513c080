#include "daemon/archive/errors.hpp"

namespace tofud::archive {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_place,
       "{} is no place for an archive; write an absolute path, or s3://BUCKET or "
       "s3://BUCKET/PREFIX"},
      {error::bad_endpoint,
       "{} is not the address of an S3 service; write https://HOST or https://HOST:PORT (http only "
       "for a service on this machine)"},
      {error::bad_credentials, "the archive's credentials: {}"},
      {error::no_credentials,
       "the archive's credentials: {} has no {} in its section [default]; write it as `aws "
       "configure` does"},
      {error::no_curl,
       "libcurl can't be loaded, which sends runs to a bucket: {}; install the package libcurl4"},
      {error::old_curl,
       "libcurl is of version {}, which does not sign what it sends to a bucket in full; version "
       "7.88 or newer is needed"},
      {error::curl_refuses, "libcurl refuses a request: {}"},
      {error::bucket_unreached, "the bucket can't be reached: {}"},
      {error::bucket_refuses, "the bucket answered with status {}"},
      {error::bucket_refuses_with, "the bucket answered with status {} ({}): {}"},
      {error::given_up, "the daemon is stopping"},
      {error::too_large, "{}: has {} bytes; a bucket takes at most {} in one file"},
      {error::not_mounted,
       "{}: has no archive.json, though runs were archived there before; mount what belongs there, "
       "or make that file if it is to go on without them"},
      {error::shortened, "{}: became shorter while it was read"},
      {error::not_whole,
       "{}: has no manifest.jsonl: this run was not archived to its end; the daemon does it again"},
      {error::not_archived, "run {}: {}"},
      {error::archived_elsewhere,
       "run {} is archived in {}, which this daemon can't change; remove it there, then here with "
       "`tofud rm --keep-archived`"},
      {error::not_removed,
       "run {} is archived in {} and can't be removed there: {}; `tofud rm --keep-archived` "
       "removes it here only"},
  });
  return sentences[what];
}

}  // namespace tofud::archive
