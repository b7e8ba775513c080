// libnats, loaded when a daemon is one of several: tofud itself is not linked with it.
#pragma once

#include "protocol/text/failure.hpp"

#include <nats/nats.h>

namespace tofud::cluster {

/// Its functions, for as long as the program runs. Objects are made and let go of by the library
/// only, so nothing of its layout is built in here.
struct nats_library {
  decltype(&::natsStatus_GetText) status_text;
  decltype(&::nats_GetLastError) last_error;
  decltype(&::natsOptions_Create) options_create;
  decltype(&::natsOptions_Destroy) options_destroy;
  decltype(&::natsOptions_SetServers) set_servers;
  decltype(&::natsOptions_SetName) set_name;
  decltype(&::natsOptions_SetTimeout) set_timeout;
  decltype(&::natsOptions_SetSecure) set_secure;
  decltype(&::natsOptions_LoadCATrustedCertificates) load_authorities;
  decltype(&::natsOptions_LoadCertificatesChain) load_certificate;
  decltype(&::natsOptions_SetUserCredentialsFromFiles) set_credentials;
  decltype(&::natsOptions_SetNKeyFromSeed) set_nkey;
  decltype(&::natsOptions_SetMaxReconnect) set_max_reconnect;
  decltype(&::natsOptions_SetReconnectWait) set_reconnect_wait;
  decltype(&::natsOptions_SetReconnectJitter) set_reconnect_jitter;
  decltype(&::natsOptions_SetReconnectBufSize) set_reconnect_buffer;
  decltype(&::natsOptions_SetPingInterval) set_ping_interval;
  decltype(&::natsOptions_SetMaxPingsOut) set_pings_out;
  decltype(&::natsOptions_SetWriteDeadline) set_write_deadline;
  /// One that delivers for all subscriptions.
  decltype(&::natsOptions_UseGlobalMessageDelivery) use_one_thread;
  decltype(&::natsOptions_SetDisconnectedCB) on_disconnected;
  decltype(&::natsOptions_SetReconnectedCB) on_reconnected;
  decltype(&::natsOptions_SetClosedCB) on_closed;
  decltype(&::natsOptions_SetErrorHandler) on_error;
  decltype(&::natsConnection_Connect) connect;
  decltype(&::natsConnection_Close) close;
  decltype(&::natsConnection_Destroy) destroy;
  decltype(&::natsConnection_GetMaxPayload) max_payload;
  decltype(&::natsConnection_GetConnectedUrl) connected_url;
  decltype(&::natsConnection_GetLastError) connection_error;
  decltype(&::natsConnection_PublishMsg) publish;
  decltype(&::natsConnection_Subscribe) subscribe;
  decltype(&::natsSubscription_SetPendingLimits) set_pending_limits;
  decltype(&::natsSubscription_SetOnCompleteCB) on_complete;
  decltype(&::natsSubscription_Destroy) subscription_destroy;
  decltype(&::natsMsg_Create) message_create;
  decltype(&::natsMsg_Destroy) message_destroy;
  decltype(&::natsMsg_GetSubject) subject;
  decltype(&::natsMsg_GetReply) reply;
  decltype(&::natsMsg_GetData) data;
  decltype(&::natsMsg_GetDataLength) data_length;
  decltype(&::natsMsgHeader_Set) header_set;
  decltype(&::natsMsgHeader_Get) header_get;
  decltype(&::natsMsgHeader_Keys) header_keys;
};

/// The failure says why there is none.
text::result<const nats_library*> nats();

}  // namespace tofud::cluster
