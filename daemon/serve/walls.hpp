// The walls of a daemon: everybody's, and one for each part of the stacks that somebody looks at.
#pragma once

#include "daemon/access/principal.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/fanout/wall.hpp"
#include "daemon/operations/held_memory.hpp"
#include "daemon/registry/run_registry.hpp"
#include "daemon/registry/run_rows.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/serve/stack_wall.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tofud::serve {

/// Who sees some of the stacks has a wall that was never told of the others: no row, card, count,
/// lock or number on it is of a run that he may not see. It is made when he asks for it, in turns
/// of the loop, and goes when nobody looks at it.
class walls {
 public:
  /// Both outlive it. `epoch`: what others call the positions of their walls, too, if these mean
  /// the same (go_on_from); empty: they don't.
  walls(boost::asio::io_context& io, fanout::hub& hub, std::string epoch = {});
  walls(const walls&) = delete;
  walls& operator=(const walls&) = delete;
  ~walls();

  /// Everybody's rows of runs; for the registry that this has to know before it is used.
  registry::run_rows& rows() { return everybodys_->runs; }
  void use(registry::run_registry& shown) { shown_ = &shown; }
  /// From now on viewers may come.
  void offer();

  /// What is known of the run is new: its stack's card may be, too.
  void learned(const registry::shown_run& run);
  void forget(std::string_view run);
  /// What has changed on any wall goes to who watches.
  void publish();
  /// Those that nobody watches, or has looked at a moment ago, go: they are made again when they
  /// are asked for.
  void drop_unused();
  // ---- where several daemons have the same wall ------------------------------------------------
  // Numbers of rows are made of the revision of what all are told of runs, so that whoever has seen
  // a wall up to one of them lacks on any other daemon's only what is numbered above it.

  /// What changes from here on was told with that revision, or later.
  void go_on_from(std::uint64_t revision);
  /// What was told of the run is shown; its stack's card is numbered anew as well.
  void told_of(registry::shown_run& run);
  /// Calls `ready` once his wall is as far as that number; later in any case.
  void when_at(const access::principal& by, feed::sequence seq, const std::function<void()>& ready);

  /// To be called once in a while: see fanout::wall.
  void forget_removed();

  /// Calls `ready` when his wall is there, at once or later; false: there are too many, and all of
  /// them are watched.
  void prepare(const access::principal& by, std::function<void(bool)> ready);
  /// Whether he has to wait for it.
  bool is_ready(const access::principal& by);
  /// Of who has a wall; empty cards and null: he has none.
  const wall::stack_cards& cards(const access::principal& by) const;
  const fanout::topic* topic(const access::principal& by) const;

 private:
  using clock = std::chrono::steady_clock;
  struct one {
    one(std::shared_ptr<const access::reach> whose, std::string epoch)
        : within{std::move(whose)}, rows{std::move(epoch)}, runs{rows, limits::wall_runs, within} {}
    std::shared_ptr<const access::reach> within;  // null: everybody
    fanout::wall rows;
    registry::run_rows runs;
    stack_wall cards{rows};
    std::vector<std::function<void(bool)>> waiting;  // until it is filled
    operations::held_memory held{operations::memory_for::walls};
    bool is_filled = false;
    clock::time_point used_at = clock::now();
  };
  struct filling;

  one* find(const access::principal& by) const;
  void drop(one& unused);
  static void weigh(one& which);
  std::string epoch_for(const access::reach* within) const;
  void wait(const std::shared_ptr<one>& which, feed::sequence seq, clock::time_point until,
            const std::function<void()>& ready);
  void fill(const std::shared_ptr<filling>& how);

  boost::asio::io_context& io_;
  fanout::hub& hub_;
  registry::run_registry* shown_ = nullptr;
  std::string epoch_;
  std::uint64_t revision_ = 0;
  std::shared_ptr<one> everybodys_;
  std::vector<std::shared_ptr<one>> of_some_;
};

}  // namespace tofud::serve
