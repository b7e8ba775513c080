// libcurl, loaded when runs go to a bucket: tofud itself is not linked with it.
#pragma once

#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <curl/curl.h>

namespace tofud::archive {

/// Its functions, for as long as the program runs.
struct curl_library {
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_reset) easy_reset;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  CURLcode (*easy_setopt)(CURL*, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL*, CURLINFO, ...);
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
};

/// The failure says why there is none that can sign what goes to a bucket.
text::result<const curl_library*> curl();

}  // namespace tofud::archive
