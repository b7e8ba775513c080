#if __has_include(<nats/nats.h>) && !defined(TOFUD_WITHOUT_NATS)

#include "daemon/cluster/nats_library.hpp"

#include "daemon/cluster/errors.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace tofud::cluster {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& into) {
  into = reinterpret_cast<Function>(::dlsym(library, name));
  return into != nullptr;
}

/// Its soname has major and minor version.
std::string version_built_for() {
  return std::to_string(NATS_VERSION_MAJOR) + "." + std::to_string(NATS_VERSION_MINOR);
}

text::result<nats_library> load() {
  const std::string version = version_built_for();
  void* library = ::dlopen(("libnats.so." + version).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return text::failure{error::no_library, ::dlerror(), version};
  decltype(&::nats_GetVersion) found_version = nullptr;
  decltype(&::nats_Open) open = nullptr;
  nats_library found{};
  const bool is_whole =
      find(library, "nats_GetVersion", found_version) && find(library, "nats_Open", open) &&
      find(library, "natsStatus_GetText", found.status_text) &&
      find(library, "nats_GetLastError", found.last_error) &&
      find(library, "natsOptions_Create", found.options_create) &&
      find(library, "natsOptions_Destroy", found.options_destroy) &&
      find(library, "natsOptions_SetServers", found.set_servers) &&
      find(library, "natsOptions_SetName", found.set_name) &&
      find(library, "natsOptions_SetTimeout", found.set_timeout) &&
      find(library, "natsOptions_SetSecure", found.set_secure) &&
      find(library, "natsOptions_LoadCATrustedCertificates", found.load_authorities) &&
      find(library, "natsOptions_LoadCertificatesChain", found.load_certificate) &&
      find(library, "natsOptions_SetUserCredentialsFromFiles", found.set_credentials) &&
      find(library, "natsOptions_SetNKeyFromSeed", found.set_nkey) &&
      find(library, "natsOptions_SetMaxReconnect", found.set_max_reconnect) &&
      find(library, "natsOptions_SetReconnectWait", found.set_reconnect_wait) &&
      find(library, "natsOptions_SetReconnectJitter", found.set_reconnect_jitter) &&
      find(library, "natsOptions_SetReconnectBufSize", found.set_reconnect_buffer) &&
      find(library, "natsOptions_SetPingInterval", found.set_ping_interval) &&
      find(library, "natsOptions_SetMaxPingsOut", found.set_pings_out) &&
      find(library, "natsOptions_SetWriteDeadline", found.set_write_deadline) &&
      find(library, "natsOptions_UseGlobalMessageDelivery", found.use_one_thread) &&
      find(library, "natsOptions_SetDisconnectedCB", found.on_disconnected) &&
      find(library, "natsOptions_SetReconnectedCB", found.on_reconnected) &&
      find(library, "natsOptions_SetClosedCB", found.on_closed) &&
      find(library, "natsOptions_SetErrorHandler", found.on_error) &&
      find(library, "natsConnection_Connect", found.connect) &&
      find(library, "natsConnection_Close", found.close) &&
      find(library, "natsConnection_Destroy", found.destroy) &&
      find(library, "natsConnection_GetMaxPayload", found.max_payload) &&
      find(library, "natsConnection_GetConnectedUrl", found.connected_url) &&
      find(library, "natsConnection_GetLastError", found.connection_error) &&
      find(library, "natsConnection_PublishMsg", found.publish) &&
      find(library, "natsConnection_Subscribe", found.subscribe) &&
      find(library, "natsSubscription_SetPendingLimits", found.set_pending_limits) &&
      find(library, "natsSubscription_SetOnCompleteCB", found.on_complete) &&
      find(library, "natsSubscription_Destroy", found.subscription_destroy) &&
      find(library, "natsMsg_Create", found.message_create) &&
      find(library, "natsMsg_Destroy", found.message_destroy) &&
      find(library, "natsMsg_GetSubject", found.subject) &&
      find(library, "natsMsg_GetReply", found.reply) &&
      find(library, "natsMsg_GetData", found.data) &&
      find(library, "natsMsg_GetDataLength", found.data_length) &&
      find(library, "natsMsgHeader_Set", found.header_set) &&
      find(library, "natsMsgHeader_Get", found.header_get) &&
      find(library, "natsMsgHeader_Keys", found.header_keys);
  if (!is_whole) return text::failure{error::no_library, "it lacks functions", version};
  if (!std::string{found_version()}.starts_with(version + "."))
    return text::failure{error::other_library, found_version(), version, version};
  if (open(-1) != NATS_OK) return text::failure{error::no_library, "it does not start", version};
  return found;
}

}  // namespace

text::result<const nats_library*> nats() {
  static const text::result<nats_library> found = load();
  if (!found) return found.error();
  return &*found;
}

}  // namespace tofud::cluster

#endif
