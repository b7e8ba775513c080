// Reads that take long or hold much: drawn on a thread of their own, kept where they are asked
// twice, bounded in number.
#pragma once

#include "daemon/api/limits.hpp"
#include "daemon/http/message/response.hpp"
#include "daemon/net/worker_thread.hpp"
#include "protocol/text/failure.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/system/result.hpp>

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tofud {

/// One per server. All but the work runs on the loop.
class long_reads {
 public:
  explicit long_reads(boost::asio::io_context& io);
  /// Ends the thread; nobody is told of what was not done.
  ~long_reads();
  long_reads(const long_reads&) = delete;
  long_reads& operator=(const long_reads&) = delete;

  /// A text that was drawn, or why it can't be, as a sentence.
  using drawn = text::result<std::string>;
  using shared_text = std::shared_ptr<const drawn>;

  /// Does `work` on the thread and gives `done` what it returned, or what it returned before for
  /// the same `key`: a key names all that the text depends on. Who asks while it is being drawn
  /// waits for the same. False: too many wait already.
  bool draw(const std::string& key, std::function<drawn()> work,
            std::function<void(const shared_text&)> done);

  /// The same for work that needs something of the loop's first: `prepare` is called once in a turn
  /// of the loop until it is false, then `work` is done.
  bool draw(const std::string& key, std::function<bool()> prepare, std::function<drawn()> work,
            std::function<void(const shared_text&)> done);

  /// Does `work` on the thread, and tells nobody.
  void post(std::function<void()> work) { thread_.post(std::move(work)); }

  /// A place among limits::large_reads for an answer that holds much for one client; given back
  /// when it is destroyed. Null: there is none.
  std::shared_ptr<const void> take_place();
  /// The turn to fold a stream once more: one at a time, however many clients wait. Null: somebody
  /// has it.
  std::shared_ptr<const void> take_turn();

 private:
  void keep(const std::string& key, const shared_text& text);
  void prepare_in_turns(const std::string& key, std::function<bool()> prepare,
                        std::function<drawn()> work);
  void work_on(const std::string& key, std::function<drawn()> work);

  boost::asio::io_context& io_;
  std::shared_ptr<const int> places_ = std::make_shared<const int>();  // their users are counted
  std::shared_ptr<const int> turn_ = std::make_shared<const int>();
  std::unordered_map<std::string, std::vector<std::function<void(const shared_text&)>>> waiting_;
  std::list<std::pair<std::string, shared_text>> kept_;  // the last asked for first
  std::size_t kept_bytes_ = 0;
  std::shared_ptr<long_reads*> self_ = std::make_shared<long_reads*>(this);  // null once it is gone
  net::worker_thread thread_;  // ends before all else goes
};

/// What was drawn, for an answer; it was no failure.
std::shared_ptr<const std::string> text_of(const long_reads::shared_text& drawn);

/// The text once it is drawn, or the failure, or that too many wait.
void answer_drawn(long_reads& reads, const std::string& key,
                  const std::function<long_reads::drawn()>& work, const std::string& content_type,
                  const std::function<void(http::response)>& answer);

/// 503 for who comes when all places are taken.
http::response too_many_reads();

}  // namespace tofud
