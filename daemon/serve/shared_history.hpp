// How long the operations of all runs took, on every daemon of a cluster.
#pragma once

#include "daemon/cluster/bucket.hpp"
#include "daemon/cluster/reader.hpp"
#include "daemon/history/operation.hpp"
#include "daemon/journal/store.hpp"
#include "daemon/net/worker_thread.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tofud::serve {

/// Whoever takes a run in tells once what it did; the others put it into their own index.
class shared_history {
 public:
  /// `in` and `store` outlive it. `directory`: where it is kept how far was read.
  shared_history(boost::asio::io_context& io, cluster::jetstream& in, const std::string& cluster,
                 journal::store& store, const std::string& directory);
  ~shared_history();

  net::task<text::failure> ensure(unsigned replicas) { return bucket_.ensure(replicas); }
  /// Once, when the bucket is there.
  void begin();
  void stop();

  void tell(const std::string& run, const std::vector<history::run_operations>& did);
  /// A person removed the run.
  void forget(const std::string& run);
  /// NATS is there again: what waits is told.
  void look();

 private:
  net::task<bool> follow();
  net::task<bool> put(std::string run);
  void take(const cluster::bucket::entry& entry);
  void write_position();

  boost::asio::io_context& io_;
  cluster::jetstream& in_;
  cluster::bucket bucket_;
  journal::store& store_;
  std::string position_file_;
  net::worker_thread files_;
  std::shared_ptr<cluster::reader> reads_;
  std::uint64_t position_ = 0, written_ = 0;
  std::map<std::string, std::vector<std::string>> untold_;  // by run; no texts: to be forgotten
  bool is_putting_ = false;
  struct coming {
    std::vector<history::run_operations> did;
    std::size_t pieces = 0;
  };
  std::map<std::string, coming> coming_;      // runs of which some pieces came
  std::map<std::string, std::uint64_t> own_;  // revisions of what was told here
};

}  // namespace tofud::serve
