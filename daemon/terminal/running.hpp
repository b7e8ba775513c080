// What runs at this moment.
#pragma once

#include "protocol/feed/forecast.hpp"
#include "protocol/feed/row.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tofud::terminal {

/// An open step of a resource. Text is as it came: whoever shows it cleans it.
struct running_step {
  std::string addr;
  feed::step_action action = feed::step_action::refresh;
  bool replaces = false;  // of a planned replacement
  std::optional<ui::time_point> started_at;
  std::string last_line;                            // of its provisioners; "" if there was none
  std::optional<std::chrono::seconds> expect = {};  // how long people say it takes
};

/// How long that usually takes; nothing: nobody knows. May be empty.
using usual_of =
    std::function<std::optional<feed::usual>(std::string_view addr, feed::step_action action)>;

/// When the run is expected to be over; null: nobody knows. May be empty.
using estimate_of = std::function<const feed::run_estimate*()>;

/// What is said of it beside how long a step has been open, such as "usually 2m0s" or, of one that
/// takes longer, "usually 2m0s (12 times)"; empty where that tells nothing.
struct usual_words {
  std::string text;
  bool slower = false;  // it takes longer than it usually does
};
usual_words words_of(const usual_of& known, const running_step& step,
                     std::optional<std::chrono::microseconds> elapsed);

/// What many wait for, and for nothing else.
struct waited_for {
  std::string addr;
  std::size_t count = 0;  // of resources that wait for it alone
};

/// Remembers the open steps of one run, told of every change of its resources.
class running_steps {
 public:
  void changed(feed::row_number row, const feed::resource_row& resource);
  /// A line of provisioner output. The beginning is kept.
  void log(feed::row_number row, std::string_view text);

  std::size_t size() const { return open_.size(); }
  /// The oldest `count` of them, oldest first; those with no time come first. Views until the next
  /// change.
  std::vector<const running_step*> oldest(std::size_t count) const;
  /// What most wait for, where little runs (limits::waiting_told); nothing: none does, or nobody
  /// knows.
  std::optional<waited_for> most_waited_for() const;

 private:
  void note_waiting(feed::row_number row, const feed::resource_row& resource);

  boost::unordered_flat_map<std::uint64_t, running_step> open_;  // by row and step
  boost::unordered_flat_map<feed::row_number, std::uint64_t>
      newest_;                                               // of a row, while one is open
  std::unordered_map<feed::row_number, std::string> waits_;  // of rows that wait for one thing
  std::unordered_map<std::string, std::size_t> waiters_;     // how many of those, by that thing
};

}  // namespace tofud::terminal
