// Listens on a Unix socket and answers requests with what it was told to.
#pragma once

#include "daemon/client/place.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace tofud::client::tests {

class canned_daemon {
 public:
  using socket = boost::asio::local::stream_protocol::socket;

  /// What is written for a request; nothing: the connection is closed instead.
  using answering =
      std::function<std::optional<std::string>(const std::string& head, const std::string& body)>;
  canned_daemon(boost::asio::io_context& io, answering answers)
      : path_{(std::filesystem::temp_directory_path() /
               ("tofud-" + std::to_string(::getpid()) + ".sock"))
                  .string()},
        answers_{std::move(answers)},
        listening_{io, (::unlink(path_.c_str()), path_)} {
    accept();
  }
  ~canned_daemon() { ::unlink(path_.c_str()); }

  client::place address() const {
    client::place at;
    at.socket = path_;
    at.header = "localhost";
    at.shown = path_;
    return at;
  }
  int connections() const { return connections_; }
  /// Closes every connection that is idle.
  void hang_up() {
    for (const auto& each : open_) each->end.close();
    open_.clear();
  }
  /// More of an answer that is under way.
  void say(const std::string& more) {
    for (const auto& each : open_) boost::asio::write(each->end, boost::asio::buffer(more));
  }

 private:
  struct visitor {
    explicit visitor(socket taken) : end{std::move(taken)} {}
    socket end;
    std::string bytes, answer;
  };

  void accept() {
    listening_.async_accept([this](boost::system::error_code failed, socket taken) {
      if (failed) return;
      ++connections_;
      open_.push_back(std::make_shared<visitor>(std::move(taken)));
      serve(open_.back());
      accept();
    });
  }

  void serve(const std::shared_ptr<visitor>& who) {
    boost::asio::async_read_until(
        who->end, boost::asio::dynamic_buffer(who->bytes), "\r\n\r\n",
        [this, who](boost::system::error_code failed, std::size_t count) {
          if (failed) return;
          const std::string head = who->bytes.substr(0, count);
          const std::size_t stated = head.find("Content-Length: ");
          const std::size_t size =
              stated == std::string::npos ? 0 : std::stoul(head.substr(stated + 16));
          const std::size_t missing = count + size - std::min(who->bytes.size(), count + size);
          boost::asio::async_read(who->end, boost::asio::dynamic_buffer(who->bytes),
                                  boost::asio::transfer_exactly(missing),
                                  [this, who, head](boost::system::error_code cut, std::size_t) {
                                    if (!cut) reply(who, head);
                                  });
        });
  }

  void reply(const std::shared_ptr<visitor>& who, const std::string& head) {
    const auto answer = answers_(head, who->bytes.substr(head.size()));
    who->bytes.clear();
    if (!answer) return who->end.close();
    who->answer = *answer;
    boost::asio::async_write(who->end, boost::asio::buffer(who->answer),
                             [this, who](boost::system::error_code failed, std::size_t) {
                               if (!failed) serve(who);
                             });
  }

  std::string path_;
  answering answers_;
  boost::asio::local::stream_protocol::acceptor listening_;
  std::vector<std::shared_ptr<visitor>> open_;
  int connections_ = 0;
};

}  // namespace tofud::client::tests
