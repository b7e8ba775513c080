#include "daemon/serve/summed_stacks.hpp"

#include "daemon/api/limits.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace tofud::serve {

net::task<std::string> each_stack(boost::asio::io_context& io, const kept_streams& runs,
                                  const access::principal& by, wanted_stacks wanted,
                                  std::function<void(wall::stack_summary)> take) {
  std::string next;
  std::vector<std::string> names = runs.walls().cards(by).stacks();
  names.erase(names.begin(), std::upper_bound(names.begin(), names.end(), wanted.after));
  if (names.size() > wanted.limit) {
    names.resize(wanted.limit);
    next = names.back();
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i % limits::stacks_in_a_turn == limits::stacks_in_a_turn - 1) {
      boost::asio::use_awaitable_t<net::executor> as_awaitable;
      auto next_turn = boost::asio::post(io, as_awaitable);
      co_await std::move(next_turn);
    }
    if (auto one = runs.walls().cards(by).summary(names[i], wanted.now)) take(std::move(*one));
  }
  co_return next;
}

}  // namespace tofud::serve
