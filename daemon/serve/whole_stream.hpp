// A stream sent as it is, by curl or nc: one body from its first byte to its last, no resume.
#pragma once

#include "daemon/http/coroutine.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "protocol/redact/rules.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tofud::serve {

/// What is known of such a run beforehand.
struct stream_name {
  std::string stack;  // empty: unknown
  std::vector<feed::label> labels;
  std::optional<feed::run_command> command;
};

/// Of whom it is: see journal::run_header.
struct stream_owner {
  std::string sender;  // see sender_of
  std::string sent_as = {};
  std::vector<feed::label> granted = {};
  std::shared_ptr<const feed::verified_facts> verified = nullptr;
  std::optional<http::response> refused = {};  // why nothing of it may be kept
};

/// Whether the first line may name the run (protocol/upload/naming_line.hpp).
enum class may_be_named : bool { no, yes };

/// Redacts the stream by `rules` before anything of it is written. Reads on whatever happens: who
/// sends may be an apply that a full pipe would stop. What the disk refuses is shown while it
/// comes, and is in no history; of a run that is one too many nothing is, and its sender is told so
/// at the end, as is the sender of one that is refused. What is passed by reference outlives the
/// taker.
std::unique_ptr<http::body_taker> make_whole_stream(boost::asio::io_context& io, kept_streams& runs,
                                                    const redact::rules& rules, stream_name name,
                                                    stream_owner of, may_be_named first_line);

}  // namespace tofud::serve
