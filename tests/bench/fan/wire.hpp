// Connections and what is said on them: requests and WebSocket frames.
#pragma once

#include "tests/bench/fan/base.hpp"

/// To a port of this machine; -1 or the end of fanbench if nobody is there.
int tcp_connect(int port, bool quiet = false);

/// Masked with zeros: the payload's bytes stay what they are.
string ws_frame(int op, const string& p);
string upgrade_req(int port, const string& path, const string& proto, const string& hdr, bool sse);
