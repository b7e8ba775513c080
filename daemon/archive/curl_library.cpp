#include "daemon/archive/curl_library.hpp"

#include "daemon/archive/errors.hpp"

#include <dlfcn.h>
#include <string>

namespace tofud::archive {
namespace {

/// The first that signs headers besides its own, and takes the sum of a body from whoever knows it.
constexpr unsigned first_version = 0x07'58'00;  // 7.88.0

template <class Function>
bool find(void* library, const char* name, Function& into) {
  into = reinterpret_cast<Function>(::dlsym(library, name));
  return into != nullptr;
}

text::result<curl_library> load() {
  void* library = nullptr;
  std::string why;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
    if (why.empty()) why = ::dlerror();
  }
  if (library == nullptr) return text::failure{error::no_curl, why};
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_version_info) version_info = nullptr;
  curl_library found{};
  const bool is_whole = find(library, "curl_global_init", global_init) &&
                        find(library, "curl_version_info", version_info) &&
                        find(library, "curl_easy_init", found.easy_init) &&
                        find(library, "curl_easy_reset", found.easy_reset) &&
                        find(library, "curl_easy_cleanup", found.easy_cleanup) &&
                        find(library, "curl_easy_setopt", found.easy_setopt) &&
                        find(library, "curl_easy_getinfo", found.easy_getinfo) &&
                        find(library, "curl_easy_perform", found.easy_perform) &&
                        find(library, "curl_easy_strerror", found.easy_strerror) &&
                        find(library, "curl_slist_append", found.slist_append) &&
                        find(library, "curl_slist_free_all", found.slist_free_all);
  if (!is_whole) return text::failure{error::no_curl, "it lacks functions"};
  const auto* version = version_info(CURLVERSION_NOW);
  if (version->version_num < first_version) return text::failure{error::old_curl, version->version};
  if (global_init(CURL_GLOBAL_ALL) != CURLE_OK)
    return text::failure{error::no_curl, "it does not start"};
  return found;
}

}  // namespace

text::result<const curl_library*> curl() {
  static const text::result<curl_library> found = load();
  if (!found) return found.error();
  return &*found;
}

}  // namespace tofud::archive
