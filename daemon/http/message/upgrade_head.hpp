// The head of a request for a WebSocket as Beast read it, for Beast to accept. Apart, since few
// need Beast.
#pragma once

#include "daemon/http/message/request.hpp"

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

namespace tofud::http {

struct upgrade_head {
  boost::beast::http::request<boost::beast::http::empty_body> parsed;
};

}  // namespace tofud::http
