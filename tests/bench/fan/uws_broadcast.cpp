// uWebSockets behind the harness: what comes by stdin is published line by line to a topic that
// every subscriber has. The library is that of the Python package socketify, which has uWebSockets'
// C functions over libuv: .ci/uwebsockets fetches it, and UWS_LIBRARY says where it is.
//
//     uws_broadcast PORT
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <uv.h>

namespace {

// Of its libsocketify.h.
struct socket_behavior {
  int compression;
  unsigned max_payload;
  unsigned short idle_timeout;
  unsigned max_backpressure;
  bool close_on_backpressure, reset_idle_timeout_on_send, pings;
  unsigned short max_lifetime;
  void* upgrade;
  void (*open)(void* socket, void*);
  void *message, *drain, *ping, *pong, *close, *subscription;
};
struct listen_config {
  int port;
  const char* host;
  int options;
};
struct app_options {  // us_socket_context_options_t: nothing of TLS
  const char *key_file, *cert_file, *passphrase, *dh_params, *ca_file, *ciphers;
  int low_memory;
};

constexpr std::string_view topic = "ui";
constexpr int text_frame = 1;

template <class Function>
Function* named(void* library, const char* name) {
  auto* found = reinterpret_cast<Function*>(::dlsym(library, name));
  if (found == nullptr) {
    std::fprintf(stderr, "uws_broadcast: the library has no %s\n", name);
    std::exit(2);
  }
  return found;
}

struct broadcast {
  void* app = nullptr;
  bool (*publish)(int, void*, const char*, std::size_t, const char*, std::size_t, int,
                  bool) = nullptr;
  bool (*subscribe)(int, void*, const char*, std::size_t) = nullptr;
  std::string held;

  void take(std::string_view bytes) {
    held.append(bytes);
    std::string_view rest{held};
    for (std::size_t newline = 0; (newline = rest.find('\n')) != rest.npos;) {
      publish(0, app, topic.data(), topic.size(), rest.data(), newline, text_frame, false);
      rest.remove_prefix(newline + 1);
    }
    held.erase(0, held.size() - rest.size());
  }
};

broadcast all;

void on_readable(uv_poll_t* input, int status, int /*events*/) {
  static char room[65536];
  const ssize_t count = status < 0 ? 0 : ::read(0, room, sizeof room);
  if (count > 0)
    all.take({room, static_cast<std::size_t>(count)});
  else if (count == 0 || errno != EAGAIN)
    uv_poll_stop(input);
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = std::getenv("UWS_LIBRARY");
  void* library = argc == 2 && path != nullptr ? ::dlopen(path, RTLD_NOW) : nullptr;
  if (library == nullptr) {
    std::fprintf(stderr, "uws_broadcast: PORT, and UWS_LIBRARY with a file: %s\n", ::dlerror());
    return 2;
  }
  named<void*(void*)>(library, "uws_get_loop_with_native")(uv_default_loop());
  all.publish =
      named<bool(int, void*, const char*, std::size_t, const char*, std::size_t, int, bool)>(
          library, "uws_publish");
  all.subscribe = named<bool(int, void*, const char*, std::size_t)>(library, "uws_ws_subscribe");
  all.app = named<void*(int, app_options)>(library, "uws_create_app")(0, app_options{});
  socket_behavior behavior{};
  behavior.max_payload = 16 * 1024;
  behavior.idle_timeout = 120;
  behavior.max_backpressure = 64U << 20U;
  behavior.open = [](void* socket, void*) { all.subscribe(0, socket, topic.data(), topic.size()); };
  named<void(int, void*, const char*, socket_behavior, void*)>(library, "uws_ws")(
      0, all.app, "/*", behavior, nullptr);
  using on_listening = void (*)(void*, listen_config, void*);
  const on_listening listening = [](void* socket, listen_config, void*) {
    if (socket == nullptr) std::exit(1);
  };
  named<void(int, void*, listen_config, on_listening, void*)>(
      library, "uws_app_listen_with_config")(0, all.app, {std::atoi(argv[1]), "127.0.0.1", 0},
                                             listening, nullptr);
  ::fcntl(0, F_SETFL, ::fcntl(0, F_GETFL) | O_NONBLOCK);
  uv_poll_t input;
  uv_poll_init(uv_default_loop(), &input, 0);
  uv_poll_start(&input, UV_READABLE, on_readable);
  named<void(int, void*)>(library, "uws_app_run")(0, all.app);
  return 0;
}
