// The one thread beside the loop: everything of the journal that may wait for a disk.
#pragma once

#include "daemon/journal/writer.hpp"

#include <boost/asio/io_context.hpp>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tofud::journal {

/// Takes jobs in order and everything that waits at once. Completions run on the loop, which stays
/// alive until they did. The queue has no bound of its own: a run has one append in flight, so it
/// holds at most runs times `max_patch` bytes, and a slow disk slows the senders.
class journal_thread {
 public:
  /// `in_between` is called on the thread when nothing waits, and between batches: a piece of work
  /// of a few milliseconds. False: there is none.
  journal_thread(boost::asio::io_context& loop, writer& writes, std::function<bool()> in_between);
  /// Finishes what waits.
  ~journal_thread();
  journal_thread(const journal_thread&) = delete;
  journal_thread& operator=(const journal_thread&) = delete;

  void push(job added);
  /// For what nobody's bytes wait for: one of these is done between two batches, in their order.
  void push_later(other_job added);
  /// Runs `work` on the thread, after what waits, and comes back when it is done.
  void wait_for(const std::function<void()>& work);

 private:
  void run();
  template <class Job>
  void keep_loop(Job& added);
  void enqueue(job added);
  void hand_over(writer::completions calls);

  boost::asio::io_context& loop_;
  writer& writes_;
  std::function<bool()> in_between_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::vector<job> waiting_;
  std::deque<other_job> later_;
  bool stopping_ = false;
  std::jthread thread_;  // last: it sees the others
};

}  // namespace tofud::journal
